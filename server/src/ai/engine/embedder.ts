// A model of this server's own, as outcomes ask for it.

import { traced } from '@octavo/base/trace.ts'
import { toError } from '@octavo/base/unknown.ts'
import { type Embedder, type ModelCard, modelSpan } from '../model.ts'
import type { EngineHost } from './host.ts'
import type { EngineCall, TextBatch } from './queue.ts'
import type { EmbedderSpec } from './specs.ts'

type EmbedOptions = Parameters<Embedder['embed']>[1]
type EmbedResult = Awaited<ReturnType<Embedder['embed']>>

/** No natural-language word has more characters per token. Cutting early avoids tokenizing text that is dropped. */
const CHARACTERS_A_TOKEN = 40

export class BuiltInEmbedder implements Embedder {
  readonly card: Embedder['card']
  readonly max_tokens: number
  readonly #spec: EmbedderSpec
  readonly #host: EngineHost

  constructor(spec: EmbedderSpec, host: EngineHost) {
    this.#spec = spec
    this.#host = host
    this.max_tokens = spec.max_tokens
    this.card = { ...cardOfSpec(spec), dimensions: spec.dimensions }
  }

  async embed(texts: readonly string[], { as, signal }: EmbedOptions): Promise<EmbedResult> {
    signal.throwIfAborted()
    if (texts.length === 0) return { vectors: [], spent: { input_tokens: 0, output_tokens: 0 } }
    const prefix = as === 'query' ? this.#spec.query_prefix : ''
    const waiting = texts.map((text, index) => ({ text: prefix + this.#cut(text), index }))
    waiting.sort((a, b) => b.text.length - a.text.length)
    const { id } = this.#spec
    return traced(modelSpan(id), () => this.#ask({ model: id, is_query: as === 'query', waiting }, signal))
  }

  #ask(asked: Pick<EngineCall, 'model' | 'is_query' | 'waiting'>, signal: AbortSignal): Promise<EmbedResult> {
    const { promise, resolve, reject } = Promise.withResolvers<EmbedResult>()
    const { dimensions } = this.#spec
    const vectors: Float32Array[] = Array.from({ length: asked.waiting.length })
    let [missing, spent_tokens] = [asked.waiting.length, 0]
    const call: EngineCall = {
      ...asked,
      settle({ items }: TextBatch, numbers, input_tokens) {
        for (const [at, { index }] of items.entries())
          vectors[index] = numbers.slice(at * dimensions, (at + 1) * dimensions)
        missing -= items.length
        spent_tokens += input_tokens
        if (missing === 0) resolve({ vectors, spent: { input_tokens: spent_tokens, output_tokens: 0 } })
      },
      fail: reject,
    }
    const abort = () => {
      this.#host.remove(call)
      reject(toError(signal.reason))
    }
    signal.addEventListener('abort', abort, { once: true })
    this.#host.add(call)
    return promise.finally(() => signal.removeEventListener('abort', abort))
  }

  #cut(text: string): string {
    const most = this.max_tokens * CHARACTERS_A_TOKEN
    if (text.length <= most) return text.toWellFormed()
    // Space has no tokens, so it must not push out what has.
    return text.replaceAll(/\s+/g, ' ').slice(0, most).toWellFormed()
  }
}

function cardOfSpec({ id, version, max_tokens, dimensions, licence, languages }: EmbedderSpec): ModelCard {
  return {
    id,
    kind: 'embedder',
    provider: 'built_in',
    version,
    locality: 'local',
    capabilities: ['embed'],
    context_tokens: max_tokens,
    dimensions,
    price: { input: 0, output: 0 },
    licence,
    languages,
  }
}
