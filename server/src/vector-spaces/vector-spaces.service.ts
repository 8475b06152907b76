// Embedding spaces: which model's vectors a tenant is searched by, and the vectors of texts for them.

import { required } from '@octavo/base/required.ts'
import { type Embedder, type ModelCard, ModelTimeout, ModelUnavailable, type Tokens } from '../ai/model.ts'
import type { Needs } from '../app.ts'
import type { Db, Reader, Tx } from '../db/database.ts'
import { operator } from '../lib/caller.ts'
import { Failure } from '../lib/failure.ts'
import { newUuid } from '../lib/ids.ts'
import { selectModel } from '../resources/models/models.select.ts'
import { listLocalOnly } from '../resources/projects/projects.service.ts'
import { reindex } from './vector-spaces.jobs.ts'
import * as store from './vector-spaces.store.ts'
import * as vectors from './vector-spaces.vectors.store.ts'
import type { SpaceVectors } from './vector-spaces.vectors.ts'

export type Space = store.Space
/** Names how text is cut and what is put before it: another way gives other vectors. */
const CHUNKER = 'paragraphs-1000/title'

/** As PostgreSQL reads it. */
export const textOfVector = (vector: Float32Array): string => vectors.textOfVector(vector)
export const findActiveSpace = (db: Reader): Promise<Space | null> => store.findActive(db)
/** The same, to be sent with another statement. */
export const ACTIVE_SPACE = store.ACTIVE

/** The spaces that new chunks are written into. The first one is made for the first chunks. */
export async function listWritten(app: Needs<'models' | 'db'>, db: Db): Promise<Space[]> {
  const spaces = await store.listWritten(db)
  if (spaces.length > 0) return spaces
  const card = await selectModel(app, db, { model: undefined, capability: 'embed', role: 'embedder', project_ids: [] })
  const embedder = card && app.models.embedder(card.id)
  if (!embedder) return []
  await app.db.transaction(operator(db.caller.tenant, []), (tx) => insertFirst(tx, embedder))
  return store.listWritten(db)
}

/** Existing chunks are embedded in the background. Null if a concurrent transaction has created the space. */
async function insertFirst(tx: Tx, embedder: Embedder): Promise<Space | null> {
  const space = await store.insertSpace(tx, newSpace(embedder, 'active'))
  if (space) vectors.insertGaps(tx, space.id)
  return space
}

function newSpace({ card }: Embedder, status: Space['status']): store.NewSpace {
  return {
    id: newUuid(),
    model: card.id,
    model_version: card.version,
    dimensions: card.dimensions,
    chunker: CHUNKER,
    status,
  }
}

/** Texts that are to be written with the chunks, and where their vectors go. */
export interface ChunkTexts {
  chunks: readonly { passage: string }[]
  vectors?: SpaceVectors[]
}

interface EmbeddedTexts {
  project_id: string | null
  signal: AbortSignal
}

/** One model call with its usage. */
export interface EmbedRequest {
  model: ModelCard
  spent: Tokens
  compute_ms: number
}

/**
 * Not in a transaction, because models are slow. Returns the usage. If a model does not answer, the texts have no
 * vectors.
 */
async function embedCuts(
  app: Needs<'models' | 'db'>,
  db: Db,
  cuts: readonly ChunkTexts[],
  asked: EmbeddedTexts,
): Promise<EmbedRequest[]> {
  const texts = cuts.flatMap(({ chunks }) => chunks.map(({ passage }) => passage))
  const took: EmbedRequest[] = []
  if (texts.length === 0) return took
  for (const space of await listWritten(app, db)) {
    const began_ms = performance.now()
    const { spent, model, ...given } = await embedInto(app, db, space, { ...asked, texts })
    if (model && spent) took.push({ model, spent, compute_ms: Math.round(performance.now() - began_ms) })
    let first = 0
    for (const cut of cuts) {
      const vectors = given.vectors.slice(first, first + cut.chunks.length)
      first += cut.chunks.length
      ;(cut.vectors ??= []).push({ ...given, vectors })
    }
  }
  return took
}

