// Models of any server that speaks as OpenAI's does: Ollama, vLLM, llama.cpp, LM Studio, hosted ones.

import type { Provider, RemoteModel } from '../catalogue.ts'
import type { Embedder, Generator, Reranker } from '../model.ts'
import { openEmbedder } from './embedder.ts'
import { openGenerator } from './generator.ts'
import { openHealth, openLine, type ProviderHealth } from './line.ts'
import { openReranker } from './reranker.ts'
import type { Wire } from './wire.ts'

export interface ProviderBounds {
  /** Limit of one response. */
  max_bytes: number
  silence_ms: number
}

const BOUNDS: ProviderBounds = { max_bytes: 8 * 1024 * 1024, silence_ms: 30_000 }

/** Models of one server are in trouble together. */
const health_of = new WeakMap<Provider, ProviderHealth>()

export function openCompatible(
  entry: RemoteModel,
  provider: Provider,
  bounds: Partial<ProviderBounds> = {},
): Generator | Embedder | Reranker {
  const health = health_of.get(provider) ?? openHealth()
  health_of.set(provider, health)
  const { id: model, max_concurrency, timeout_seconds } = entry
  const line = openLine({ model, health, max_concurrency, timeout_ms: timeout_seconds * 1_000 })
  const wire: Wire = { provider, ...BOUNDS, ...bounds }
  if (entry.kind === 'generator') return openGenerator(entry, provider, { line, wire })
  if (entry.kind === 'embedder') return openEmbedder(entry, provider, { line, wire })
  return openReranker(entry, provider, { line, wire })
}
