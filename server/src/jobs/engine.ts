// The job engine interface: it delivers jobs to workers at least once, and again when a worker is lost. Everything else
// (admission, attempts, deadlines, steps, cancellation) is in Octavo's tables, so that engines can be exchanged.

import type { JobTypeName } from '@octavo/contract'
import type { Tx } from '../db/database.ts'

/** One admission of a job. The row knows the delivery that counts; others find nothing to do. */
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
  /** The kinds of deliveries that this process understands. */
  kinds: readonly Pick<Delivery, 'type' | 'version'>[]
  /** How many more of this kind it can take now. */
  free(type: JobTypeName): number
  take(deliveries: Delivery[]): void
}

export interface Subscription {
  /** Something may be there, of this type or of any. */
  wake(type?: JobTypeName): void
  /** No new deliveries come once it has settled; those that are held are kept alive until they are dropped. */
  pause(): Promise<void>
  /** The delivery is no longer worked on here. */
  drop(id: string): void
  stop(): Promise<void>
}

export type DeliveryState = 'waiting' | 'active' | 'silent' | 'unknown'

export interface Engine {
  /** In the caller's transaction; the same delivery twice is one. */
  start(tx: Tx, deliveries: readonly Delivery[]): Promise<void>
  /** In the caller's transaction: the deliveries are worked off, or not wanted any more. */
  forget(tx: Tx, deliveries: readonly Delivery[]): Promise<void>
  subscribe(work: Subscriber): Promise<Subscription>
  /** The engine's state of each delivery, for the reconciler. */
  readStates(ids: readonly string[]): Promise<Map<string, DeliveryState>>
  /** Removes all deliveries of a tenant (uuid) that is being deleted, and returns their number. */
  forgetTenant(tenant: string): Promise<number>
  close(): Promise<void>
}
