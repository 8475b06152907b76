import { createMcpHandler } from '@modelcontextprotocol/server'
import type { Octavo } from '@octavo/sdk'
import { createMcpServer } from './server.ts'

interface AgentMessage {
  /** The parsed body of the request. */
  message: unknown
  onError: (error: Error) => void
}

/**
 * Answers one message of an agent over HTTP. The MCP server is new for each message and has only the client with the agent's
 * credential, so agents cannot get each other's rights.
 */
export function answerAgent(client: Octavo, request: Request, { message, onError }: AgentMessage): Promise<Response> {
  const handler = createMcpHandler(() => createMcpServer(client), {
    // Comments in the stream keep proxies from closing the connection while a tool waits for a job.
    responseMode: 'sse',
    // Tools and resource templates never change, so there is nothing to subscribe to.
    maxSubscriptions: 0,
    onerror: onError,
  })
  return handler.fetch(request, { parsedBody: message })
}
