// The outbox. An event is written in the transaction of its change, so it exists exactly when the change does.

import { type EventType, type ObjectName, objectPrefixes } from '@octavo/contract'
import type { Tx } from '../db/database.ts'
import { sql } from '../db/statement.ts'
import { newUuid, timeOfUuid, uuid } from '../lib/ids.ts'

const INSERT =
  sql(`insert into events (tenant_id, id, project_id, type, subject_object, subject_id, actor_type, actor_id, request_id, data, created_at, seq)
  values ($1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`)

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
  tx.queue(INSERT, [
    id,
    project_id === null ? null : uuid(project_id),
    type,
    subject.object satisfies string as ObjectName,
    uuid(subject.id),
    actor.type,
    actor.id,
    request,
    data,
    timeOfUuid(id),
    subject.seq ?? null,
  ])
}
