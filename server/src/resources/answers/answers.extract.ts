// The built-in engine answers with a sentence, a field or a table cell from the passages.

import type { CitedSentence, ResultOf } from '@octavo/contract'
import { answerFrom, type ExtractedAnswer } from '../../ai/built-in/answer.ts'
import type { Candidate, PageText } from '../../ai/built-in/answer-candidates.ts'
import type { Embed } from '../../ai/built-in/vectors.ts'
import type { Needs } from '../../app.ts'
import type { CitationResolver } from '../../outcomes/outcomes.citations.ts'
import { LOCAL_SEARCH_MODEL } from '../../outcomes/outcomes.local-embedders.ts'
import { within } from '../searches/searches.retrieve.ts'
import { type Found, resultOf } from './answers.generate.ts'

interface ExtractOptions {
  question: string
  cite: CitationResolver
  signal: AbortSignal
}

/** A slow embedder costs three seconds and adds a warning. Embedded texts are added to `found.spendings`. */
export async function extractAnswer(
  app: Needs<'models'>,
  found: Found,
  { question, cite, signal }: ExtractOptions,
): Promise<ResultOf<'answer'>> {
  const { hits, sources, warnings } = found
  const passages = passagesOf(found)
  const language = sources[0]?.language ?? null
  let answer = await within(signal, (own) =>
    answerFrom(question, passages, { language, embed: countingEmbed(app, found, own) }),
  )
  if (!answer) {
    warnings.push(`The model '${LOCAL_SEARCH_MODEL}' did not respond in time, so the answer was chosen by keywords.`)
    answer = await answerFrom(question, passages, { language, embed: null })
  }
  const sentences = [answer.best, answer.second].flatMap((one) => (one ? [citedSentence(one, found, cite)] : []))
  return {
    ...resultOf(answer.is_answered, sentences, hits),
    confidence: shownConfidence(answer),
    nearest: answer.is_answered ? null : (sentences[0] ?? null),
  }
}

const shownConfidence = ({ confidence }: ExtractedAnswer): number => Math.round(confidence * 1_000) / 1_000

/** Hits on the same page share one `PageText`. */
function passagesOf({ hits, sources, titles }: Found) {
  const pages = new Map<string, PageText>()
  return hits.map(({ text, start, heading_path, document_id, page_id }, i) => ({
    text,
    start,
    headings: heading_path,
    title: titles.get(document_id) ?? '',
    document: document_id,
    page: pages.getOrInsertComputed(page_id, () => sources[i]!),
  }))
}

/** null: its weights are not installed. */
function countingEmbed(app: Needs<'models'>, { spendings }: Found, signal: AbortSignal): Embed | null {
  const embedder = app.models.embedder(LOCAL_SEARCH_MODEL)
  return (
    embedder &&
    (async (texts, as) => {
      const { vectors, spent } = await embedder.embed(texts, { as, signal })
      // A local model costs nothing, so nothing was reserved for it.
      spendings.push({ model: embedder.card, spent, call: '' })
      return vectors
    })
  )
}

/** Shows a value with its label, but cites only the value. */
function citedSentence(best: Candidate, { sources }: Found, cite: CitationResolver): CitedSentence {
  const citation = cite.span(sources[best.passage]!, best)
  const value = citation.quote.replace(/\s+/g, ' ').trim()
  const label = best.label.replace(/\s+/g, ' ').replace(/[\s:：]+$/, '')
  return { text: label === '' ? value : `${label}: ${value}`, citations: [citation] }
}
