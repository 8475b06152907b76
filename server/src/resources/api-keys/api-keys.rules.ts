// A key never creates or changes a key that works longer than itself.

import type { Caller } from '../../lib/caller.ts'
import { Failure, invalidValue } from '../../lib/failure.ts'
import { instantOf } from '../../lib/time.ts'

/** The end of a new key: as requested, and never later than the end of the key that creates it. */
export function resolveExpiry({ expires_at_ms }: Caller, requested: string | null | undefined): Date | null {
  if (!requested) return Number.isFinite(expires_at_ms) ? new Date(expires_at_ms) : null
  const expires_at = instantOf(requested)
  if (expires_at.getTime() <= Date.now()) throw invalidValue('expires_at', 'too_small', 'Must be in the future.')
  if (expires_at.getTime() > expires_at_ms)
    throw invalidValue(
      'expires_at',
      'too_large',
      `Must not be later than ${new Date(expires_at_ms).toISOString()}, when your own key expires. Leave it out to use that time, or use a key that expires later.`,
    )
  return expires_at
}

/** The caller gets the new secret, so it must not outlive the caller's own. */
export function refuseLongerLife({ expires_at_ms }: Caller, key: { expires_at: string | null }): void {
  if ((key.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(key.expires_at)) <= expires_at_ms) return
  throw new Failure(
    'permission_denied',
    `Your own key expires at ${new Date(expires_at_ms).toISOString()}, so it cannot rotate a key that expires later. Use a key that does not expire before it.`,
  )
}
