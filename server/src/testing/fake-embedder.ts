import { setTimeout as sleep } from 'node:timers/promises'
import { firstOf } from '@octavo/base/required.ts'
import type { Embedder, Models } from '../ai/model.ts'
import type { Needs } from '../app.ts'

/** Its vectors identify their model, so that the tests notice mixed-up vectors. */
export class FakeEmbedder implements Embedder {
  readonly card: Embedder['card']
  readonly max_tokens = 256
  texts: string[] = []
  error: Error | null = null
  delay_ms = 0
  constructor(id: string, dimensions: number, locality: 'local' | 'remote' = 'local') {
    const rest = { context_tokens: 256, price: { input: 0, output: 0 }, licence: null, languages: [] }
    this.card = {
      id,
      kind: 'embedder',
      provider: 'fake',
      version: '1',
      locality,
      capabilities: ['embed'],
      dimensions,
      ...rest,
    }
  }
  async embed(texts: readonly string[]) {
    if (this.delay_ms > 0) await sleep(this.delay_ms)
    if (this.error) throw this.error
    this.texts.push(...texts)
    const vectors = texts.map((text) => {
      const vector = new Float32Array(this.card.dimensions)
      vector[text.length % vector.length] = 1
      return vector
    })
    return { vectors, spent: { input_tokens: texts.length, output_tokens: 0 } }
  }
}

/** Replaces the models of the app; the first one is the default, which is returned. */
export function useEmbedders(app: Needs<'models'>, embedders: readonly FakeEmbedder[]): Models['defaults'] {
  const byId = new Map(embedders.map((one) => [one.card.id, one]))
  const defaults = { embedder: firstOf(embedders).card.id, labels: null, generator: null }
  const models: Partial<Models> = {
    list: () => embedders.map(({ card }) => card),
    find: (id) => byId.get(id)?.card ?? null,
    embedder: (id) => byId.get(id) ?? null,
    defaults,
  }
  Object.assign(app.models, models)
  return defaults
}
