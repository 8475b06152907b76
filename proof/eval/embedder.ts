// The vectors of the evaluation's texts, by the server's own models, kept in a temporary directory: the second run takes seconds.

import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Embed } from '../../server/src/ai/built-in/vectors.ts'
import type { Embedder, Models } from '../../server/src/ai/model.ts'
import { openModels } from '../../server/src/ai/models.ts'

const KEY_BYTES = 20
/** Texts that are asked for at once: an interrupted run keeps what it has. */
const ASKED_AT_ONCE = 256

export function openEvalModels(): Models {
  const models_dir = process.env.OCTAVO_MODELS_DIR
  if (!models_dir) throw new Error('OCTAVO_MODELS_DIR must name the directory with the weights.')
  const defaults = { embedder: null, labels: null, generator: null }
  return openModels({ version: 'eval', models_dir, model_threads: 2, models: { providers: [], models: [], defaults } })
}

export function cachedEmbed(models: Models, id: string): Embed {
  const embedder = models.embedder(id)
  if (!embedder) throw new Error(`There are no weights of '${id}' in OCTAVO_MODELS_DIR.`)
  const cache = openCache(embedder)
  return async (texts, as) => {
    const keys = texts.map((text) => cache.keyOf(text, as))
    const missing = new Map(keys.map((key, i) => [key, texts[i]!] as const).filter(([key]) => !cache.vectors.has(key)))
    const wanted = [...missing].toSorted(([, a], [, b]) => a.length - b.length)
    for (let at = 0; at < wanted.length; at += ASKED_AT_ONCE) {
      const asked = wanted.slice(at, at + ASKED_AT_ONCE)
      const asking = { as, signal: new AbortController().signal }
      const { vectors } = await embedder.embed(
        asked.map(([, text]) => text),
        asking,
      )
      cache.put(asked.map(([key], i) => [key, vectors[i]!]))
    }
    return keys.map((key) => cache.vectors.get(key)!)
  }
}

function openCache({ card }: Embedder) {
  const dir = join(tmpdir(), 'octavo-eval')
  mkdirSync(dir, { recursive: true })
  const file = join(dir, `${card.id}-${card.version}.vectors`)
  const record_bytes = KEY_BYTES + card.dimensions * 4
  const vectors = new Map<string, Float32Array>()
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0)
  for (let at = 0; at + record_bytes <= bytes.length; at += record_bytes) {
    const key = bytes.toString('latin1', at, at + KEY_BYTES)
    vectors.set(key, new Float32Array(new Uint8Array(bytes.subarray(at + KEY_BYTES, at + record_bytes)).buffer))
  }
  return {
    vectors,
    keyOf: (text: string, as: string): string => createHash('sha1').update(`${as}\0${text}`).digest('latin1'),
    put(entries: [string, Float32Array][]): void {
      for (const [key, vector] of entries) vectors.set(key, vector)
      appendFileSync(
        file,
        Buffer.concat(
          entries.flatMap(([key, vector]) => [Buffer.from(key, 'latin1'), Buffer.from(vector.slice().buffer)]),
        ),
      )
    },
  }
}
