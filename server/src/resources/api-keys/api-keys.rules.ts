// No escalation: a key can only create or change keys with rights that it has itself.

import type { Scope } from '@octavo/contract'
import type { Caller } from '../../lib/caller.ts'
import { Failure, invalidValue } from '../../lib/failure.ts'
import { uuidOf } from '../../lib/ids.ts'
import { instantOf } from '../../lib/time.ts'

interface Rights {
  scopes: readonly Scope[]
  project_ids: readonly string[] | null
}

export function refuseEscalation(caller: Caller, rights: Rights): void {
  const scope = rights.scopes.find((name) => !caller.scopes.has(name))
  if (scope)
    throw new Failure(
      'permission_denied',
      `Your key does not have the scope '${scope}', so it cannot manage a key that has it.`,
    )
  const { projects } = caller
  if (projects === null) return
  if (rights.project_ids === null || rights.project_ids.some((id) => !projects.includes(uuidOf('proj', id)))) {
    throw new Failure(
      'permission_denied',
      'Your key is limited to projects, so it can manage only keys that are limited to these projects. Set project_ids.',
    )
  }
}

/** The end of a new key: as requested, and never later than the end of the key that creates it. */
export function resolveExpiry({ expires_at_ms }: Caller, requested: string | null | undefined): Date | null {
  if (!requested) return Number.isFinite(expires_at_ms) ? new Date(expires_at_ms) : null
  const expires_at = instantOf(requested)
  if (expires_at.getTime() <= Date.now()) throw invalidValue('expires_at', 'too_small', 'Must be in the future.')
  if (expires_at.getTime() > expires_at_ms)
    throw invalidValue(
      'expires_at',
      'too_large',
      `Must not be later than ${new Date(expires_at_ms).toISOString()}, when your own key expires. Leave it out to use that time, or use a key that works longer.`,
    )
  return expires_at
}

/** The caller gets the new secret, so it must not outlive the caller's own. */
export function refuseLongerLife({ expires_at_ms }: Caller, key: { expires_at: string | null }): void {
  if ((key.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(key.expires_at)) <= expires_at_ms) return
  throw new Failure(
    'permission_denied',
    `Your own key expires at ${new Date(expires_at_ms).toISOString()}, so it cannot rotate a key that works longer. Use a key that works at least as long.`,
  )
}
