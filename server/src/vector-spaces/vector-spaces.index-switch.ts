// A separate index for a tenant that is too large for the shared graph. Only the owner of the tables can create it, so
// the operator starts the switch.

import pg from 'pg'
import type { Needs } from '../app.ts'
import { operator } from '../lib/caller.ts'
import { Failure } from '../lib/failure.ts'
import * as spaces from './vector-spaces.store.ts'
import * as store from './vector-spaces.vectors.store.ts'

/** From here on a search through the shared graph meets too many rows of others, and theirs too many of this one. */
const SWITCH_FROM = 1_000_000
const UNFLAGGED_AT_ONCE = 1_000
/** With pgvector's defaults, recall falls with the size: 0.89 of the nearest 200 among 200,000 vectors, 0.98 with these. */
const DENSITY = 'm = 24, ef_construction = 128'

const indexName = (space_id: string): string => `chunk_vectors_own_${space_id.replaceAll('-', '')}`

/** Tenants that should have a separate index. Ids are uuids. */
export const listLarge = (app: Needs<'system'>, from = SWITCH_FROM): Promise<spaces.LargeSpace[]> =>
  spaces.listLarge(app.system, from)

/**
 * May take an hour, without blocking writers. Also drops indexes of spaces that are gone. `memory`: the server's
 * `maintenance_work_mem` for the build, such as `4GB`; without it, its setting.
 */
export async function switchIndex(
  app: Needs<'db' | 'config' | 'system'>,
  tenant: string,
  say: (line: string) => void,
  memory?: string,
): Promise<void> {
  const caller = operator(tenant, [])
  const space = await spaces.findActive(app.db.for(caller))
  if (!space)
    throw new Failure(
      'invalid_state',
      'The tenant has no vectors yet. Add a document, wait until it is ready, then repeat the command.',
    )
  const owner = new pg.Client({ connectionString: app.config.database_owner_url })
  await owner.connect()
  // PostgreSQL warns when the graph no longer fits into this memory: the rest of it then takes many times as long.
  owner.on('notice', ({ message = '' }) => say(message))
  try {
    if (memory !== undefined) await owner.query(`select set_config('maintenance_work_mem', $1, false)`, [memory])
    await dropOrphanIndexes(app, owner, say)
    await createIndex(owner, space)
    say(`index ${indexName(space.id)}`)
  } finally {
    await owner.end()
  }
  await app.db.transaction(caller, async (tx) => {
    await spaces.lockSpaces(tx)
    spaces.updateGraph(tx, space.id, 'own')
  })
  // Others need not walk over them any more.
  for (let count = UNFLAGGED_AT_ONCE; count === UNFLAGGED_AT_ONCE; )
    count = await app.db.transaction(caller, (tx) => store.unflagVectors(tx, space.id, UNFLAGGED_AT_ONCE))
}

/** One that failed half-way is there and of no use. */
async function createIndex(owner: pg.Client, { id, dimensions }: spaces.Space): Promise<void> {
  const name = indexName(id)
  const { rows } = await owner.query<{ is_valid: boolean }>(
    'select indisvalid as is_valid from pg_index where indexrelid = to_regclass($1)',
    [name],
  )
  if (rows[0]?.is_valid) return
  if (rows[0]) await owner.query(`drop index concurrently ${name}`)
  await owner.query(
    `create index concurrently ${name} on chunk_vectors using hnsw ((vector::halfvec(${dimensions})) halfvec_ip_ops)
    with (${DENSITY}) where space_id = ${pg.escapeLiteral(id)}`,
  )
}

/** After an import: spaces with a separate index had one in another database. */
export async function createOwnIndexes(
  app: Needs<'db'>,
  owner: pg.Client,
  tenant: string,
  say: (line: string) => unknown,
): Promise<void> {
  for (const space of await spaces.listWritten(app.db.for(operator(tenant, [])))) {
    if (space.graph !== 'own') continue
    await createIndex(owner, space)
    say(`index ${indexName(space.id)}`)
  }
}

/** Drops indexes of spaces that are gone and returns their number. */
export async function dropOrphanIndexes(
  app: Needs<'system'>,
  owner: pg.Client,
  say: (line: string) => unknown,
): Promise<number> {
  const known = new Set(await spaces.listIds(app.system))
  const { rows } = await owner.query<{ name: string }>(
    `select indexname as name from pg_indexes where schemaname = 'public' and indexname like 'chunk\\_vectors\\_own\\_%'`,
  )
  let count = 0
  for (const { name } of rows) {
    const space_id = name.slice(-32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    if (known.has(space_id)) continue
    await owner.query(`drop index concurrently ${name}`)
    say(`dropped ${name}`)
    count++
  }
  return count
}
