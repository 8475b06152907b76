// The database by itself, as the role of requests: statements without conditions, in every table, and the functions
// that search.

import pg from 'pg'
import { toId, uuid } from '../../server/src/lib/ids.ts'
import { findForeignAccess, isOwn, listTenantTables, type TableCaller } from '../../server/src/testing/foreign-rows.ts'
import type { World } from '../lib/world.ts'
import type { Leak } from './judge.ts'
import type { Attacker, IsolationStage } from './party.ts'

export async function probeTables(
  world: World,
  stage: IsolationStage,
  admin: pg.Client,
  hasRowSecurity: boolean,
): Promise<Leak[]> {
  const client = new pg.Client({ connectionString: world.database.app_url })
  await client.connect()
  const findings: string[] = []
  try {
    for (const attacker of stage.attackers) {
      const caller = tableCaller(stage, attacker)
      findings.push(...(await probeSearch(client, admin, caller)))
      if (!hasRowSecurity) continue
      findings.push(...(await probeEach(client, admin, caller)))
      // The graph leaves projects to row security; the store checks them when it reads the chunks that it found.
      findings.push(...(await probeGraph(client, admin, caller)))
    }
  } finally {
    await client.end()
  }
  return findings.map((what) => ({ operation: '', what }))
}

function tableCaller({ victim }: IsolationStage, { tenant, project_id }: Attacker): TableCaller {
  const foreign_project = uuid(victim.sets[0]?.ids.project_id ?? '')
  const projects = project_id === null ? null : [uuid(project_id)]
  // The neighbor shares the tenant, so only projects are foreign.
  return {
    tenant,
    projects,
    foreign_tenant: tenant === victim.tenant ? crypto.randomUUID() : victim.tenant,
    foreign_project,
  }
}

async function probeEach(client: pg.Client, admin: pg.Client, caller: TableCaller): Promise<string[]> {
  const findings: string[] = []
  for (const table of await listTenantTables(admin)) {
    const { rows } = await admin.query<{ count: number }>(
      `select count(*)::int as count from ${table.name} where ${isOwn(table, caller)}`,
    )
    findings.push(...(await findForeignAccess(client, table, caller, rows[0]?.count ?? 0)))
  }
  return findings
}

/** Rows that are there only for a moment; a test of the policies covers them. */
const PASSING = new Set(['budget_reservations', 'embedding_gaps', 'key_ends'])
/** Rows of the sign-in pages, which no operation of the API reads. The same test covers them. */
const SIGN_IN = new Set(['sessions', 'passkeys', 'identities', 'oauth_artifacts'])

/** A table without a row of the victim's would show no leak. */
export async function findEmptyTables({ victim }: IsolationStage, admin: pg.Client): Promise<string[]> {
  const empty: string[] = []
  for (const { name, tenant } of await listTenantTables(admin)) {
    const { rowCount } = await admin.query(`select from ${name} where ${tenant} = $1 limit 1`, [victim.tenant])
    if (rowCount === 0 && !PASSING.has(name) && !SIGN_IN.has(name)) empty.push(`the victim has no row in ${name}`)
  }
  return empty
}

/** Searches for every term that others have, and counts the chunks of others among the results. */
async function probeSearch(client: pg.Client, admin: pg.Client, caller: TableCaller): Promise<string[]> {
  const chunks = { name: 'chunks', tenant: 'tenant_id', project: 'project_id' } as const
  const { rows } = await admin.query<{ ids: string[]; terms: string[] }>(
    `select array_agg(distinct id::text) as ids, array_agg(distinct term::text) as terms from (
      select c.id, unnest(c.terms) as term from chunks c where not (${isOwn(chunks, caller)})) as t`,
  )
  const foreign = new Set(rows[0]?.ids)
  const found = await queryAs<{ chunk_id: string }>(
    client,
    caller,
    'select chunk_id from search_chunks($1::bigint[], 100, 10, null, null, null, null, null, 1000)',
    [rows[0]?.terms ?? []],
  )
  const seen = found.filter(({ chunk_id }) => foreign.has(chunk_id))
  return seen.map(({ chunk_id }) => `search_chunks finds '${toId('chk', chunk_id)}' of others`)
}

/** Searches every vector space with one of its vectors, and counts the chunks of others among the results. */
async function probeGraph(client: pg.Client, admin: pg.Client, caller: TableCaller): Promise<string[]> {
  const vectors = { name: 'chunk_vectors', tenant: 'tenant_id', project: 'project_id' } as const
  const { rows } = await admin.query<{ space_id: string; vector: string; ids: string[] }>(
    `select space_id, min(vector::text) as vector, array_agg(chunk_id::text) as ids from chunk_vectors
      where not (${isOwn(vectors, caller)}) group by space_id`,
  )
  const findings: string[] = []
  for (const { space_id, vector, ids } of rows) {
    const found = await queryAs<{ chunk_id: string }>(
      client,
      caller,
      'select chunk_id from search_graph($1, $2::halfvec, true, null, null, null, null, 1000)',
      [space_id, vector],
    )
    const seen = found.filter(({ chunk_id }) => ids.includes(chunk_id))
    findings.push(...seen.map(({ chunk_id }) => `search_graph finds '${toId('chk', chunk_id)}' of others`))
  }
  return findings
}

/** In a transaction with the caller's tenant and projects, which is rolled back. */
async function queryAs<Row extends pg.QueryResultRow>(
  client: pg.Client,
  caller: TableCaller,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  await client.query('begin')
  await client.query(`select set_config('app.tenant', $1, true), set_config('app.projects', $2, true)`, [
    caller.tenant,
    caller.projects === null ? '*' : `{${caller.projects.join()}}`,
  ])
  const { rows } = await client.query<Row>(text, [...values])
  await client.query('rollback')
  return rows
}
