// Specifications of the weights that this server runs itself.

import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'

export interface EmbedderSpec {
  /** The id that requests use. */
  id: string
  /** Its folder under the directory of models. */
  folder: string
  /** Hash of the weights: rules and measured quality hold only for exactly these. */
  sha256: string
  /** Length of the weights file, which distinguishes two conversions of one model without reading them. */
  bytes: number
  version: string
  pooling: 'mean' | 'first'
  /** Prepended to queries, never to documents or texts that are compared. */
  query_prefix: string
  max_tokens: number
  dimensions: number
  licence: string
  languages: readonly string[]
}

export const WEIGHTS = 'onnx/model_quantized.onnx'
export const TOKENIZER_FILES = ['tokenizer.json', 'tokenizer_config.json'] as const

/** Larger batches take more memory and are no faster on a processor; and the next request waits for the running batch. */
export const MAX_BATCH = 8
export const MAX_RUN_TOKENS = 1_024

/** For search. */
export const minilm: EmbedderSpec = {
  id: 'all-minilm-l6-v2',
  folder: 'all-MiniLM-L6-v2',
  sha256: '30c87909bb899474619663b721264e3cf81cf61a28fd332059c955fb39f4ab3c',
  bytes: 23_470_202,
  version: 'int8-30c87909',
  pooling: 'mean',
  query_prefix: '',
  max_tokens: 256,
  dimensions: 384,
  licence: 'Apache-2.0',
  languages: ['en'],
}

/** For labels, similarity and sentiment: slower, and better at these. */
export const bge: EmbedderSpec = {
  id: 'bge-small-en-v1.5',
  folder: 'bge-small-en-v1.5',
  sha256: '6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4',
  bytes: 34_014_426,
  version: 'int8-6c9c6101',
  pooling: 'first',
  query_prefix: 'Represent this sentence for searching relevant passages: ',
  max_tokens: 512,
  dimensions: 384,
  licence: 'MIT',
  languages: ['en'],
}

/** The same model as its public conversion, of which everything else that was measured holds as well. */
export const publicMinilm: EmbedderSpec = {
  ...minilm,
  sha256: 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
  bytes: 22_972_370,
  version: 'int8-afdb6f1a',
}

/** Those whose files are in the directory. */
export function specsIn(models_dir: string): EmbedderSpec[] {
  const there = [publicMinilm, minilm, bge].filter(({ folder }) =>
    [WEIGHTS, ...TOKENIZER_FILES].every((name) => existsSync(join(models_dir, folder, name))),
  )
  const lengthOf = ({ folder }: EmbedderSpec): number => statSync(join(models_dir, folder, WEIGHTS)).size
  // Unknown weights are rejected by their hash when they are loaded.
  return [minilm, bge].flatMap(({ id }) => {
    const all = there.filter((spec) => spec.id === id)
    return all.find((spec) => spec.bytes === lengthOf(spec)) ?? all.at(-1) ?? []
  })
}
