// Syntax of the conditional headers.

import type { FastifyRequest } from 'fastify'
import { isValidTagList } from '../../lib/precondition.ts'
import { invalidParameter } from './query.ts'

export function checkTags(request: FastifyRequest, headers: readonly ('if-match' | 'if-none-match')[]): void {
  for (const name of headers) {
    const value = request.headers[name]
    if (value === undefined || isValidTagList(value)) continue
    throw invalidParameter([
      {
        field: name === 'if-match' ? 'If-Match' : 'If-None-Match',
        location: 'header',
        code: 'invalid_format',
        message: 'Must be * or a list of entity tags in double quotes.',
      },
    ])
  }
}
