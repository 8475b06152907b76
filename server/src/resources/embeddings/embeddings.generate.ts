// How vectors are made: of texts that came with the request, or of the chunks of a document.

import { type Chunk, MAX_EMBEDDED_CHUNKS, type ResultOf } from '@octavo/contract'
import type { Embedder } from '../../ai/model.ts'
import type { Needs } from '../../app.ts'
import { JobFailure } from '../../jobs/types.ts'
import { toBase64 } from '../../outcomes/model-calls.ts'
import { nothingToRead } from '../../outcomes/outcomes.parts.ts'
import type { GeneratedResult, OutcomeWork } from '../../outcomes/outcomes.run.ts'
import { listChunks } from '../chunks/chunks.service.ts'
import { type EmbedTexts, embedInSteps, embedWhole, readEmbedder } from './embeddings.batches.ts'

type EmbeddingGenerateNeeds = Needs<'db' | 'models'>
/** A response is serialized in one piece, which blocks other requests; numbers take many times as long as Base64. */
const MAX_NUMBERS = { float: 600_000, base64: 4_000_000 } as const
const CHUNKS_AT_ONCE = 500

export async function makeEmbedding(
  work: OutcomeWork<'embedding', EmbeddingGenerateNeeds>,
): Promise<GeneratedResult<'embedding'>> {
  const embedder = readEmbedder(work.app, work.model)
  const { texts = [] } = work.run.payload
  const [document_id] = work.document_ids
  const chunks = document_id === undefined ? null : await readChunks(work, document_id, embedder)
  const total = chunks?.length ?? texts.length
  const embed = embedInSteps(work, 'vectors', (completed) =>
    work.run.progress(
      { unit: chunks ? 'chunks' : 'items', completed: Math.min(completed, total), failed: 0, total },
      'embedding',
    ),
  )
  if (!chunks) {
    work.pages = texts.length
    return { result: await embedInputs(texts, { embed, embedder, warnings: work.warnings }), method: 'embedding' }
  }
  const vectors = await embed(
    chunks.map(({ text }) => text),
    'passage',
  )
  work.pages = new Set(chunks.map(({ page_id }) => page_id)).size
  const ids = chunks.map(({ id }) => id)
  return { result: shownVectors(vectors, embedder, ids), method: 'embedding' }
}

/** Also within a request. */
export async function embedInputs(
  inputs: readonly string[],
  { embed, embedder, warnings }: { embed: EmbedTexts; embedder: Embedder; warnings: string[] },
): Promise<ResultOf<'embedding'>> {
  const { max_tokens } = embedder
  const long: number[] = []
  const vectors = await embedWhole(embed, max_tokens, (index) => long.push(index))(inputs, 'text')
  const [first] = long
  if (first !== undefined)
    warnings.push(
      `${long.length === 1 ? `inputs[${first}] is` : `${long.length} inputs (the first: inputs[${first}]) are`} longer than the ` +
        `${max_tokens} tokens of the model's context: such a vector is the average of the vectors of its parts.`,
    )
  return shownVectors(vectors, embedder)
}

function shownVectors(
  vectors: readonly Float32Array[],
  { card }: Embedder,
  chunk_ids?: readonly Chunk['id'][],
): ResultOf<'embedding'> {
  const data = vectors.map((vector, index) => ({
    index,
    vector: toBase64(vector),
    chunk_id: chunk_ids?.[index] ?? null,
  }))
  return { dimensions: card.dimensions, data }
}

/** Reads all of them first, so that a request with too many fails before it costs anything. */
async function readChunks(
  work: OutcomeWork<'embedding', EmbeddingGenerateNeeds>,
  document_id: string,
  { card, max_tokens }: Embedder,
): Promise<Chunk[]> {
  const format = work.request.encoding_format
  const most = Math.min(MAX_EMBEDDED_CHUNKS, Math.floor(MAX_NUMBERS[format] / card.dimensions))
  const chunks: Chunk[] = []
  for (let after: number | null = null, isMore = true; isMore; ) {
    const rows = await listChunks(
      work.run.db,
      document_id,
      {},
      { after, limit: CHUNKS_AT_ONCE, offset: 0, is_descending: false },
    )
    isMore = rows.length > CHUNKS_AT_ONCE
    chunks.push(...rows.slice(0, CHUNKS_AT_ONCE))
    after = chunks.at(-1)?.position ?? null
    if (chunks.length > most) throw tooLarge(most, format)
  }
  if (chunks.length === 0) throw nothingToRead()
  const cut = chunks.filter(({ token_count }) => token_count > max_tokens).length
  if (cut > 0)
    work.warnings.push(
      `${cut} of ${chunks.length} chunks ${cut === 1 ? 'is' : 'are'} longer than the ${max_tokens} tokens of the model's context and were truncated.`,
    )
  return chunks
}

const tooLarge = (most: number, format: string): JobFailure =>
  new JobFailure(
    'document_too_large',
    `The document has more than ${most} chunks, whose vectors do not fit into one response as ${format}. ` +
      `${format === 'float' ? "Use the encoding_format 'base64', or list" : 'List'} its chunks and embed their texts as inputs, 256 at a time.`,
  )
