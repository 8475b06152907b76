import { exits } from '../exits.ts'
import type { Session } from './session.ts'

export interface CliMcpOptions {
  allowWrites?: boolean
}

/** stdout carries only messages of the protocol; errors go to stderr. */
export async function serveMcp({ client, signal }: Session, { allowWrites = false }: CliMcpOptions): Promise<number> {
  // The protocol takes as long to load as the rest of the program.
  const { serveAgent } = await import('@octavo/mcp/stdio')
  await serveAgent(client(), { allow_writes: allowWrites }, signal)
  return exits.fine
}
