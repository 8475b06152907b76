// The caller and its access rights. Ids are UUIDs here, as row-level security needs them.

import type { Scope, TierName } from '@octavo/contract'
import type { QuotaState } from './gcra.ts'

export interface Actor {
  type: 'api_key' | 'user' | 'client' | 'system'
  id: string | null
}

/** The identity behind a credential, the same for all its requests. */
export interface Principal {
  readonly tenant: string
  /** The projects that the caller sees; null: the whole tenant. */
  readonly projects: readonly string[] | null
  readonly scopes: ReadonlySet<Scope>
  readonly actor: Actor
  readonly tier: TierName
  /** When the credential expires; infinite: never. */
  readonly expires_at_ms: number
  /** When the user behind it signed in; null: no user. */
  readonly signed_in_at_ms: number | null
}

/** How long work for a caller makes sense: until the deadline, and while someone waits for it. */
export interface Deadline {
  readonly deadline_ms: number
  is_gone: boolean
}

export interface Caller extends Principal {
  /** The request that this is about; null outside requests. */
  readonly request: string | null
  readonly deadline: Deadline
  /** Called when a handler charges a further quota. */
  readonly onQuotaCharged: ((quotaState: QuotaState) => void) | null
}

export const NO_DEADLINE: Deadline = { deadline_ms: Number.POSITIVE_INFINITY, is_gone: false }

/** The id of the actor if it is of this type. */
export const actorId = ({ actor }: Pick<Principal, 'actor'>, type: Actor['type']): string | null =>
  actor.type === type ? actor.id : null

/** The operator, acting inside one tenant. */
export function operator(tenant: string, scopes: Iterable<Scope>): Caller {
  return {
    tenant,
    projects: null,
    scopes: new Set(scopes),
    actor: { type: 'system', id: null },
    tier: 'self_hosted',
    expires_at_ms: Number.POSITIVE_INFINITY,
    signed_in_at_ms: null,
    request: null,
    deadline: NO_DEADLINE,
    onQuotaCharged: null,
  }
}
