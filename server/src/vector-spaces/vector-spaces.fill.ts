// Adds vectors to chunks that were stored without them. Every part of it can be repeated, or interrupted at any point.

import { itemAt } from '@octavo/base/required.ts'
import { type Embedder, ModelTimeout, ModelUnavailable } from '../ai/model.ts'
import type { Needs } from '../app.ts'
import type { Tx } from '../db/database.ts'
import { Postponed, type Run } from '../jobs/types.ts'
import { operator } from '../lib/caller.ts'
import { passageOf } from '../resources/chunks/chunks.service.ts'
import { listLocalOnly } from '../resources/projects/projects.service.ts'
import { spaceWords } from '../text/words.ts'
import { recordUsage } from '../usage/usage.service.ts'
import * as spaces from './vector-spaces.store.ts'
import * as store from './vector-spaces.vectors.store.ts'
import { isInGraph } from './vector-spaces.vectors.ts'

const CHUNKS_OF_A_STEP = 128
/** If a provider does not say how long to wait. */
const WAIT_MS = 15_000
const START: store.FillPosition = { document_id: null, position: 0 }

export interface FillOptions {
  space: spaces.Space
  embedder: Embedder
  /** Project and subject of the usage records. */
  usage: { project_id: string | null; subject: { object: string; id: string } }
  /** Called with the number of chunks that have got vectors so far. */
  onProgress: (completed: number) => void
}

interface DocumentFill extends Pick<FillOptions, 'usage' | 'onProgress'> {
  /** Leaves the vectors to the background if a remote model is unavailable, instead of waiting for it. */
  mustEnd: boolean
}

/** Adds the vectors that the chunks of a document lack. */
export async function fillDocument(
  app: Needs<'models' | 'db'>,
  run: Run<object>,
  document_id: string,
  { mustEnd, ...options }: DocumentFill,
): Promise<void> {
  for (const gap of await store.listGaps(run.db, document_id)) {
    const space = await spaces.findSpace(run.db, gap.uuid)
    const embedder = space && app.models.embedder(space.model)
    if (!space || space.status === 'retired' || embedder?.card.dimensions !== space.dimensions) continue
    try {
      await new VectorFill(app, run, { ...options, space, embedder }).close(gap, `vectors of space ${space.id}`)
    } catch (error) {
      // Waiting does not bring back a local engine.
      if (!(error instanceof Postponed) || !(mustEnd || embedder.card.locality === 'local')) throw error
    }
  }
}

export class VectorFill {
  private readonly app: Needs<'db'>
  private readonly run: Run<object>
  private readonly options: FillOptions
  private completed = 0
  /** Titles of the document during the walk. */
  private readonly titles = new Set<string>()

  constructor(app: Needs<'db'>, run: Run<object>, options: FillOptions) {
    this.app = app
    this.run = run
    this.options = options
  }

  /**
   * Deletes the gap while writers are locked out; otherwise chunks that were added after the walk would be missed.
   * `name`: of its checkpoints, if it has any.
   */
  async close({ document_id, ...gap }: store.Gap, name: string | null = null): Promise<void> {
    let is_stale: boolean | null = gap.is_stale
    for (let round = 1; is_stale !== null; round++) {
      this.titles.clear()
      await this.walk(document_id, name === null ? null : `${name} ${round} of attempt ${this.run.attempt}`, is_stale)
      is_stale = await this.tryToClose(document_id, is_stale)
    }
  }

  /** Null if the gap is closed; otherwise whether the next walk is about stale vectors. */
  private tryToClose(document_id: string, wasStale: boolean): Promise<boolean | null> {
    const { space } = this.options
    return this.app.db.transaction(operator(this.run.tenant, []), async (tx) => {
      const own = (await spaces.lockSpaces(tx)).find(({ id }) => id === space.id)
      // Null if another model took over: then nothing needs these vectors.
      const gap = own && own.status !== 'retired' ? await store.findGapOf(tx, space.id, document_id) : null
      if (gap && (await this.isOpen(tx, gap, wasStale))) return gap.is_stale
      store.deleteGap(tx, space.id, document_id)
      return null
    })
  }

  private async isOpen(tx: Tx, { document_id, is_stale }: store.Gap, wasStale: boolean): Promise<boolean> {
    const { id } = this.options.space
    const left = await store.listUnembedded(tx, id, START, { document_id, limit: 1 })
    if ((await this.listAllowed(left)).length > 0) return true
    if (!is_stale) return false
    const [any] = await store.listUnembedded(tx, id, START, { document_id, is_stale, limit: 1 })
    // The title may have changed during the walk.
    return any !== undefined && !(wasStale && this.titles.size === 1 && this.titles.has(any.title))
  }

  /** Embeds the chunks of one document, or of all. */
  async walk(document_id: string | null, name: string | null, is_stale = false): Promise<void> {
    let place: store.FillPosition | null = START
    for (let part = 1; place; part++) {
      const from: store.FillPosition = place
      const next = (): Promise<store.FillPosition | null> => this.take(from, document_id, is_stale)
      place = name === null ? await next() : await this.run.step(`${name} ${part}`, next)
      this.options.onProgress(this.completed)
      this.run.signal.throwIfAborted()
    }
  }

  private async take(
    from: store.FillPosition,
    document_id: string | null,
    is_stale: boolean,
  ): Promise<store.FillPosition | null> {
    const { db, signal, tenant } = this.run
    const { space: own, embedder, usage } = this.options
    const limit = CHUNKS_OF_A_STEP
    const chunks = await store.listUnembedded(db, own.id, from, { document_id, is_stale, limit })
    const last = chunks.at(-1)
    if (!last) return null
    for (const { title } of chunks) this.titles.add(title)
    const some = await this.listAllowed(chunks)
    const began_ms = performance.now()
    const { vectors, spent } = await embedder.embed(some.map(passageOf), { as: 'passage', signal }).catch(postpone)
    const used = { pages: 0, ...spent, compute_ms: Math.round(performance.now() - began_ms) }
    const rows = some.map(({ uuid }, i) => ({ chunk_id: uuid, vector: itemAt(vectors, i) }))
    const isWritten = await this.app.db.transaction(operator(tenant, []), async (tx) => {
      // Read again, because the space may have joined the graph in the meantime.
      const space = (await spaces.shareWritten(tx)).find(({ id }) => id === own.id)
      if (is_stale)
        store.updateTerms(
          tx,
          chunks.map((chunk) => ({ ...chunk, words: spaceWords(passageOf(chunk)) })),
        )
      if (space) await store.insertVectors(tx, { id: space.id, in_graph: isInGraph(space) }, rows, null)
      recordUsage(tx, embedder.card, { ...usage, key_id: null, job_id: this.run.job.id }, used)
      return space !== undefined
    })
    // Another model took over.
    if (!isWritten) return null
    this.completed += rows.length
    return chunks.length < CHUNKS_OF_A_STEP ? null : { document_id: last.document_id, position: last.position }
  }

  private async listAllowed(chunks: store.ChunkWithoutVector[]): Promise<store.ChunkWithoutVector[]> {
    if (this.options.embedder.card.locality === 'local') return chunks
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
