// Recall of the approximate index for a large tenant whose graph also holds other tenants' vectors at similar
// distances. The vectors are interpolated between two real ones, like those of texts about two topics.

import type pg from 'pg'
import { openApp } from '../../server/src/app.ts'
import { readConfig } from '../../server/src/config/config.ts'
import type { Db } from '../../server/src/db/database.ts'
import { operator } from '../../server/src/lib/caller.ts'
import { newUuid } from '../../server/src/lib/ids.ts'
import { rankBySimilarity } from '../../server/src/resources/searches/searches.similarity.store.ts'
import { ACTIVE_SPACE } from '../../server/src/vector-spaces/vector-spaces.service.ts'
import { asAdmin } from '../lib/admin.ts'
import { median, type ProofOutcome, round } from '../lib/proof.ts'
import { owned } from '../lib/scope.ts'
import type { OutcomeRatioScene } from './scene.ts'
import { embed } from './search.ts'

const GOAL = 0.95
/** Vectors of the tenant, and of other tenants in the same graph. The tenant is too large for an exact comparison. */
const SIZES = { short: 10_000, normal: 100_000, long: 100_000 }
const OTHER_TENANTS = 10
const QUESTIONS = { short: 50, normal: 200, long: 200 }
/** Number of results that the server returns, and that it retrieves. */
const DEPTHS = [10, 200]
const DEEPEST = 200
/** Weight of the second vector. */
const SECOND = 0.7

const BASES = `create temporary table bases as select row_number() over () - 1 as n, vector from (
  select vector from chunk_vectors where tenant_id = $1 order by chunk_id) as v`
/** Each row draws its two vectors at random, from all tenants. */
const VECTORS = `insert into chunk_vectors (tenant_id, chunk_id, space_id, document_id, vector, in_graph)
  select tenant, gen_random_uuid(), tenant, case when tenant = $1 then md5('large' || i / 100)::uuid else gen_random_uuid() end,
    l2_normalize(a.vector + b.vector * array_fill(${SECOND}::real, array[384])::halfvec), true
  from (select i, case when i < $2 then $1::uuid else md5('beside' || i % ${OTHER_TENANTS})::uuid end as tenant,
      floor(random() * total)::int as first, floor(random() * total)::int as second
    from generate_series(0, 2 * $2::int - 1) as i cross join (select count(*) as total from bases) as t order by md5(i::text)) as r
  join bases a on a.n = r.first join bases b on b.n = r.second`

export async function measureRecall(scene: OutcomeRatioScene): Promise<ProofOutcome> {
  const { run, world } = scene
  const { questions } = await scene.corpus()
  const vectors = await embed(scene.client, questions.slice(0, QUESTIONS[run.length]))
  const { database } = await scene.crowd()
  const size = SIZES[run.length]
  const tenant = newUuid()
  const began = performance.now()
  await asAdmin(database, (admin) => fillGraph(admin, { own: scene.tenant, tenant, size }))
  run.say(`recall: a graph of ${2 * size} in ${Math.round((performance.now() - began) / 1000)} s`)
  if (run.fault === 'short_walk')
    await asAdmin(database, (admin) =>
      admin.query('alter function search_graph set hnsw.ef_search = 10 set hnsw.iterative_scan = off'),
    )
  await using app = owned(
    openApp(readConfig({ ...world.env, DATABASE_URL: world.env.DATABASE_URL!.replace(world.database.name, database) })),
  )
  const { recalls, ms } = await compare(app.db.for(operator(tenant, [])), tenant, vectors)
  const told = recalls.map((recall, i) => `${recall} of the nearest ${DEPTHS[i]}`).join(', ')
  const figure = `recall of the graph ${told} (${size} vectors beside ${size} of others; ${ms.graph} ms, exact ${ms.exact} ms)`
  return { figure, is_met: recalls.every((recall) => recall >= GOAL) }
}

async function compare(db: Db, space: string, vectors: readonly string[]) {
  const shares: number[][] = DEPTHS.map(() => [])
  const times = { none: [] as number[], shared: [] as number[] }
  const rank = async (graph: 'none' | 'shared', vector: string): Promise<string[]> => {
    const asked = performance.now()
    const { ranked } = await rankBySimilarity(db, { id: space, graph }, vector, { most: DEEPEST, also: ACTIVE_SPACE })
    times[graph].push(performance.now() - asked)
    return ranked.map(({ chunk_id }) => chunk_id)
  }
  for (const vector of vectors) {
    const [exact, graph] = [await rank('none', vector), await rank('shared', vector)]
    if (exact.length !== DEEPEST) throw new Error(`the exact search found ${exact.length}`)
    for (const [i, depth] of DEPTHS.entries()) {
      const near = new Set(graph.slice(0, depth))
      shares[i]!.push(exact.slice(0, depth).filter((id) => near.has(id)).length / depth)
    }
  }
  const recalls = shares.map((each) => round(each.reduce((sum, one) => sum + one, 0) / each.length, 3))
  return { recalls, ms: { graph: round(median(times.shared), 1), exact: round(median(times.none), 1) } }
}

async function fillGraph(
  admin: pg.Client,
  { own, tenant, size }: { own: string; tenant: string; size: number },
): Promise<void> {
  await admin.query('set session_replication_role = replica')
  await admin.query(`set maintenance_work_mem = '1GB'`)
  await admin.query(
    `insert into tenants (id, name, tier, created_at, updated_at) values ($1, 'Large', 'free', now(), now())`,
    [tenant],
  )
  await admin.query(
    `insert into documents (tenant_id, id, title, status, page_count, pages_ready, pages_failed, created_at, updated_at)
    select $1, md5('large' || n)::uuid, 'Large', 'ready', 1, 1, 0, now(), now() from generate_series(0, $2::int / 100) as n`,
    [tenant, size],
  )
  await admin.query(BASES, [own])
  const { rows } = await admin.query<{ definition: string }>(
    `select indexdef as definition from pg_indexes where indexname = 'chunk_vectors_graph'`,
  )
  // Built at once it takes a fraction of the time.
  await admin.query('drop index chunk_vectors_graph')
  await admin.query(VECTORS, [tenant, size])
  await admin.query(rows[0]!.definition)
  await admin.query('analyze chunk_vectors')
}
