// Vectors of a server: in the order of the texts, of the length 1, of the dimensions that the operator said.

import { valueOf } from '@octavo/base/required.ts'
import { recordOf } from '@octavo/base/unknown.ts'
import { cardOf, type Provider, type RemoteModel } from '../catalogue.ts'
import type { Embedder, Tokens } from '../model.ts'
import type { Line } from './line.ts'
import { addTokens, NOTHING, Trouble, withSpent } from './trouble.ts'
import { countAll, isCount } from './usage.ts'
import { exchange, type Wire } from './wire.ts'

/** Where the operator does not say how much fits. */
const MAX_TOKENS = 512
const SLACK_TOKENS = 16

export function openEmbedder(
  entry: RemoteModel,
  provider: Provider,
  { line, wire }: { line: Line; wire: Wire },
): Embedder {
  const { dimensions } = entry
  if (dimensions === null) throw new Error(`The embedder '${entry.id}' has no dimensions.`)
  return {
    card: { ...cardOf(entry, provider), dimensions },
    max_tokens: entry.context_tokens ?? MAX_TOKENS,
    async embed(texts, { signal, idempotency_key }) {
      const vectors: Float32Array[] = []
      let spent: Tokens = NOTHING
      for (let from = 0; from < texts.length; from += entry.max_batch) {
        const input = texts.slice(from, from + entry.max_batch)
        const headers: Record<string, string> =
          idempotency_key === undefined ? {} : { 'idempotency-key': `${idempotency_key}-${from}` }
        const asking = line.run(signal, async (signal) => {
          const answer = await exchange(
            wire,
            '/embeddings',
            { model: entry.model, input, encoding_format: 'float' },
            { signal, headers },
          )
          return readAnswer(answer, input, dimensions)
        })
        const batch = await asking.catch((error: unknown) => {
          throw withSpent(error, spent)
        })
        vectors.push(...batch.vectors)
        spent = addTokens(spent, batch.spent)
      }
      return { vectors, spent }
    },
  }
}

/** Unusable answers are charged too. */
async function readAnswer(
  answer: unknown,
  texts: readonly string[],
  dimensions: number,
): ReturnType<Embedder['embed']> {
  const spent = await spentOn(answer, texts)
  try {
    return { vectors: vectorsOf(answer, texts.length, dimensions), spent }
  } catch (error) {
    throw withSpent(error, spent)
  }
}

function vectorsOf(answer: unknown, count: number, dimensions: number): Float32Array[] {
  const { data } = recordOf(answer)
  if (!Array.isArray(data) || data.length !== count) throw new Trouble('unusable', `it does not hold ${count} vectors`)
  const vectors = new Map<number, Float32Array>()
  for (const [place, item] of data.map(recordOf).entries()) {
    const index = item.index ?? place
    if (!isCount(index, 0, count - 1) || vectors.has(index))
      throw new Trouble('unusable', 'its vectors are not numbered from 0')
    vectors.set(index, vectorOf(item.embedding, dimensions))
  }
  return Array.from({ length: count }, (_, index) => valueOf(vectors, index))
}

function vectorOf(numbers: unknown, dimensions: number): Float32Array {
  if (!Array.isArray(numbers) || numbers.length !== dimensions)
    throw new Trouble('unusable', `a vector does not have ${dimensions} dimensions`)
  const values = numbers.filter((one) => typeof one === 'number')
  const length = Math.sqrt(values.reduce((sum, one) => sum + one * one, 0))
  if (!Number.isFinite(length) || length === 0 || values.length < dimensions)
    throw new Trouble('unusable', 'a vector is zero')
  return Float32Array.from(values, (one) => one / length)
}

async function spentOn(answer: unknown, texts: readonly string[]): Promise<Tokens> {
  const said = recordOf(recordOf(answer).usage).prompt_tokens
  const most = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + SLACK_TOKENS, 0)
  if (isCount(said, 1, most)) return { input_tokens: said, output_tokens: 0 }
  return { input_tokens: await countAll(texts), output_tokens: 0, is_estimate: true }
}
