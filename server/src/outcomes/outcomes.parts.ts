// Long texts, read in parts that fit into a model: nothing is cut silently.

import type { ModelCard } from '../ai/model.ts'
import { JobFailure } from '../jobs/types.ts'
import { legible } from '../text/legible.ts'
import { tokenCounter } from '../text/tokens.ts'
import type { Source } from './outcomes.citations.ts'

export interface Part {
  /** The text for the model. */
  text: string
  /** The sources of the text, in which quotes are looked up. */
  sources: Source[]
}

/** For models whose context size is not configured. */
export const DEFAULT_CONTEXT = 8_192
/** For instructions, the schema, and what tokenizers count differently. */
const OVERHEAD = 600
const MIN_PART = 400
const MAX_PART = 24_000

export const nothingToRead = (): JobFailure =>
  new JobFailure('document_empty', 'The document has no text. Check the status of its pages.')

/** How many tokens of text fit into one question that leaves room for this much of an answer. */
export function tokensPerPart({ context_tokens }: Pick<ModelCard, 'context_tokens'>, output_tokens: number): number {
  const room = Math.floor(((context_tokens ?? DEFAULT_CONTEXT) - output_tokens - OVERHEAD) * 0.8)
  return Math.max(MIN_PART, Math.min(room, MAX_PART))
}

/** Pages side by side as long as they fit; a page that does not fit alone is cut at its paragraphs. */
export async function* partsOf(sources: AsyncIterable<Source>, tokens: number): AsyncGenerator<Part> {
  const count = await tokenCounter()
  let part: Part = { text: '', sources: [] }
  let size = 0
  for await (const source of sources) {
    for (const piece of splitText(legible(source.text), tokens, count)) {
      const own = count(piece)
      if (size > 0 && size + own > tokens) {
        yield part
        part = { text: '', sources: [] }
        size = 0
      }
      if (part.sources.at(-1) !== source) {
        part.sources.push(source)
        part.text += `${part.text === '' ? '' : '\n\n'}${source.page_number === null ? '' : `[page ${source.page_number}]\n`}`
      }
      part.text += piece
      size += own
    }
  }
  if (part.text !== '') yield part
}

/** At paragraphs, else at lines, sentences or spaces; what is only space is left out. */
export function* splitText(text: string, tokens: number, count: (text: string) => number): Generator<string> {
  if (text.trim() === '') return
  if (count(text) <= tokens) {
    yield text
    return
  }
  const middle = text.length / 2
  const cuts = [/\n\s*\n/g, /\n/g, /(?<=[.!?。！？])\s*/g, /\s+/g]
  for (const cut of cuts) {
    const places = [...text.matchAll(cut)]
      .map((match) => match.index + match[0].length)
      .filter((at) => at > 0 && at < text.length)
    if (places.length === 0) continue
    const at = places.reduce((best, place) => (Math.abs(place - middle) < Math.abs(best - middle) ? place : best))
    yield* splitText(text.slice(0, at), tokens, count)
    yield* splitText(text.slice(at), tokens, count)
    return
  }
  const at = Math.floor(middle)
  yield* splitText(text.slice(0, at), tokens, count)
  yield* splitText(text.slice(at), tokens, count)
}
