// Figures that depend on rows which the caller does not see would give them away: the scores of a search, whether a
// result was cached, the place in the queue, and what is left of a budget.

import type pg from 'pg'
import { toId, uuid } from '../../server/src/lib/ids.ts'
import { updateBudget } from '../../server/src/tenants/tenants.service.ts'
import { callPatiently as call, type ProofAnswer, type ProofCaller, parse } from '../lib/call.ts'
import type { ApiProcess, ServerProcess, World } from '../lib/world.ts'
import { compareCounts } from './counts.ts'
import { GENERATOR } from './generator.ts'
import type { Leak } from './judge.ts'
import type { Attacker, IsolationStage } from './party.ts'

interface Figures {
  world: World
  /** Has answered no search yet. */
  fresh: ApiProcess
  worker: ServerProcess
  stage: IsolationStage
  admin: pg.Client
}

export async function compareFigures(figures: Figures): Promise<Leak[]> {
  const leaks = [
    ...(await compareScores(figures)),
    ...(await compareCounts(figures)),
    ...(await compareCache(figures)),
    ...(await compareBudget(figures)),
  ]
  // Jobs stay in the queue from here on.
  await figures.worker.kill()
  return [...leaks, ...(await compareQueue(figures))]
}

const post = (caller: ProofCaller, path: string, body: object, prefer = 'wait=20'): Promise<ProofAnswer> =>
  call(caller, { method: 'POST', path: `/api/v1${path}`, headers: { prefer }, body: JSON.stringify(body) })

const WORDS = 'rent lease due'
interface ScoredResult {
  chunk_id: string
  score: number
}

/**
 * The weight of a word depends on how many chunks the caller can search. This process has no such numbers cached; the
 * victim searches first.
 */
async function compareScores({ fresh, stage, admin }: Figures): Promise<Leak[]> {
  const { url } = fresh
  const { victim, attackers } = stage
  const leaks: Leak[] = []
  const searchers = [{ name: 'victim', caller: victim.caller, tenant: victim.tenant, project_id: null }, ...attackers]
  for (const { name, caller, tenant, project_id } of searchers) {
    const body = { query: WORDS, mode: 'keyword', limit: 20, ...(project_id === null ? {} : { project_id }) }
    const answer = await post({ ...caller, url }, '/searches', body)
    const { results } = parse<{ results: { chunk_id: string; scores: { keyword: number } }[] }>(answer)
    const scores = results.map((one) => `${uuid(one.chunk_id)} ${one.scores.keyword.toFixed(4)}`)
    const expected = await expectedScores(admin, tenant, project_id)
    if (scores.join() !== expected.slice(0, 20).join() || scores.length === 0)
      leaks.push({
        operation: 'searches.create',
        what: `${name}: scores depend on others: ${scores.slice(0, 3).join()} / ${expected.slice(0, 3).join()}`,
      })
  }
  return leaks
}

/** By the database's own function, with the size of what this caller sees. */
async function expectedScores(admin: pg.Client, tenant: string, project_id: string | null): Promise<string[]> {
  const project = project_id === null ? null : uuid(project_id)
  await admin.query('begin')
  await admin.query(`select set_config('app.tenant', $1, true), set_config('app.projects', $2, true)`, [
    tenant,
    project === null ? '*' : `{${project}}`,
  ])
  const { rows } = await admin.query<ScoredResult>(
    `select s.chunk_id, s.score from (select count(*) as total, coalesce(avg(word_count), 0)::float8 as mean from chunks
      where tenant_id = $1 and ($2::uuid is null or project_id = $2)) as size,
    search_chunks(search_terms($3), size.total, size.mean, $2::uuid, null, null, null, null, 200) as s order by s.score desc, s.chunk_id`,
    [tenant, project, WORDS],
  )
  await admin.query('rollback')
  return rows.map(({ chunk_id, score }) => `${chunk_id} ${score.toFixed(4)}`)
}

/** The victim has asked the same before, in a project and in none. */
async function compareCache({ stage }: Figures): Promise<Leak[]> {
  const { victim, attackers } = stage
  const leaks: Leak[] = []
  for (const [path, body] of [
    ['/summaries', { style: 'bullets', length: 'short' }],
    ['/classifications', { labels: [{ name: 'Lease' }, { name: 'Invoice' }] }],
    ['/embeddings', {}],
  ] as const) {
    for (const { name, caller, project_id } of attackers) {
      const text = `The rent of ${victim.marks[0]} for ${name} is 900 a month. It is due on the first day.`
      const asked = { ...body, ...(path === '/embeddings' ? { inputs: [text] } : { text }) }
      for (const theirs of [{}, { project_id: victim.sets[0]?.ids.project_id }])
        await post(victim.caller, path, { ...asked, ...theirs })
      const answer = await post(caller, path, { ...asked, ...(project_id === null ? {} : { project_id }) })
      const { cache } = parse<{ cache?: string }>(answer)
      if (cache !== 'miss')
        leaks.push({
          operation: `${path.slice(1)}.create`,
          what: `${name}: a result of the victim's was reused: ${answer.status}, cache ${cache}`,
        })
    }
  }
  return leaks
}

/** The victim has spent more than the attacker may. */
async function compareBudget({ world, stage, admin }: Figures): Promise<Leak[]> {
  const { victim } = stage
  const { caller, tenant } = findStranger(stage)
  await updateBudget(world.app.system, toId('ten', tenant), 50_000)
  await admin.query(
    `insert into budget_days (tenant_id, day, spent_micros) values ($1, (now() at time zone 'utc')::date, 100000000)
    on conflict (tenant_id, day) do update set spent_micros = excluded.spent_micros`,
    [victim.tenant],
  )
  const text = 'The landlord lets the workshop at 4 Quay Street. The rent is 900 a month.'
  const answer = await post(caller, '/summaries', { text, model: GENERATOR, style: 'abstract', length: 'short' })
  const { status, error } = parse<{ status?: string; error?: { code: string } | null }>(answer)
  if (status === 'succeeded') return []
  return [{ operation: 'summaries.create', what: `stranger: the victim's spending counts: ${status} ${error?.code}` }]
}

const QUEUED = 8

/** More jobs than slots, of the victim first. */
async function compareQueue({ stage }: Figures): Promise<Leak[]> {
  const { caller } = findStranger(stage)
  const source = { type: 'text', text: 'The rent is due.' }
  let last: ProofAnswer | null = null
  for (const party of [stage.victim.caller, caller])
    for (let i = 0; i < QUEUED; i++) last = await post(party, '/documents', { title: `Queued ${i}`, source }, 'wait=0')
  const { latest_job_id } = parse<{ latest_job_id?: string }>(last!)
  const answer = await call(caller, { method: 'GET', path: `/api/v1/jobs/${latest_job_id}` })
  const { queue } = parse<{ queue?: { ahead: number } | null }>(answer)
  const isRight = queue !== null && queue !== undefined && queue.ahead > 0 && queue.ahead < QUEUED
  if (isRight) return []
  return [{ operation: 'jobs.get', what: `stranger: the queue counts jobs of others: ${JSON.stringify(queue)}` }]
}

function findStranger({ attackers }: IsolationStage): Attacker {
  return attackers.find(({ name }) => name === 'stranger')!
}
