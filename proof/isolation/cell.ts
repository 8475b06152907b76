// One cell of the matrix, and what its makers share.

import type { Endpoint } from '@octavo/contract'
import { type Belongings, type BelongingsOperation, refsOf } from '../lib/belongings.ts'
import type { ProofAnswer, ProofCaller, ProofRequest } from '../lib/call.ts'
import type { ShapesFillOptions } from '../lib/shapes.ts'
import type { Attacker, IsolationStage } from './party.ts'

export type IsolationKind =
  | 'path'
  | 'body'
  | 'search'
  | 'form'
  | 'filter'
  | 'list'
  | 'cursor'
  | 'key'
  | 'link'
  | 'credential'
  | 'stream'
  | 'bytes'
  | 'made'

/** Cells of one kind, the tables themselves, the tokens of users, or figures that others must not affect. */
export type IsolationPart = IsolationKind | 'tables' | 'access' | 'figures'

export interface IsolationCell {
  operation: string
  endpoint: Endpoint
  kind: IsolationKind
  what: string
  actor: string
  caller: ProofCaller
  request: ProofRequest
  /** The same request with ids that do not exist: the answer must be the same. */
  absent: ProofRequest | null
  allows(answer: ProofAnswer): boolean
  /** The attacker's next request, such as for the bytes of a report that was made. Its text is judged too. */
  follow?(answer: ProofAnswer): ProofRequest | null
  /** The attacker, where the request is another caller's. */
  reader?: ProofCaller
}

export interface IsolationScene {
  operation: BelongingsOperation
  attacker: Attacker
  victims: Belongings
  nth: number
  spare: Belongings['keyed']
  cursor: string | null
  /** The victim's, as a uuid. */
  tenant: string
  signedPath: IsolationStage['signedPath']
  /** The stored picture of a page of the victim's. */
  image_id: string
}

let count = 0
export const nextCount = (): number => ++count
/** Unique words for each request, because some values must be unique in a tenant. */
export const fillingOf = (attacker: Attacker): ShapesFillOptions => ({
  mark: `${attacker.mark}n${nextCount()}`,
  refs: refsOf(attacker.own.ids),
})
/** A scope that the operation needs is missing, or one that its body may need. */
const isBeyond = ({ scope, also_needs }: Endpoint, { scopes }: Attacker): boolean =>
  [...(scope === null ? [] : [scope]), ...also_needs].some((name) => !scopes.has(name))
const mayBeBeyond = ({ may_need }: Endpoint, { scopes }: Attacker): boolean =>
  may_need.some((name) => !scopes.has(name))

/** Links work without a credential, so scopes do not matter. */
function allowsWithin(
  { operation: { endpoint }, attacker }: IsolationScene,
  kind: IsolationKind,
  allows: IsolationCell['allows'],
): IsolationCell['allows'] {
  if (kind === 'link') return allows
  if (isBeyond(endpoint, attacker)) return ({ status }) => status === 403
  return mayBeBeyond(endpoint, attacker) ? (answer) => answer.status === 403 || allows(answer) : allows
}

export const cell = (
  scene: IsolationScene,
  kind: IsolationKind,
  what: string,
  rest: Pick<IsolationCell, 'request' | 'absent' | 'allows'>,
): IsolationCell => ({
  operation: scene.operation.name,
  endpoint: scene.operation.endpoint,
  kind,
  what: `${what} (${scene.nth === 0 ? 'in a project' : 'in none'})`,
  actor: scene.attacker.name,
  caller: scene.attacker.caller,
  ...rest,
  allows: allowsWithin(scene, kind, rest.allows),
})
