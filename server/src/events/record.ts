// The outbox. An event is written in the transaction of its change, so it exists exactly when the change does.

import { type EventType, objectPrefixes } from '@octavo/contract'
import type { Tx } from '../db/database.ts'
import { expression, insertInto } from '../db/tables.ts'
import { newUuid, timeOfUuid } from '../lib/ids.ts'

/** The row that an event is about. */
export interface Subject {
  id: string
  object: string
  project_id?: string | null
  document_id?: string | null
  status?: string
  /** Jobs only: the number of this event within the job, and the job's progress. */
  seq?: number
  progress?: object | null
}

/** Takes a Tx, not a Db: an event outside the transaction could report a change that was rolled back. */
export function record(
  tx: Tx,
  type: EventType,
  subject: Subject,
  project_id: string | null = subject.project_id ?? null,
): void {
  if (!(subject.object in objectPrefixes)) throw new Error(`'${subject.object}' is not an object that events are about`)
  const { actor, request } = tx.caller
  const id = newUuid()
  const data = {
    id: subject.id,
    object: subject.object,
    ...(subject.status === undefined ? {} : { status: subject.status }),
    ...(subject.document_id ? { document_id: subject.document_id } : {}),
    ...(subject.progress ? { progress: subject.progress } : {}),
  }
  tx.recorded.push(type)
  tx.queue(
    ...insertInto('events', {
      id,
      project_id,
      type,
      subject_object: subject.object,
      subject_id: subject.id,
      actor_type: actor.type,
      actor_id: actor.id,
      request_id: expression('$::uuid', request),
      data,
      created_at: timeOfUuid(id),
      seq: subject.seq ?? null,
    }),
  )
}
