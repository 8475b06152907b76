import { required } from '@octavo/base/required.ts'
import type {
  JobError,
  JobStatus,
  OutcomeModel,
  OutcomeObject,
  OutcomeUsage,
  Prefix,
  RequestOf,
  ResultOf,
} from '@octavo/contract'
import type pg from 'pg'
import type { Reader, Tx } from '../db/database.ts'
import {
  type ChangeFilters,
  type Condition,
  changedAs,
  createdBetween,
  idIn,
  listRows,
  type PageRequest,
  type TimeFilters,
} from '../db/listing.ts'
import { sql } from '../db/statement.ts'
import { columnsOf, expression, insertInto, updateRows } from '../db/tables.ts'
import { actorId } from '../lib/caller.ts'
import { timeOfUuid, toId, uuid, uuidOf } from '../lib/ids.ts'

/** Each kind of outcome and the prefix of its ids. */
export const outcomePrefixes = {
  analysis: 'ana',
  summary: 'sum',
  classification: 'cls',
  embedding: 'emb',
  search: 'srch',
  answer: 'ans',
  report: 'rep',
} as const satisfies Record<OutcomeObject, Prefix>

/** As it is stored. `request` and `result` hold the members that belong to its kind. */
export interface StoredOutcome<K extends OutcomeObject = OutcomeObject> {
  id: string
  object: K
  project_id: string | null
  document_id: string | null
  job_id: string | null
  key_id: string | null
  status: JobStatus
  is_terminal: boolean
  request: RequestOf<K>
  result: ResultOf<K> | null
  fingerprint: string | null
  cache: 'hit' | 'miss' | 'bypass'
  method: string | null
  model: OutcomeModel | null
  usage: OutcomeUsage | null
  warnings: string[]
  error: JobError | null
  metadata: Record<string, string>
  version: number
  created_at: string
  updated_at: string
}
/** How it ended. */
export type OutcomeEnd<K extends OutcomeObject = OutcomeObject> = Pick<
  StoredOutcome<K>,
  'status' | 'result' | 'fingerprint' | 'method' | 'model' | 'usage' | 'warnings' | 'error'
>
export type NewOutcomeRow<K extends OutcomeObject = OutcomeObject> = OutcomeEnd<K> &
  Pick<
    StoredOutcome<K>,
    'id' | 'object' | 'project_id' | 'document_id' | 'job_id' | 'request' | 'cache' | 'metadata'
  > & {
    document_ids: readonly string[]
    kept_days: number | null
  }

const ENDED = `('succeeded', 'partially_succeeded', 'failed', 'cancelled')`
const REST = columnsOf('outcomes', ['result', 'draft', 'expires_at'])
const withResult = (result: string): string => `${REST}, ${result} as result, status in ${ENDED} as is_terminal`
const COLUMNS = withResult('result')
/** In lists what is heavy is left out. */
const LIST_COLUMNS = withResult(`case when object = 'embedding' then result - 'data' else result end`)
const OWN = 'tenant_id = $1 and object = $3 and id = $4 and ($2::uuid[] is null or project_id = any($2))'

const statements = new Map<OutcomeObject, ReturnType<typeof statementsOf>>()
/** The prefix of its id is that of the kind, so each kind has its own. */
function statementsOf(object: OutcomeObject) {
  const prefix = outcomePrefixes[object]
  return {
    find: sql(`select ${COLUMNS} from outcomes where ${OWN}`, prefix),
    lock: sql(`select ${COLUMNS} from outcomes where ${OWN} for no key update`, prefix),
    twin: sql(
      `select ${COLUMNS} from outcomes where tenant_id = $1 and object = $3 and fingerprint = $4 and status = 'succeeded'
      and ($2::uuid[] is null or project_id = any($2)) and project_id is not distinct from $5::uuid order by id desc limit 1`,
      prefix,
    ),
  }
}
function of(object: OutcomeObject): ReturnType<typeof statementsOf> {
  let own = statements.get(object)
  if (!own) statements.set(object, (own = statementsOf(object)))
  return own
}

