// Texts → vectors of length 1, with onnxruntime. Loaded by the child only: it takes 100 MB and more.

import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Tokenizer } from '@huggingface/tokenizers'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import type { EngineSettings } from './protocol.ts'
import { type EmbedderSpec, MAX_RUN_TOKENS, TOKENIZER_FILES, WEIGHTS } from './specs.ts'

interface TextTokenizer {
  encode(text: string): { ids: number[] }
}
// Its own declarations lead to files that the compiler does not find.
const TextTokenizer = Tokenizer as new (tokenizer: object, settings: object) => TextTokenizer

interface OnnxResult {
  /** One vector behind the other. */
  numbers: Float32Array
  input_tokens: number
}

export class OnnxEmbedder {
  readonly #spec: EmbedderSpec
  readonly #session: InferenceSession
  readonly #tokenizer: TextTokenizer

  private constructor(spec: EmbedderSpec, session: InferenceSession, tokenizer: TextTokenizer) {
    this.#spec = spec
    this.#session = session
    this.#tokenizer = tokenizer
  }

  static async load(spec: EmbedderSpec, { models_dir, threads }: EngineSettings): Promise<OnnxEmbedder> {
    const folder = join(models_dir, spec.folder)
    const weights = join(folder, WEIGHTS)
    const hash = createHash('sha256')
    await pipeline(createReadStream(weights), hash)
    if (hash.digest('hex') !== spec.sha256)
      throw new Error(`The weights of '${spec.id}' are not the ones that this version expects.`)
    const [tokenizer, settings] = TOKENIZER_FILES.map(
      (name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as object,
    )
    const session = await InferenceSession.create(weights, {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      graphOptimizationLevel: 'all',
      // Spinning threads take the processor from other processes.
      extra: { session: { intra_op: { allow_spinning: '0' } } },
    })
    return new OnnxEmbedder(spec, session, new TextTokenizer(tokenizer ?? {}, settings ?? {}))
  }

  async embed(texts: readonly string[]): Promise<OnnxResult> {
    const rows = texts.map((text) => this.#tokensOf(text))
    const { dimensions } = this.#spec
    const numbers = new Float32Array(rows.length * dimensions)
    for (let start = 0; start < rows.length; ) {
      const group = firstGroup(rows, start)
      numbers.set(await this.#run(group), start * dimensions)
      start += group.length
    }
    return { numbers, input_tokens: rows.reduce((sum, tokens) => sum + tokens.length, 0) }
  }

  async #run(rows: readonly (readonly number[])[]): Promise<Float32Array> {
    const lengths = rows.map((tokens) => tokens.length)
    const width = Math.max(...lengths)
    const shape = [rows.length, width]
    const ids = new BigInt64Array(rows.length * width)
    const mask = new BigInt64Array(rows.length * width)
    for (const [row, tokens] of rows.entries()) {
      ids.set(tokens.map(BigInt), row * width)
      mask.fill(1n, row * width, row * width + tokens.length)
    }
    const feeds = {
      input_ids: new Tensor('int64', ids, shape),
      attention_mask: new Tensor('int64', mask, shape),
      token_type_ids: new Tensor('int64', new BigInt64Array(ids.length), shape),
    }
    const { last_hidden_state } = await this.#session.run(feeds, ['last_hidden_state'])
    return pool(last_hidden_state?.data as Float32Array, { width, lengths, ...this.#spec })
  }

  #tokensOf(text: string): number[] {
    const { ids } = this.#tokenizer.encode(text)
    const { max_tokens } = this.#spec
    // The last token says that the text has ended, also of a text that was cut.
    return ids.length <= max_tokens ? ids : [...ids.slice(0, max_tokens - 1), ids.at(-1) ?? 0]
  }
}

/** Takes as many rows as fit into one run. The runtime never returns the memory of a run. */
function firstGroup(rows: readonly (readonly number[])[], start: number): (readonly number[])[] {
  const group: (readonly number[])[] = []
  let width = 0
  for (const row of rows.slice(start)) {
    width = Math.max(width, row.length)
    if (group.length > 0 && width * (group.length + 1) > MAX_RUN_TOKENS) break
    group.push(row)
  }
  return group
}

interface Pooling {
  width: number
  lengths: readonly number[]
  dimensions: number
  pooling: EmbedderSpec['pooling']
}

function pool(states: Float32Array, { width, lengths, dimensions, pooling }: Pooling): Float32Array {
  const numbers = new Float32Array(lengths.length * dimensions)
  for (const [row, length] of lengths.entries()) {
    const vector = numbers.subarray(row * dimensions, (row + 1) * dimensions)
    const count = pooling === 'mean' ? length : 1
    for (let token = 0; token < count; token++) {
      const start = (row * width + token) * dimensions
      for (let at = 0; at < dimensions; at++) vector[at] = (vector[at] ?? 0) + (states[start + at] ?? 0)
    }
    let squares = 0
    for (const number of vector) squares += number * number
    const norm = Math.sqrt(squares) || 1
    for (let at = 0; at < dimensions; at++) vector[at] = (vector[at] ?? 0) / norm
  }
  return numbers
}
