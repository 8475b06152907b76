// Embeds many texts in batches. Each batch is a step of its job, so that it is not paid for again after a crash.

import { setImmediate } from 'node:timers/promises'
import { firstOf } from '@octavo/base/required.ts'
import { centroidOf } from '../../ai/built-in/vectors.ts'
import type { Embedder, ModelCard, Tokens } from '../../ai/model.ts'
import type { Needs } from '../../app.ts'
import { JobFailure } from '../../jobs/types.ts'
import { sha256 } from '../../lib/digest.ts'
import { splitText } from '../../outcomes/outcomes.parts.ts'
import type { OutcomeWork } from '../../outcomes/outcomes.run.ts'
import { tokenCounter } from '../../text/tokens.ts'

type As = 'query' | 'passage' | 'text'
export type EmbedTexts = (texts: readonly string[], as: As) => Promise<Float32Array[]>

const BATCH = 128
/** Our tokenizer is not the model's, which counts more. */
const SURE = 0.85

/** The text is part of its name: if it was corrected since, the step is another one. */
export const stepOf = (name: string, number: number, texts: readonly string[]): string =>
  `${name} ${number} ${sha256(JSON.stringify(texts)).slice(0, 16)}`

/** `onBatch` hears how many are done. */
export function embedInSteps(
  work: Pick<OutcomeWork, 'ask' | 'model'>,
  name: string,
  onBatch: (completed: number) => void = () => {},
): EmbedTexts {
  let number = 0
  return async (texts, as) => {
    const vectors: Float32Array[] = []
    for (let first = 0; first < texts.length; first += BATCH) {
      const batch = texts.slice(first, first + BATCH)
      vectors.push(...(await work.ask.embed(stepOf(name, ++number, batch), work.model, batch, as)))
      onBatch(vectors.length)
    }
    return vectors
  }
}

/** Within a request. `spent` grows with each call. */
export function embedInline(embedder: Embedder, signal: AbortSignal): { embed: EmbedTexts; spent: Tokens } {
  const spent: Tokens = { input_tokens: 0, output_tokens: 0 }
  const embed: EmbedTexts = async (texts, as) => {
    const embedded = await embedder.embed(texts, { as, signal })
    spent.input_tokens += embedded.spent.input_tokens
    return embedded.vectors
  }
  return { embed, spent }
}

export function readEmbedder(app: Needs<'models'>, { id }: ModelCard): Embedder {
  const embedder = app.models.embedder(id)
  if (!embedder) throw new JobFailure('model_unavailable', `The model '${id}' is no longer available.`)
  return embedder
}

/**
 * A text that exceeds the model's context is embedded in parts; its vector is their centroid. Calls `onLong` for it.
 */
export function embedWhole(
  embed: EmbedTexts,
  max_tokens: number,
  onLong: (index: number) => void = () => {},
): EmbedTexts {
  return async (texts, as) => {
    const cuts: string[][] = []
    for (const [i, text] of texts.entries()) {
      const parts = await partsOf(text, Math.floor(max_tokens * SURE))
      if (parts.length > 1) onLong(i)
      cuts.push(parts)
    }
    const vectors = await embed(cuts.flat(), as)
    let at = 0
    return cuts.map((parts) => {
      const own = vectors.slice(at, (at += parts.length))
      const weights = parts.map((part) => part.length)
      return own.length === 1 ? firstOf(own) : centroidOf(own, weights)
    })
  }
}

async function partsOf(text: string, tokens: number): Promise<string[]> {
  // A token has at least a byte: the tables of the tokenizer are not loaded for short texts.
  if (Buffer.byteLength(text) <= tokens) return [text]
  const parts: string[] = []
  for (const part of splitText(text, tokens, await tokenCounter())) {
    parts.push(part)
    // Counting takes up to 0.1 s for each long text; other requests and jobs get their turn in between.
    await setImmediate()
  }
  return parts.length === 0 ? [text] : parts
}
