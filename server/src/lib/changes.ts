// Rules that every change of a resource shares.

import { isDeepStrictEqual } from 'node:util'
import { recordOf } from '@octavo/base/unknown.ts'
import type { Scope } from '@octavo/contract'
import type { Caller } from './caller.ts'
import { Failure, invalidValue } from './failure.ts'
import { uuidOf } from './ids.ts'
import { mergePatch } from './merge-patch.ts'

const MAX_METADATA_KEYS = 50

/** Creation-only members are accepted if unchanged, so that clients can send back what they read. */
export function refuseFixed(current: object, fixed: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(fixed)) {
    if (!isDeepStrictEqual(recordOf(current)[name], value)) {
      throw invalidValue(name, 'immutable', 'Can be set only at creation. Remove this field, or send it unchanged.')
    }
  }
}

/** Clones have the same prototypes, so that they can be compared. */
const plain = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : structuredClone(value))

/** True if an update would store what is already stored: it then changes nothing, neither version nor events. */
export function hasSameFields(current: object, fields: object): boolean {
  return Object.entries(fields).every(([name, value]) =>
    isDeepStrictEqual(plain(recordOf(current)[name]), plain(value)),
  )
}

/** A caller limited to projects must name one of them for what it creates. */
export function visibleProject<T extends string | null>(caller: Caller, project_id: T): T {
  if (caller.projects === null) return project_id
  if (project_id === null || !caller.projects.includes(uuidOf('proj', project_id))) throw noProject()
  return project_id
}

/** Where the body, and not the address, says what is to be done. */
export function needScopes({ scopes }: Pick<Caller, 'scopes'>, needed: readonly Scope[]): void {
  const missing = needed.filter((scope) => !scopes.has(scope))
  if (missing.length > 0) throw insufficientScope(missing)
}

export const insufficientScope = (missing: readonly Scope[]): Failure =>
  new Failure(
    'insufficient_scope',
    `This key does not have the scope '${missing.join("' and '")}'. Use a key that has it.`,
    {
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${missing.join(' ')}"` },
    },
  )

interface Rights {
  scopes: readonly Scope[]
  project_ids: readonly string[] | null
}
/** The words of the messages: the credential of the caller, and what it manages. */
interface Managed {
  by: string
  one: string
  many: string
}

/** A caller manages only credentials with rights that it has itself. */
export function refuseEscalation({ scopes, projects }: Caller, rights: Rights, { by, one, many }: Managed): void {
  const missing = rights.scopes.find((scope) => !scopes.has(scope))
  if (missing)
    throw new Failure(
      'permission_denied',
      `Your ${by} does not have the scope '${missing}', so it cannot manage ${one} that has it.`,
    )
  if (projects === null) return
  if (rights.project_ids === null || rights.project_ids.some((id) => !projects.includes(uuidOf('proj', id))))
    throw new Failure(
      'permission_denied',
      `Your ${by} is limited to projects, so it can manage only ${many} that are limited to these projects. Set project_ids.`,
    )
}

const RECENT_SECONDS = 15 * 60

/** For changes that give access to others: a token that was left on a screen is not enough (RFC 9470). */
export function requireRecentSignIn({ signed_in_at_ms }: Pick<Caller, 'signed_in_at_ms'>): void {
  if (signed_in_at_ms === null || Date.now() - signed_in_at_ms <= RECENT_SECONDS * 1000) return
  throw new Failure(
    'insufficient_user_authentication',
    'You must have signed in within the last 15 minutes. Sign in again and repeat the request.',
    {
      headers: {
        'www-authenticate': `Bearer error="insufficient_user_authentication", error_description="A more recent sign-in is required", max_age="${RECENT_SECONDS}"`,
      },
    },
  )
}

export const noProject = (): Failure =>
  invalidValue(
    'project_id',
    'reference_not_found',
    'No project with this id exists, or your credentials do not give access to it.',
  )

export function mergeMetadata(
  current: Record<string, string>,
  patch: Record<string, string | null> | undefined,
): Record<string, string> {
  const merged = mergePatch(current, patch ?? {}) as Record<string, string>
  if (Object.keys(merged).length > MAX_METADATA_KEYS) {
    throw invalidValue('metadata', 'too_many_items', `Must have at most ${MAX_METADATA_KEYS} items.`)
  }
  return merged
}
