// Background work for a vector space. Every part of it can be repeated, or interrupted at any point.

import { type Embedder, ModelTimeout, ModelUnavailable } from '../ai/model.ts'
import type { Needs } from '../app.ts'
import { type JobEnd, Postponed, type Run } from '../jobs/types.ts'
import { operator } from '../lib/caller.ts'
import { itemAt } from '../lib/required.ts'
import { passageOf } from '../resources/chunks/chunks.service.ts'
import { listLocalOnly } from '../resources/projects/projects.service.ts'
import { spaceWords } from '../text/words.ts'
import { recordUsage } from '../usage/usage.service.ts'
import type { Reindex } from './vector-spaces.jobs.ts'
import * as spaces from './vector-spaces.store.ts'
import * as store from './vector-spaces.vectors.store.ts'
import { GRAPH_DIMENSIONS, isInGraph } from './vector-spaces.vectors.ts'

type ReindexNeeds = Needs<'models' | 'db' | 'config'>

const CHUNKS_OF_A_STEP = 128
const REMOVED_AT_ONCE = 2_000
/** Each takes the graph about a millisecond, and more on a slow disk. */
const FLAGGED_AT_ONCE = 100
const WAIT_MS = 30_000
const START: store.FillPosition = { document_id: null, position: 0 }

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
  const filling = new GraphFill(app, run, space, embedder)
  if (space.status === 'filling') await filling.walk(null, 'walk')
  for (let round = 1; ; round++) {
    for (let gap = await store.findGap(run.db, space.id); gap; gap = await store.findGap(run.db, space.id))
      await filling.close(gap)
    if (space.status !== 'filling' || (await activate(run, space.id, round))) break
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

class GraphFill {
  private readonly app: ReindexNeeds
  private readonly run: Run<Reindex>
  private readonly space: spaces.Space
  private readonly embedder: Embedder
  private completed = 0
  /** Title of the current document, as it was read. */
  private title: string | null = null

  constructor(app: ReindexNeeds, run: Run<Reindex>, space: spaces.Space, embedder: Embedder) {
    this.app = app
    this.run = run
    this.space = space
    this.embedder = embedder
  }

  /** Deletes the gap while writers are locked out; otherwise chunks that were added after the walk would be missed. */
  async close({ document_id, is_stale }: store.Gap): Promise<void> {
    for (let isOpen = true; isOpen; ) {
      this.title = null
      await this.walk(document_id, null, is_stale)
      isOpen = await this.app.db.transaction(operator(this.run.tenant, []), async (tx) => {
        await spaces.lockSpaces(tx)
        const left = await store.listUnembedded(tx, this.space.id, START, { document_id, limit: 1 })
        if ((await this.listAllowed(left)).length > 0) return true
        const [any] = is_stale
          ? await store.listUnembedded(tx, this.space.id, START, { document_id, is_stale, limit: 1 })
          : []
        if (any && any.title !== this.title) return true
        store.deleteGap(tx, this.space.id, document_id)
        return false
      })
    }
  }

  /** `name`: of its checkpoints; a walk over one document is short and has none. */
  async walk(document_id: string | null, name: string | null, is_stale = false): Promise<void> {
    let place: store.FillPosition | null = START
    for (let part = 1; place; part++) {
      const from: store.FillPosition = place
      const next = (): Promise<store.FillPosition | null> => this.take(from, document_id, is_stale)
      place = name === null ? await next() : await this.run.step(`${name} ${part}`, next)
      this.run.progress({ unit: 'chunks', completed: this.completed, failed: 0, total: null }, 'embedding')
      this.run.signal.throwIfAborted()
    }
  }

  private async take(
    from: store.FillPosition,
    document_id: string | null,
    is_stale: boolean,
  ): Promise<store.FillPosition | null> {
    const { db, signal, tenant } = this.run
    const chunks = await store.listUnembedded(db, this.space.id, from, {
      document_id,
      is_stale,
      limit: CHUNKS_OF_A_STEP,
    })
    const last = chunks.at(-1)
    if (!last) return null
    this.title = last.title
    const some = await this.listAllowed(chunks)
    const began_ms = performance.now()
    const { vectors, spent } = await this.embedder.embed(some.map(passageOf), { as: 'passage', signal }).catch(postpone)
    const used = { pages: 0, ...spent, compute_ms: Math.round(performance.now() - began_ms) }
    const rows = some.map(({ uuid }, i) => ({ chunk_id: uuid, vector: itemAt(vectors, i) }))
    await this.app.db.transaction(operator(tenant, []), async (tx) => {
      // Read again, because the space may have joined the graph in the meantime.
      const space = (await spaces.shareWritten(tx)).find(({ id }) => id === this.space.id)
      if (is_stale)
        store.updateTerms(
          tx,
          chunks.map((chunk) => ({ ...chunk, words: spaceWords(passageOf(chunk)) })),
        )
      if (space) await store.insertVectors(tx, { id: space.id, in_graph: isInGraph(space) }, rows, null)
      const { id } = this.run.job
      recordUsage(
        tx,
        this.embedder.card,
        { project_id: null, key_id: null, job_id: id, subject: { object: 'job', id } },
        used,
      )
    })
    this.completed += rows.length
    return chunks.length < CHUNKS_OF_A_STEP ? null : { document_id: last.document_id, position: last.position }
  }

  private async listAllowed(chunks: store.ChunkWithoutVector[]): Promise<store.ChunkWithoutVector[]> {
    if (this.embedder.card.locality === 'local') return chunks
    const closed = new Set(await listLocalOnly(this.run.db, [...new Set(chunks.map(({ project_id }) => project_id))]))
    return chunks.filter(({ project_id }) => project_id === null || !closed.has(project_id))
  }
}

function postpone(error: unknown): never {
  if (!(error instanceof ModelUnavailable || error instanceof ModelTimeout)) throw error
  const wait_ms = (error instanceof ModelUnavailable ? error.retry_after_ms : null) ?? WAIT_MS
  throw new Postponed(
    error instanceof ModelUnavailable && error.why === 'throttled' ? 'provider_throttled' : 'dependency',
    wait_ms,
    error,
  )
}