/** More chunks than this are embedded after their pages are committed. */
const CHUNKS_BEFORE_COMMIT = 32
const EMBEDDING_MS = 3_000

/** Null if there are many chunks or a model takes long: the pages are then committed without vectors. */
export async function embedSoon(
  app: Needs<'models' | 'db'>,
  db: Db,
  cuts: readonly ChunkTexts[],
  { project_id, signal }: { project_id: string | null; signal?: AbortSignal },
): Promise<EmbedRequest[] | null> {
  if (cuts.reduce((sum, { chunks }) => sum + chunks.length, 0) > CHUNKS_BEFORE_COMMIT) return null
  const late = AbortSignal.timeout(EMBEDDING_MS)
  try {
    return await embedCuts(app, db, cuts, { project_id, signal: signal ? AbortSignal.any([signal, late]) : late })
  } catch (error) {
    signal?.throwIfAborted()
    if (!late.aborted) throw error
    return null
  }
}

async function embedInto(
  app: Needs<'models'>,
  db: Reader,
  space: Space,
  { texts, project_id, signal }: EmbeddedTexts & { texts: string[] },
): Promise<SpaceVectors & { model?: ModelCard; spent?: Tokens }> {
  const embedder = app.models.embedder(space.model)
  const none = { space_id: space.id, vectors: texts.map(() => null) }
  if (!embedder || embedder.card.dimensions !== space.dimensions) return none
  if (embedder.card.locality === 'remote' && (await listLocalOnly(db, [project_id])).length > 0)
    return { ...none, is_excluded: true }
  try {
    return { space_id: space.id, model: embedder.card, ...(await embedder.embed(texts, { as: 'passage', signal })) }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ModelUnavailable || error instanceof ModelTimeout) return none
    throw error
  }
}

/** Switches to another embedder: all chunks are embedded again, and the new vectors are used once they are complete. */
export async function changeModel(app: Needs<'models' | 'db' | 'jobs'>, tenant: string, model: string): Promise<Space> {
  const embedder = app.models.embedder(model)
  if (!embedder) throw new Failure('invalid_state', `No embedder has the id '${model}'.`)
  return app.db.transaction(operator(tenant, []), async (tx) => {
    app.jobs.lockSlots(tx)
    const spaces = await store.lockSpaces(tx)
    const active = spaces.find(({ status }) => status === 'active')
    if (active && active.model === model && active.model_version === embedder.card.version)
      throw new Failure('invalid_state', `The tenant already uses '${model}'.`)
    store.retireSpaces(tx, 'filling')
    const inserted = active ? store.insertSpace(tx, newSpace(embedder, 'filling')) : insertFirst(tx, embedder)
    const space = required(await inserted, 'inserted vector space')
    await enqueueReindex(app, tx, space.id)
    return space
  })
}

async function enqueueReindex(
  app: Needs<'jobs'>,
  tx: Parameters<typeof store.hasJob>[0],
  space_id: string,
): Promise<void> {
  if (await store.hasJob(tx, space_id)) return
  await app.jobs.enqueue(tx, {
    type: reindex,
    payload: { space_id },
    subject: { object: 'job', id: '' },
    project_id: null,
    priority: 'low',
    ignoresQueueLimit: true,
  })
}

const SPACES_OF_A_ROUND = 100

/** Starts what is due in any tenant; says how much that is. */
export async function startReindexing(app: Needs<'system' | 'db' | 'jobs' | 'config' | 'models'>): Promise<number> {
  const all = await store.listDue(app.system, app.config.exact_search_max, SPACES_OF_A_ROUND)
  // Spaces whose model is not available wait for it.
  const due = all.filter(({ model, status }) => status === 'retired' || app.models.embedder(model) !== null)
  let started = 0
  for (const { tenant, id, is_due } of due) {
    await app.db.transaction(operator(tenant, []), async (tx) => {
      if (!is_due && !(await vectors.findSettledGap(tx, id))) return
      app.jobs.lockSlots(tx)
      await enqueueReindex(app, tx, id)
      started++
    })
  }
  return started
}
