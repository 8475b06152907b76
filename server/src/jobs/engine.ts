// What an engine must do for us: bring tickets to workers, at least once, and again when a worker is lost. Everything
// else (admission, attempts, deadlines, steps, cancelling) lives in our rows, so that engines can be exchanged.

import type { JobTypeName } from '@octavo/contract'
import type { Tx } from '../db/database.ts'

/** One admission of a job. The row knows the ticket that counts; others find nothing to do. */
export interface Delivery {
  /** uuid, new for each admission. */
  id: string
  /** uuids. */
  tenant: string
  job: string
  type: JobTypeName
  version: number
}

export interface Subscriber {
  /** The kinds of tickets that this process understands. */
  kinds: readonly Pick<Delivery, 'type' | 'version'>[]
  /** How many more of this kind it can take now. */
  free(type: JobTypeName): number
  take(deliveries: Delivery[]): void
}

export interface Subscription {
  /** Something may be there, of this type or of any. */
  wake(type?: JobTypeName): void
  /** No new tickets come once it has settled; those that are held are kept alive until they are dropped. */
  pause(): Promise<void>
  /** The ticket is no longer worked on here. */
  drop(id: string): void
  stop(): Promise<void>
}

export type DeliveryState = 'waiting' | 'active' | 'silent' | 'unknown'

export interface Engine {
  /** In the caller's transaction; the same ticket twice is one. */
  start(tx: Tx, deliveries: readonly Delivery[]): Promise<void>
  /** In the caller's transaction: the tickets are worked off, or not wanted any more. */
  forget(tx: Tx, deliveries: readonly Delivery[]): Promise<void>
  subscribe(work: Subscriber): Promise<Subscription>
  /** What the engine knows of tickets, for the reconciler. */
  readStates(ids: readonly string[]): Promise<Map<string, DeliveryState>>
  close(): Promise<void>
}
