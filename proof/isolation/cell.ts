// One cell of the matrix, and what its makers share.

import type { Endpoint } from '@octavo/contract'
import { type Belongings, type Operation, refsOf } from '../lib/belongings.ts'
import type { Answer, Caller, Request } from '../lib/call.ts'
import type { Filling } from '../lib/shapes.ts'
import type { Attacker, Stage } from './parties.ts'

export type Kind = 'path' | 'body' | 'search' | 'form' | 'filter' | 'list' | 'cursor' | 'key' | 'link' | 'credential'

export interface Cell {
  operation: string
  endpoint: Endpoint
  kind: Kind
  what: string
  actor: string
  caller: Caller
  request: Request
  /** The same with ids that nobody has: the answer must be the same. */
  absent: Request | null
  allows(answer: Answer): boolean
}

export interface Scene {
  operation: Operation
  attacker: Attacker
  victims: Belongings
  nth: number
  spare: Belongings['keyed']
  cursor: string | null
  /** The victim's, as a uuid. */
  tenant: string
  signedPath: Stage['signedPath']
}

let count = 0
export const nextCount = (): number => ++count
/** Words of its own for each request, since some must be unique in a tenant. */
export const fillingOf = (attacker: Attacker): Filling => ({
  mark: `${attacker.mark}n${nextCount()}`,
  refs: refsOf(attacker.own.ids),
})
export const cell = (
  scene: Scene,
  kind: Kind,
  what: string,
  rest: Pick<Cell, 'request' | 'absent' | 'allows'>,
): Cell => ({
  operation: scene.operation.name,
  endpoint: scene.operation.endpoint,
  kind,
  what: `${what} (${scene.nth === 0 ? 'in a project' : 'in none'})`,
  actor: scene.attacker.name,
  caller: scene.attacker.caller,
  ...rest,
})
