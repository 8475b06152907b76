import type pg from 'pg'
import type { Step } from '../db/batch.ts'
import type { Reader, Tx } from '../db/database.ts'
import { sql } from '../db/statement.ts'

export interface Space {
  /** uuid. */
  id: string
  model: string
  model_version: string
  dimensions: number
  status: 'filling' | 'active' | 'retired'
  graph: 'none' | 'filling' | 'shared' | 'own'
}

const COLUMNS = 'id, model, model_version, dimensions, status, graph'
const LIST = sql(
  `select ${COLUMNS} from embedding_spaces where tenant_id = $1 and status in ('active', 'filling') order by id`,
)
const FIND = sql(`select ${COLUMNS} from embedding_spaces where tenant_id = $1 and id = $3`)
const FIND_ACTIVE = sql(`select ${COLUMNS} from embedding_spaces where tenant_id = $1 and status = 'active'`)
export const ACTIVE: Step = { statement: FIND_ACTIVE, values: [] }
/** A change of the spaces waits until current writers of vectors have committed; later writers see the change. */
const SHARE = sql(
  `select ${COLUMNS} from embedding_spaces where tenant_id = $1 and status in ('active', 'filling') order by id for share`,
)
const LOCK = sql(`select ${COLUMNS} from embedding_spaces where tenant_id = $1 order by id for update`)
const INSERT = sql(
  `insert into embedding_spaces (tenant_id, id, model, model_version, dimensions, chunker, status, created_at, activated_at)
  values ($1, $3, $4, $5, $6, $7, $8, now(), case when $8 = 'active' then now() end) on conflict do nothing returning ${COLUMNS}`,
)
const ACTIVATE = sql(
  `update embedding_spaces set status = 'active', activated_at = now() where tenant_id = $1 and id = $3`,
)
const RETIRE = sql(`update embedding_spaces set status = 'retired' where tenant_id = $1 and status = $3`)
const SET_GRAPH = sql(`update embedding_spaces set graph = $4 where tenant_id = $1 and id = $3`)
const DELETE = sql(`delete from embedding_spaces where tenant_id = $1 and id = $3 and status = 'retired'`)

export const listWritten = (db: Reader): Promise<Space[]> => db.rows<Space>(LIST)
export const findSpace = (db: Reader, id: string): Promise<Space | null> => db.find<Space>(FIND, [id])
export const findActive = (db: Reader): Promise<Space | null> => db.find<Space>(FIND_ACTIVE)
export const shareWritten = (tx: Tx): Promise<Space[]> => tx.rows<Space>(SHARE)
export const lockSpaces = (tx: Tx): Promise<Space[]> => tx.rows<Space>(LOCK)

export type NewSpace = Pick<Space, 'id' | 'model' | 'model_version' | 'dimensions' | 'status'> & { chunker: string }
/** Null where there is one of this status. */
export const insertSpace = (
  tx: Tx,
  { id, model, model_version, dimensions, chunker, status }: NewSpace,
): Promise<Space | null> => tx.find<Space>(INSERT, [id, model, model_version, dimensions, chunker, status])
export const activateSpace = (tx: Tx, id: string): void => tx.queue(ACTIVATE, [id])
export const retireSpaces = (tx: Tx, status: Space['status']): void => tx.queue(RETIRE, [status])
export const updateGraph = (tx: Tx, id: string, graph: Space['graph']): void => tx.queue(SET_GRAPH, [id, graph])
export const deleteSpace = (tx: Tx, id: string): void => tx.queue(DELETE, [id])

/** Small tenants cost what they have, large ones no more than the bound. */
const DUE = `select * from (
    select s.tenant_id, s.id, s.model, s.status,
      exists (select from embedding_gaps g where g.tenant_id = s.tenant_id and g.space_id = s.id) as has_gap,
      s.status <> 'active' or s.graph = 'filling' or s.graph = 'none' and s.dimensions = 384 and (
        select count(*) from (select from chunk_vectors v where v.tenant_id = s.tenant_id and v.space_id = s.id limit $1 + 1) as some_rows) > $1
        as is_due
    from embedding_spaces s) as s
  where has_gap or is_due limit $2`

export type LargeSpace = Pick<Space, 'id' | 'model' | 'status'> & { tenant: string }
/** `is_due`: also without a gap. */
export type DueSpace = LargeSpace & { is_due: boolean }
/** Spaces of all tenants that are to be worked on, for the system. */
export async function listDue(system: pg.Pool, exact_max: number, limit: number): Promise<DueSpace[]> {
  const { rows } = await system.query<DueSpace & { tenant_id: string }>(DUE, [exact_max, limit])
  return rows.map(({ tenant_id, id, model, status, is_due }) => ({ tenant: tenant_id, id, model, status, is_due }))
}

const LARGE = `select s.tenant_id, s.id, s.model, s.status from embedding_spaces s where s.status = 'active' and s.graph <> 'own' and (
    select count(*) from (select from chunk_vectors v where v.tenant_id = s.tenant_id and v.space_id = s.id limit $1) as some_rows) >= $1`
/** Spaces of all tenants with at least `from` vectors and without a separate index. */
export async function listLarge(system: pg.Pool, from: number): Promise<LargeSpace[]> {
  const { rows } = await system.query<LargeSpace & { tenant_id: string }>(LARGE, [from])
  return rows.map(({ tenant_id, id, model, status }) => ({ tenant: tenant_id, id, model, status }))
}
export async function listIds(system: pg.Pool): Promise<string[]> {
  return (await system.query<{ id: string }>('select id from embedding_spaces')).rows.map(({ id }) => id)
}

const FIND_JOB = sql(
  `select id from jobs where tenant_id = $1 and type = 'reindex' and status in ('queued', 'running') and place is not null and payload->>'space_id' = $3 limit 1`,
  'job',
)
export const hasJob = async (tx: Tx, space_id: string): Promise<boolean> =>
  (await tx.find(FIND_JOB, [space_id])) !== null
