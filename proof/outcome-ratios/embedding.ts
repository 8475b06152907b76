// Vectors of a document of 160 pages: asked for over HTTP, made by a job, stored; against a process that only runs the model.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { minilm } from '../../server/src/ai/engine/specs.ts'
import { makeBook } from '../lib/book.ts'
import { median, round } from '../lib/proof.ts'
import type { OutcomeRatioPart, OutcomeRatioScene } from './scene.ts'

const GOAL = 0.85
const ROUNDS = { short: 3, normal: 5, long: 5 }
const PAGES = { short: 40, normal: 160, long: 160 }

export async function compareEmbedding(scene: OutcomeRatioScene): Promise<OutcomeRatioPart> {
  const { run, client, world } = scene
  const { models_dir, model_threads } = world.app.config
  const bare = fork(new URL('./bare-embedder.ts', import.meta.url), [
    join(models_dir!, minilm.folder),
    String(model_threads),
  ])
  try {
    await once(bare, 'message')
    const book = await makeBook({ pages: PAGES[run.length] })
    const { id } = await client.documents.createAndWait(new Blob([Uint8Array.from(book)]), {
      document: { title: 'Book' },
    })
    const texts: string[] = []
    for await (const { text } of client.chunks.list(id, { limit: 100 })) texts.push(text)
    const ratios: number[] = []
    const rates = { whole: [] as number[], bare: [] as number[] }
    // The first round warms both up.
    for (let number = 0; number <= ROUNDS[run.length]; number++) {
      const alone = texts.length / (await embedBare(bare, texts))
      const whole = texts.length / (await embedWhole(scene, id, texts.length))
      if (number === 0) continue
      rates.whole.push(whole)
      rates.bare.push(alone)
      ratios.push(whole / alone)
      run.say(`embedding ${number}: ${round(whole, 1)} of ${round(alone, 1)} chunks/s = ${round(whole / alone)}`)
    }
    const ratio = round(median(ratios))
    const figure = `embedding ${ratio} (${round(median(rates.whole), 1)} of ${round(median(rates.bare), 1)} chunks/s, ${texts.length} chunks of ${PAGES[run.length]} pages, ${model_threads} threads)`
    return { figure, is_met: ratio >= GOAL }
  } finally {
    bare.kill()
  }
}

/** Both in seconds. */
async function embedBare(bare: ChildProcess, texts: readonly string[]): Promise<number> {
  bare.send([...texts])
  const [{ count, ms }] = (await once(bare, 'message')) as [{ count: number; ms: number }]
  if (count !== texts.length) throw new Error(`${count} of ${texts.length} texts were embedded`)
  return ms / 1000
}

async function embedWhole({ client }: OutcomeRatioScene, document_id: string, count: number): Promise<number> {
  const began = performance.now()
  const asked = { document_id: document_id as never, encoding_format: 'base64', cache: 'bypass' } as const
  let made = await client.embeddings.create(asked, { wait_seconds: 60 })
  while (made.status === 'queued' || made.status === 'running')
    made = await client.embeddings.get(made.id, {}, { wait_seconds: 60 })
  const seconds = (performance.now() - began) / 1000
  if (made.status !== 'succeeded' || made.data.length !== count)
    throw new Error(`the embedding is ${made.status}: ${made.error?.code}`)
  return seconds
}
