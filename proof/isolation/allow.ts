// Answers that an attacker may get.

import { api, type Endpoint } from '@octavo/contract'
import { type ProofAnswer, parse } from '../lib/call.ts'
import { type Attacker, isInside } from './party.ts'

interface IsolationBody {
  code?: string
  details?: { code: string; id?: string }[]
  data?: unknown[]
}

const bodyOf = (answer: ProofAnswer): IsolationBody => {
  try {
    return parse<IsolationBody | null>(answer) ?? {}
  } catch {
    return {}
  }
}

export const success = (answer: ProofAnswer): boolean => answer.status === 200
export const refusal = (answer: ProofAnswer): boolean => [401, 403, 404].includes(answer.status)

const REFERENCE = ['reference_not_found', 'immutable']

/** A reference to what one may not see is one to nothing; a member that cannot change is refused as such. */
export function refusedReference(answer: ProofAnswer): boolean {
  const { code, details = [] } = bodyOf(answer)
  const isReference =
    code === 'validation_error' &&
    details.length > 0 &&
    details.every((detail) => REFERENCE.includes(detail.code) && !detail.id)
  return refusal(answer) || (answer.status === 422 && isReference)
}

export const emptyList = (answer: ProofAnswer): boolean =>
  refusal(answer) || (answer.status === 200 && bodyOf(answer).data?.length === 0)

export const cursorOfNobody = (answer: ProofAnswer): boolean =>
  answer.status === 400 && bodyOf(answer).code === 'invalid_cursor'
/** A cursor grants nothing: within the tenant it may open one's own view of the list. */
export const cursorOfTenant = (answer: ProofAnswer): boolean => answer.status === 200 || cursorOfNobody(answer)

/** Several attackers share a tenant: another one has sent the same. The id of a resource of the victim's is a leak by itself. */
export const ownConflict = (answer: ProofAnswer): boolean =>
  answer.status === 409 && bodyOf(answer).details?.some(({ id }) => id !== undefined) === true

/** An effect on what is one's own, or a refusal. A value that is unique in the tenant may be taken by who is not seen there. */
export const ownEffect =
  (endpoint: Endpoint, attacker: Attacker) =>
  (answer: ProofAnswer): boolean =>
    answer.status === endpoint.status ||
    refusedReference(answer) ||
    // The attacker's own user is a member already.
    (endpoint === api.members.create && answer.status === 409) ||
    ownConflict(answer) ||
    (isInside(attacker) && answer.status === 409)

/** The request was executed, with neither the stored answer nor any sign of it. */
export const freshEffect =
  (endpoint: Endpoint, attacker: Attacker) =>
  (answer: ProofAnswer): boolean =>
    ownEffect(endpoint, attacker)(answer) && !answer.headers.has('idempotent-replayed')