const ADD_SOURCES = sql(
  `insert into outcome_sources (tenant_id, document_id, object, outcome_id) select $1, document, $3, $4 from unnest($5::uuid[]) as document`,
)
const SOURCES = sql(
  `select document_id from outcome_sources where tenant_id = $1 and object = $3 and outcome_id = $4 order by document_id`,
)
const DELETE = sql(`delete from outcomes where tenant_id = $1 and object = $3 and id = $4`)
const DELETE_OF_DOCUMENT = sql(
  `with gone as (
    delete from outcomes o using outcome_sources s where s.tenant_id = $1 and s.document_id = $3
    and o.tenant_id = $1 and o.object = s.object and o.id = s.outcome_id returning o.job_id
  )
  delete from job_steps j using gone where j.tenant_id = $1 and j.job_id = gone.job_id`,
)
const DRAFT = sql(`update outcomes set draft = $5 where tenant_id = $1 and object = $3 and id = $4`)
const FIND_DRAFT = sql(`select draft from outcomes where tenant_id = $1 and object = $3 and id = $4`)

const idOf = (object: OutcomeObject, id: string): string => uuidOf(outcomePrefixes[object], id)
const uuidOrNull = (id: string | null): string | null => (id === null ? null : uuid(id))
const changing = (object: OutcomeObject, id: string) => ({
  where: OWN,
  values: [object, idOf(object, id)],
  prefix: outcomePrefixes[object],
  returning: COLUMNS,
})

export const findOutcome = <K extends OutcomeObject>(
  db: Reader,
  object: K,
  id: string,
): Promise<StoredOutcome<K> | null> => db.find<StoredOutcome<K>>(of(object).find, [object, idOf(object, id)])
export const lockOutcome = <K extends OutcomeObject>(tx: Tx, object: K, id: string): Promise<StoredOutcome<K> | null> =>
  tx.find<StoredOutcome<K>>(of(object).lock, [object, idOf(object, id)])

/** An earlier result of the same, which is seen by the same people. */
export const findTwin = <K extends OutcomeObject>(
  db: Reader,
  object: K,
  { fingerprint, project_id }: { fingerprint: string; project_id: string | null },
): Promise<StoredOutcome<K> | null> =>
  db.find<StoredOutcome<K>>(of(object).twin, [object, fingerprint, uuidOrNull(project_id)])

function insertion<K extends OutcomeObject>(tx: Tx, row: NewOutcomeRow<K>, tail = '') {
  const { id, object, project_id, document_id, job_id, request, cache, metadata } = row
  const created_at = timeOfUuid(idOf(object, id))
  const values = {
    id,
    object,
    project_id,
    document_id,
    job_id,
    request,
    cache,
    metadata,
    ...endOf(row),
    key_id: expression('$::uuid', actorId(tx.caller, 'api_key')),
    expires_at: expression(`$::timestamptz + $::bigint * interval '1 day'`, created_at, row.kept_days),
    created_at,
    updated_at: created_at,
  }
  return insertInto('outcomes', values, { prefix: outcomePrefixes[object], tail })
}

export async function insertOutcome<K extends OutcomeObject>(tx: Tx, row: NewOutcomeRow<K>): Promise<StoredOutcome<K>> {
  const inserted = await tx.find<StoredOutcome<K>>(...insertion(tx, row, `returning ${COLUMNS}`))
  addSources(tx, row.object, row.id, row.document_ids)
  return required(inserted, 'inserted outcome')
}

/** Without a round trip: the row is sent with the commit. */
export function queueOutcome<K extends OutcomeObject>(tx: Tx, row: NewOutcomeRow<K>): void {
  tx.queue(...insertion(tx, row))
  addSources(tx, row.object, row.id, row.document_ids)
}

/** A finished outcome as it would be stored. */
export function newStoredOutcome<K extends OutcomeObject>(tx: Tx, row: NewOutcomeRow<K>): StoredOutcome<K> {
  const { document_ids: _, kept_days: __, ...fields } = row
  const created_at = timeOfUuid(idOf(row.object, row.id)).toISOString()
  const key_id = actorId(tx.caller, 'api_key')
  return { ...fields, key_id, is_terminal: true, version: 1, created_at, updated_at: created_at }
}

