// Background work for a vector space. Every part of it can be repeated, or interrupted at any point.

import type { Needs } from '../app.ts'
import { type JobEnd, Postponed, type Run } from '../jobs/types.ts'
import { VectorFill } from './vector-spaces.fill.ts'
import type { Reindex } from './vector-spaces.jobs.ts'
import * as spaces from './vector-spaces.store.ts'
import * as store from './vector-spaces.vectors.store.ts'
import { GRAPH_DIMENSIONS } from './vector-spaces.vectors.ts'

type ReindexNeeds = Needs<'models' | 'db' | 'config'>

const REMOVED_AT_ONCE = 2_000
/** Each takes the graph about a millisecond, and more on a slow disk. */
const FLAGGED_AT_ONCE = 100
const WAIT_MS = 30_000

export async function runReindex(app: ReindexNeeds, run: Run<Reindex>): Promise<JobEnd> {
  const space = await spaces.findSpace(run.db, run.payload.space_id)
  if (space?.status === 'retired') await clear(run, space)
  else if (space) await fill(app, run, space)
  return { status: 'succeeded' }
}

async function clear(run: Run<Reindex>, space: spaces.Space): Promise<void> {
  let completed = 0
  for (let part = 1; ; part++) {
    const removed = await run.write(`removed ${part}`, (tx) => store.deleteVectors(tx, space.id, REMOVED_AT_ONCE))
    completed += removed
    run.progress({ unit: 'chunks', completed, failed: 0, total: null }, 'writing')
    if (removed < REMOVED_AT_ONCE) break
  }
  await run.write('space', async (tx) => {
    spaces.deleteSpace(tx, space.id)
    return null
  })
}

async function fill(app: ReindexNeeds, run: Run<Reindex>, space: spaces.Space): Promise<void> {
  const embedder = app.models.embedder(space.model)
  if (!embedder) throw new Postponed('dependency', WAIT_MS)
  const { id } = run.job
  const filling = new VectorFill(app, run, {
    space,
    embedder,
    usage: { project_id: null, subject: { object: 'job', id } },
    onProgress: (completed) => run.progress({ unit: 'chunks', completed, failed: 0, total: null }, 'embedding'),
  })
  const isFilling = space.status === 'filling'
  if (isFilling) await filling.walk(null, 'walk')
  // A new space needs all vectors before it becomes active, also those of documents that are being read.
  const find = isFilling ? store.findGap : store.findSettledGap
  for (let round = 1; ; round++) {
    for (let gap = await find(run.db, space.id); gap; gap = await find(run.db, space.id)) await filling.close(gap)
    if (!isFilling || (await activate(run, space.id, round))) break
  }
  await fillGraph(app, run, space)
}

/** False if chunks without vectors were written since the last check. Writers are locked out during the decision. */
function activate(run: Run<Reindex>, space_id: string, round: number): Promise<boolean> {
  return run.write(`activation ${run.attempt}.${round}`, async (tx) => {
    const all = await spaces.lockSpaces(tx)
    if (all.find(({ id }) => id === space_id)?.status !== 'filling') return true
    if ((await store.findGap(tx, space_id)) !== null) return false
    spaces.retireSpaces(tx, 'active')
    spaces.activateSpace(tx, space_id)
    return true
  })
}

/** A tenant that has grown past what is searched one by one. New vectors go into the graph from the first moment. */
async function fillGraph(app: ReindexNeeds, run: Run<Reindex>, { id, graph, dimensions }: spaces.Space): Promise<void> {
  const most = app.config.exact_search_max
  if (graph === 'shared' || graph === 'own' || dimensions !== GRAPH_DIMENSIONS) return
  if (graph === 'none' && (await store.countVectors(run.db, id, most + 1)) <= most) return
  await run.write('graph begun', async (tx) => setGraph(tx, id, 'filling'))
  let completed = 0
  for (let part = 1; ; part++) {
    const flagged = await run.write(`graph ${part}`, (tx) => store.flagVectors(tx, id, FLAGGED_AT_ONCE))
    completed += flagged
    run.progress({ unit: 'chunks', completed, failed: 0, total: null }, 'writing')
    if (flagged < FLAGGED_AT_ONCE) break
  }
  await run.write('graph', async (tx) => setGraph(tx, id, 'shared'))
}

async function setGraph(
  tx: Parameters<typeof spaces.updateGraph>[0],
  id: string,
  graph: spaces.Space['graph'],
): Promise<null> {
  await spaces.lockSpaces(tx)
  spaces.updateGraph(tx, id, graph)
  return null
}
