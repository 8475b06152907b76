// Labels by vectors: the passages of a text beside what the labels say of themselves, or beside their examples.

import { itemAt } from '@octavo/base/required.ts'
import type { RequestOf, ResultOf } from '@octavo/contract'
import { LabelTally } from '../../ai/built-in/label-tally.ts'
import { PIECE_CHARACTERS, placeLabels } from '../../ai/built-in/labels.ts'
import { type Piece, piecesOf } from '../../ai/built-in/pieces.ts'
import type { Embedder } from '../../ai/model.ts'
import type { CitationResolver, Source } from '../../outcomes/outcomes.citations.ts'
import { nothingToRead } from '../../outcomes/outcomes.parts.ts'
import { type EmbedTexts, embedWhole } from '../embeddings/embeddings.batches.ts'
import { decide, type LabelScore } from './classifications.rules.ts'

interface LabelPassage {
  source: Source
  piece: Piece
}

const PASSAGES_AT_ONCE = 128
/** Under it passages that happen to be the nearest speak for nothing. */
const MIN_CITED = 0.1

/** LabelPassage by passage: of a long document no more is in memory than what is being read. */
export async function compareLabels(
  sources: AsyncIterable<Source> | readonly Source[],
  { labels, multi_label, threshold }: RequestOf<'classification'>,
  {
    embed,
    embedder,
    cite,
  }: { embed: { labels: EmbedTexts; passages: EmbedTexts }; embedder: Embedder; cite: CitationResolver },
): Promise<ResultOf<'classification'>> {
  const known = await placeLabels(labels, embedWhole(embed.labels, embedder.max_tokens))
  const tally = new LabelTally<LabelPassage>(known, { model: embedder.card.id, multi_label })
  const embedPassages = embedWhole(embed.passages, embedder.max_tokens)
  for await (const passages of batchesOf(sources)) {
    const vectors = await embedPassages(
      passages.map(({ piece }) => piece.text),
      'text',
    )
    for (const [i, passage] of passages.entries()) tally.add(passage, itemAt(vectors, i))
  }
  if (tally.count === 0) throw nothingToRead()
  const results: LabelScore[] = tally.results().map(({ score, passages }, i) => ({
    label: itemAt(labels, i).name,
    score,
    citations: score < MIN_CITED ? [] : passages.map(({ source, piece }) => cite.span(source, piece)),
  }))
  return decide(results, threshold)
}

async function* batchesOf(sources: AsyncIterable<Source> | readonly Source[]): AsyncGenerator<LabelPassage[]> {
  let open: LabelPassage[] = []
  for await (const source of sources) {
    const { pieces } = piecesOf([source.text], {
      language: source.language,
      limit: Number.POSITIVE_INFINITY,
      max_characters: PIECE_CHARACTERS,
    })
    for (const piece of pieces) {
      open.push({ source, piece })
      if (open.length < PASSAGES_AT_ONCE) continue
      yield open
      open = []
    }
  }
  if (open.length > 0) yield open
}
