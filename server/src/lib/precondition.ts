// Tags of stored versions, and the headers that demand one.

import { hash } from 'node:crypto'
import { Failure } from './failure.ts'

/** Names the stored version and not the bytes, so it changes exactly when the resource does. */
export const etagOf = (row: { id: string; version: number }): string =>
  `"${hash('sha256', `${row.id}\0${row.version}`, 'base64url').slice(0, 22)}"`

// A proxy that compresses weakens our tags. They name stored versions, so comparing them as strong ones is safe.
const tagsOf = (header: string): string[] => header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))

export const isValidTagList = (header: string): boolean =>
  header.trim() === '*' || /^\s*(W\/)?"[^"]*"(\s*,\s*(W\/)?"[^"]*")*\s*$/.test(header)

export const matchesTag = (header: string, current: string): boolean =>
  header.trim() === '*' || tagsOf(header).includes(current.replace(/^W\//, ''))

/** `If-Match` and `If-None-Match` of a write. The service shows it the stored row; the pipeline sees that it did. */
export class Precondition {
  is_checked = false
  private readonly if_match: string | null
  private readonly if_none_match: string | null

  constructor(if_match: string | null, if_none_match: string | null = null) {
    this.if_match = if_match
    this.if_none_match = if_none_match
  }

  get is_set(): boolean {
    return this.if_match !== null || this.if_none_match !== null
  }

  check(row: { id: string; version: number }): void {
    this.is_checked = true
    if (!this.is_set) return
    const current = etagOf(row)
    if (this.if_match !== null && !matchesTag(this.if_match, current)) {
      throw new Failure(
        'precondition_failed',
        'The resource has changed since you read it. Get it again and send its new ETag.',
      )
    }
    if (this.if_none_match !== null && matchesTag(this.if_none_match, current)) {
      throw new Failure(
        'precondition_failed',
        'The resource matches the ETag in If-None-Match, so nothing was changed.',
      )
    }
  }
}
