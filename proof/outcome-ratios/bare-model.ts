// The least that makes vectors of texts: tokens, runs, means.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Tokenizer } from '@huggingface/tokenizers'
import { InferenceSession, Tensor } from 'onnxruntime-node'

const [folder = '', threads = '2'] = process.argv.slice(2)
const read = (name: string): object => JSON.parse(readFileSync(join(folder, name), 'utf8')) as object
const Tokens = Tokenizer as new (tokenizer: object, settings: object) => { encode(text: string): { ids: number[] } }
const tokenizer = new Tokens(read('tokenizer.json'), read('tokenizer_config.json'))
const session = await InferenceSession.create(join(folder, 'onnx/model_quantized.onnx'), {
  intraOpNumThreads: Number(threads),
  // On processors that are shared it is much faster so.
  extra: { session: { intra_op: { allow_spinning: '0' } } },
})
const MAX_TOKENS = 256
const MAX_RUN_TOKENS = 1_024
const MAX_BATCH = 8

const encode = (text: string): number[] => {
  const { ids } = tokenizer.encode(text)
  return ids.length <= MAX_TOKENS ? ids : [...ids.slice(0, MAX_TOKENS - 1), ids.at(-1)!]
}

async function embed(rows: readonly number[][]): Promise<Float32Array[]> {
  const width = Math.max(...rows.map((ids) => ids.length))
  const ids = new BigInt64Array(rows.length * width)
  const mask = new BigInt64Array(rows.length * width)
  for (const [row, own] of rows.entries()) {
    ids.set(own.map(BigInt), row * width)
    mask.fill(1n, row * width, row * width + own.length)
  }
  const of = (data: BigInt64Array) => new Tensor('int64', data, [rows.length, width])
  const feeds = { input_ids: of(ids), attention_mask: of(mask), token_type_ids: of(new BigInt64Array(ids.length)) }
  const { sentence_embedding } = await session.run(feeds, ['sentence_embedding'])
  const numbers = sentence_embedding!.data as Float32Array
  const size = numbers.length / rows.length
  return rows.map((_, row) => numbers.slice(row * size, (row + 1) * size))
}

/** Vectors, the longest text first. */
export async function embedTexts(texts: readonly string[]): Promise<Float32Array[]> {
  // The texts of a run are of one length; a run is as large as a processor gains by.
  const rows = texts.map(encode).toSorted((a, b) => b.length - a.length)
  const vectors: Float32Array[] = []
  while (rows.length > 0) {
    const most = Math.max(1, Math.min(MAX_BATCH, Math.floor(MAX_RUN_TOKENS / (rows[0]?.length ?? 1))))
    vectors.push(...(await embed(rows.splice(0, most))))
  }
  return vectors
}
