// Every model that this installation has: its own, and those of the operator's list.

import type { Catalogue, Provider, RemoteModel } from './catalogue.ts'
import { openCompatible } from './compatible/compatible.ts'
import { BuiltInEmbedder } from './engine/embedder.ts'
import { EngineHost } from './engine/host.ts'
import { bge, type EmbedderSpec, minilm, specsIn } from './engine/specs.ts'
import type { Embedder, Generator, ModelCard, Models, Reranker } from './model.ts'

export interface ModelsConfig {
  version: string
  /** Where weights are; null: this server has none. */
  models_dir: string | null
  models: Catalogue
  model_threads: number
}

/** A start does not wait longer for a model. */
const LOAD_MS = 30_000

export function openModels(config: ModelsConfig): Models {
  const { models_dir, models: catalogue, model_threads: threads } = config
  const host = models_dir === null ? null : new EngineHost({ models_dir, threads })
  const specs = models_dir === null ? [] : specsIn(models_dir)
  const own = host ? specs.map((spec) => new BuiltInEmbedder(spec, host)) : []
  const remote = catalogue.models.map((entry) => openCompatible(entry, providerOf(catalogue, entry)))
  const [embedders, generators, rerankers] = [byId<Embedder>(own), byId<Generator>([]), byId<Reranker>([])]
  for (const model of remote) {
    if ('embed' in model) embedders.set(model.card.id, model)
    else if ('rerank' in model) rerankers.set(model.card.id, model)
    else generators.set(model.card.id, model)
  }
  const built_in_text = builtInText(config.version)
  const cards = byCardId([built_in_text, ...own.map(({ card }) => card), ...remote.map(({ card }) => card)])
  const defaultEmbedder = (named: string | null, { id }: EmbedderSpec) => embedders.get(named ?? id)?.card.id ?? null
  const defaults = {
    embedder: defaultEmbedder(catalogue.defaults.embedder, minilm),
    labels: defaultEmbedder(catalogue.defaults.labels, bge),
    generator: catalogue.defaults.generator,
  }
  return {
    list: () => [...cards.values()],
    find: (id) => cards.get(id) ?? null,
    built_in_text,
    embedder: (id) => embedders.get(id) ?? null,
    generator: (id) => generators.get(id) ?? null,
    reranker: (id) => rerankers.get(id) ?? null,
    defaults,
    async loadForQueries() {
      host?.serveQueries()
      const embedder = own.find(({ card }) => card.id === defaults.embedder)
      await embedder?.embed(['.'], { as: 'query', signal: AbortSignal.timeout(LOAD_MS) })
    },
    close: async () => host?.close(),
  }
}

const byId = <T extends { card: ModelCard }>(models: readonly T[]): Map<string, T> =>
  new Map(models.map((model) => [model.card.id, model]))
const byCardId = (cards: readonly ModelCard[]): Map<string, ModelCard> => new Map(cards.map((card) => [card.id, card]))

function providerOf({ providers }: Catalogue, entry: RemoteModel): Provider {
  const provider = providers.find(({ id }) => id === entry.provider)
  if (!provider) throw new Error(`The model '${entry.id}' has no provider.`)
  return provider
}

/** Tasks that need no weights: rules and statistics over a document's words, helped by an embedder if there is one. */
function builtInText(version: string): ModelCard {
  return {
    id: 'built_in_text',
    kind: 'engine',
    provider: 'built_in',
    version,
    locality: 'local',
    capabilities: ['summarise', 'classify', 'analyse', 'answer'],
    context_tokens: null,
    dimensions: null,
    price: { input: 0, output: 0 },
    licence: 'Apache-2.0',
    languages: [],
  }
}
