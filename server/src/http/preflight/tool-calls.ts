// Requests that the tools of `/mcp` send to the API inside this process, with the agent's access token. The API accepts
// tokens for `/mcp` only from them. A value that never leaves the process marks them, so a client cannot.

import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

const HEADER = 'octavo-tool-call'
const MARK = randomBytes(32).toString('base64url')

export const toolCallHeaders = { [HEADER]: MARK } as const

export function isToolCall({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const mark = headers[HEADER]
  if (typeof mark !== 'string') return false
  const [given, expected] = [Buffer.from(mark), Buffer.from(MARK)]
  return given.length === expected.length && timingSafeEqual(given, expected)
}
