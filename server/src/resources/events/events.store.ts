import { type Event, type ObjectName, objectPrefixes, type Prefix } from '@octavo/contract'
import type { Reader } from '../../db/database.ts'
import { type Condition, idIn, listRows, type PageRequest, type TimeFilters } from '../../db/listing.ts'
import { sql } from '../../db/statement.ts'
import { toId, uuid, uuidOf } from '../../lib/ids.ts'
import { instantOf } from '../../lib/time.ts'

const COLUMNS = `id, 'event' as object, type, subject_object, subject_id::text, actor_type, actor_id::text, request_id, project_id, position, seq, data,
  '{}'::jsonb as metadata, created_at, created_at as updated_at, 1 as version`

const FIND = sql(
  `select ${COLUMNS} from events where tenant_id = $1 and id = $3 and position is not null and ($2::uuid[] is null or project_id = any($2))`,
  'evt',
)

export interface EventFilters extends TimeFilters {
  type?: string
  project_id?: string
}

type StoredEvent = Omit<Event, 'subject' | 'actor'> & {
  subject_object: ObjectName
  subject_id: string
  actor_type: Event['actor']['type']
  actor_id: string | null
}
export type EventRow = Event & { version: number }

const actorPrefixes: Readonly<Record<string, Prefix | undefined>> = { api_key: 'key', user: 'usr', client: 'cli' }

function toActor(type: Event['actor']['type'], id: string | null): Event['actor'] {
  const prefix = actorPrefixes[type]
  return { type, id: prefix === undefined || id === null ? null : toId(prefix, id) }
}

function toEvent({ subject_object, subject_id, actor_type, actor_id, ...event }: StoredEvent): EventRow {
  return {
    ...event,
    subject: { object: subject_object, id: toId(objectPrefixes[subject_object], subject_id) },
    actor: toActor(actor_type, actor_id),
  } as EventRow
}

export async function findEvent(db: Reader, id: string): Promise<EventRow | null> {
  const row = await db.find<StoredEvent>(FIND, [uuidOf('evt', id)])
  return row && toEvent(row)
}

/** Events of one job, in order. They are not older than the job, so few partitions are scanned. */
export async function listEventsOf(
  db: Reader,
  subject: { id: string; created_at: string },
  page: PageRequest,
): Promise<EventRow[]> {
  const conditions: Condition[] = [
    ['subject_id = $', uuid(subject.id)],
    ['seq is not null'],
    ['position is not null'],
    ['created_at >= $', new Date(subject.created_at)],
  ]
  const source = {
    table: 'events',
    columns: COLUMNS,
    prefix: 'evt',
    key: 'seq',
    visible: 'project_id = any($2)',
  } as const
  return (await listRows<StoredEvent>(db, source, conditions, page)).map(toEvent)
}

export async function listEvents(db: Reader, filters: EventFilters, page: PageRequest): Promise<EventRow[]> {
  // Only what has its position: a reader that follows must never be overtaken.
  const conditions: Condition[] = [['position is not null'], ...idIn('project_id', 'proj', filters.project_id)]
  if (filters.type !== undefined) conditions.push(['type = any($)', filters.type])
  if (filters.created_after !== undefined) conditions.push(['created_at >= $', instantOf(filters.created_after)])
  if (filters.created_before !== undefined) conditions.push(['created_at < $', instantOf(filters.created_before)])
  const rows = await listRows<StoredEvent>(
    db,
    { table: 'events', columns: COLUMNS, prefix: 'evt', key: 'position', project: 'project_id' },
    conditions,
    page,
  )
  return rows.map(toEvent)
}
