// One planted fault, and where it is planted.

import type { Plant } from '../lib/proof.ts'
import type { IsolationPart } from './cell.ts'

export interface IsolationFault {
  what: string
  plants: readonly Plant[]
  /** SQL for the owner of the tables; the server has started by then. */
  statements?: readonly string[]
  has_row_security?: boolean
  caught_by?: IsolationPart
  /** The resource that the fault affects: only cells of its operations run. All resources if it is left out. */
  resource?: string
}
