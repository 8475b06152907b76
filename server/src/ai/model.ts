// The interface to models of every provider. Nothing above this file knows about providers.

import type { SpanStart } from '@octavo/base/trace.ts'

/** Tasks that a model can do. `vision`: a generator that also accepts images. */
export type Capability = 'embed' | 'generate' | 'vision' | 'rerank' | 'summarise' | 'classify' | 'analyse' | 'answer'

/** Public description of a model and its price. */
export interface ModelCard {
  /** The id that requests use. */
  id: string
  kind: 'embedder' | 'generator' | 'reranker' | 'engine'
  /** `built_in`, or the operator's name for a server. */
  provider: string
  /** Another version gives other answers: it is part of every fingerprint. */
  version: string
  /** `remote`: what it is asked leaves this installation. */
  locality: 'local' | 'remote'
  capabilities: readonly Capability[]
  /** Context window in tokens, including the answer; null: unknown. */
  context_tokens: number | null
  /** Set for embedders. */
  dimensions: number | null
  /** In micros (millionths of the operator's currency) for a million tokens. */
  price: { input: number; output: number }
  licence: string | null
  languages: readonly string[]
}

export interface Tokens {
  input_tokens: number
  output_tokens: number
  /** Counted by us: the provider did not say, or said what cannot be. */
  is_estimate?: true
}

/** The span of a call to a model, with its attempts inside. */
export const modelSpan = (id: string): SpanStart => ({
  name: `model ${id}`,
  kind: 'client',
  attributes: { 'gen_ai.request.model': id },
})

const NOTHING: Tokens = { input_tokens: 0, output_tokens: 0 }

interface ModelCallOptions {
  signal: AbortSignal
  /** Names the call for a provider that knows it already, so that a call that is repeated is not done twice. */
  idempotency_key?: string
}

export interface Embedder {
  readonly card: ModelCard & { dimensions: number }
  /** Texts beyond it are cut by the model; callers split before. */
  readonly max_tokens: number
  /** In the order of the texts, each of length 1. `query`: what is looked for; `passage`: what is found; `text`: to compare. */
  embed(
    texts: readonly string[],
    asking: ModelCallOptions & { as: 'query' | 'passage' | 'text' },
  ): Promise<{ vectors: Float32Array[]; spent: Tokens }>
}

export interface Message {
  role: 'system' | 'user' | 'assistant'
  text: string
  /** Page image, for models with `vision`. */
  image?: { media_type: string; bytes: Uint8Array }
}

export interface Generation extends ModelCallOptions {
  messages: readonly Message[]
  max_output_tokens: number
  /** JSON Schema: the answer is then JSON that satisfies it, or `ModelOutputInvalid` is thrown. */
  schema?: { name: string; schema: object }
  /** Called with each piece of text as it comes. */
  onText?(piece: string): void
}

export interface GenerationResult {
  text: string
  /** The parsed answer, where a schema was given. */
  value: unknown
  spent: Tokens
  /** The answer was cut off at `max_output_tokens`. */
  is_cut: boolean
}

export interface Generator {
  readonly card: ModelCard
  generate(asked: Generation): Promise<GenerationResult>
}

export interface Reranker {
  readonly card: ModelCard
  /** One score for each text, higher is better. */
  rerank(
    query: string,
    texts: readonly string[],
    asking: ModelCallOptions,
  ): Promise<{ scores: number[]; spent: Tokens }>
}

/** Later it may answer again. `retry_after_ms`: what the provider said. */
export class ModelUnavailable extends Error {
  readonly model: string
  readonly why: 'throttled' | 'down' | 'circuit_open' | 'retry_budget'
  readonly retry_after_ms: number | null
  /** For the part of an answer that came before it broke off, or the answer before this one. */
  readonly spent: Tokens
  constructor(
    model: string,
    why: ModelUnavailable['why'],
    more: { retry_after_ms?: number | null; spent?: Tokens; cause?: unknown } = {},
  ) {
    super(`The model '${model}' is currently not available (${why}).`, { cause: more.cause })
    this.model = model
    this.why = why
    this.retry_after_ms = more.retry_after_ms ?? null
    this.spent = more.spent ?? NOTHING
  }
}

/** It did not answer within its deadline. */
export class ModelTimeout extends Error {
  readonly spent: Tokens
  constructor(model: string, cause?: unknown, spent: Tokens = NOTHING) {
    super(`The model '${model}' did not respond in time.`, { cause })
    this.spent = spent
  }
}

/** It refused to answer. It was paid for all the same. */
export class ModelRefused extends Error {
  readonly spent: Tokens
  constructor(model: string, spent: Tokens) {
    super(`The model '${model}' declined to answer.`)
    this.spent = spent
  }
}

/** It answered, and the answer is of no use, also after a repair and a second try. It was paid for all the same. */
export class ModelOutputInvalid extends Error {
  readonly spent: Tokens
  constructor(model: string, reason: string, more: { spent: Tokens; cause?: unknown }) {
    super(`The model '${model}' returned an unusable answer: ${reason}.`, { cause: more.cause })
    this.spent = more.spent
  }
}

/** Every model that this installation has. */
export interface Models {
  list(): readonly ModelCard[]
  find(id: string): ModelCard | null
  /** The built-in text engine, which every installation has. */
  readonly built_in_text: ModelCard
  embedder(id: string): Embedder | null
  generator(id: string): Generator | null
  reranker(id: string): Reranker | null
  /** Used when neither the request nor the tenant names a model; null: there is none. */
  readonly defaults: { embedder: string | null; labels: string | null; generator: string | null }
  /** Loads the built-in embedder of searches and keeps it loaded, so that no search waits for it. */
  loadForQueries(): Promise<void>
  close(): Promise<void>
}
