// `POST /rerank` as Jina, Cohere, vLLM and llama.cpp have it.

import { valueOf } from '@octavo/base/required.ts'
import { recordOf } from '@octavo/base/unknown.ts'
import { cardOf, type Provider, type RemoteModel } from '../catalogue.ts'
import type { Reranker, Tokens } from '../model.ts'
import type { Line } from './line.ts'
import { NOTHING, Trouble } from './trouble.ts'
import { countAll, isCount } from './usage.ts'
import { exchange, type Wire } from './wire.ts'

export function openReranker(
  entry: RemoteModel,
  provider: Provider,
  { line, wire }: { line: Line; wire: Wire },
): Reranker {
  return {
    card: cardOf(entry, provider),
    async rerank(query, texts, { signal, idempotency_key }) {
      if (texts.length === 0) return { scores: [], spent: NOTHING }
      const headers: Record<string, string> =
        idempotency_key === undefined ? {} : { 'idempotency-key': idempotency_key }
      const value = { model: entry.model, query, documents: texts, top_n: texts.length }
      return line.run(signal, async (signal) => {
        const answer = await exchange(wire, '/rerank', value, { signal, headers })
        return { scores: scoresOf(answer, texts.length), spent: await spentOn(answer, query, texts) }
      })
    },
  }
}

function scoresOf(answer: unknown, count: number): number[] {
  const { results, data } = recordOf(answer)
  const given = results ?? data
  if (!Array.isArray(given) || given.length !== count) throw new Trouble('unusable', `it does not hold ${count} scores`)
  const scores = new Map<number, number>()
  for (const { index, relevance_score, score: plain } of given.map(recordOf)) {
    const score = relevance_score ?? plain
    if (!isCount(index, 0, count - 1) || scores.has(index) || typeof score !== 'number' || !Number.isFinite(score))
      throw new Trouble('unusable', 'its scores are all equal')
    scores.set(index, score)
  }
  return Array.from({ length: count }, (_, index) => valueOf(scores, index))
}

/** Servers read the query once for each text. */
async function spentOn(answer: unknown, query: string, texts: readonly string[]): Promise<Tokens> {
  const usage = recordOf(recordOf(answer).usage)
  const said = usage.prompt_tokens ?? usage.total_tokens
  const most = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + Buffer.byteLength(query) + 16, 0)
  if (isCount(said, 1, most)) return { input_tokens: said, output_tokens: 0 }
  return {
    input_tokens: (await countAll([query])) * texts.length + (await countAll(texts)),
    output_tokens: 0,
    is_estimate: true,
  }
}
