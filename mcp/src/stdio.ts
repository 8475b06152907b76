import { once } from 'node:events'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Octavo } from '@octavo/sdk'
import { createMcpServer, type McpOptions } from './server.ts'

/** Serves one agent on stdin and stdout, and returns when stdin ends or the signal is aborted. */
export async function serveAgent(client: Octavo, options: McpOptions, signal: AbortSignal): Promise<void> {
  const ended = once(process.stdin, 'end', { signal })
  const server = serveStdio(() => createMcpServer(client, options))
  try {
    await ended
  } finally {
    await server.close()
  }
}