function endOf<K extends OutcomeObject>(end: OutcomeEnd<K>): OutcomeEnd<K> {
  const { status, result, fingerprint, method, model, usage, warnings, error } = end
  return { status, result, fingerprint, method, model, usage, warnings, error }
}

export const endOutcome = <K extends OutcomeObject>(
  tx: Tx,
  object: K,
  id: string,
  ended: OutcomeEnd<K>,
): Promise<StoredOutcome<K> | null> =>
  tx.find<StoredOutcome<K>>(...updateRows('outcomes', { ...endOf(ended), draft: null }, changing(object, id)))
/** Its job has changed its state. */
export const followJob = (
  tx: Tx,
  object: OutcomeObject,
  id: string,
  { status, error }: Pick<StoredOutcome, 'status' | 'error'>,
): Promise<StoredOutcome | null> =>
  tx.find<StoredOutcome>(...updateRows('outcomes', { status, error }, changing(object, id)))
export const describeOutcome = async <K extends OutcomeObject>(
  tx: Tx,
  object: K,
  id: string,
  { metadata, request }: Pick<StoredOutcome<K>, 'metadata' | 'request'>,
): Promise<StoredOutcome<K>> =>
  tx.one<StoredOutcome<K>>(...updateRows('outcomes', { metadata, request }, changing(object, id)))

export function addSources(tx: Tx, object: OutcomeObject, id: string, document_ids: readonly string[]): void {
  if (document_ids.length > 0) tx.queue(ADD_SOURCES, [object, idOf(object, id), document_ids.map(uuid)])
}
export async function listSources(db: Reader, object: OutcomeObject, id: string): Promise<string[]> {
  return (await db.rows<{ document_id: string }>(SOURCES, [object, idOf(object, id)])).map(
    ({ document_id }) => document_id,
  )
}
export const deleteOutcome = (tx: Tx, object: OutcomeObject, id: string): void =>
  tx.queue(DELETE, [object, idOf(object, id)])
export const deleteOfDocument = (tx: Tx, document_id: string): void =>
  tx.queue(DELETE_OF_DOCUMENT, [uuidOf('doc', document_id)])

export const saveDraft = (tx: Tx, object: OutcomeObject, id: string, draft: string): void =>
  tx.queue(DRAFT, [object, idOf(object, id), draft])
export async function findDraft(db: Reader, object: OutcomeObject, id: string): Promise<string | null> {
  return (await db.find<{ draft: string | null }>(FIND_DRAFT, [object, idOf(object, id)]))?.draft ?? null
}

export interface OutcomeFilters extends TimeFilters, ChangeFilters {
  status?: string
  project_id?: string
  /** That it has read. */
  document_id?: string
}

export function listOutcomes<K extends OutcomeObject>(
  db: Reader,
  object: K,
  filters: OutcomeFilters,
  page: PageRequest,
): Promise<StoredOutcome<K>[]> {
  const ofSources = idIn('s.document_id', 'doc', filters.document_id).map(
    ([text, value]): Condition => [
      `id in (select s.outcome_id from outcome_sources s where s.tenant_id = outcomes.tenant_id and s.object = outcomes.object and ${text})`,
      value,
    ],
  )
  const conditions: Condition[] = [
    ['object = $', object],
    ...createdBetween(filters),
    ...changedAs(filters),
    ...(filters.status === undefined ? [] : [['status = any($)', filters.status] as const]),
    ...idIn('project_id', 'proj', filters.project_id),
    ...ofSources,
  ]
  return listRows<StoredOutcome<K>>(
    db,
    { table: 'outcomes', columns: LIST_COLUMNS, prefix: outcomePrefixes[object], key: 'id', project: 'project_id' },
    conditions,
    page,
  )
}

/** Across all tenants, for the system. `tenant` is a uuid. */
export async function listExpired(
  system: pg.Pool,
  limit: number,
): Promise<{ tenant: string; object: OutcomeObject; id: string }[]> {
  const { rows } = await system.query<{ tenant_id: string; object: OutcomeObject; id: string }>(
    `select tenant_id, object, id from outcomes where expires_at < now() order by expires_at limit $1`,
    [limit],
  )
  return rows.map((row) => ({
    tenant: row.tenant_id,
    object: row.object,
    id: toId(outcomePrefixes[row.object], row.id),
  }))
}
