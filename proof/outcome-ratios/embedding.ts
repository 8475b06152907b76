// Vectors of a document of 160 pages: asked for over HTTP, made by a job, stored; against a process that only runs the model.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { minilm } from '../../server/src/ai/engine/specs.ts'
import { makeBook } from '../lib/book.ts'
import type { ProofOutcome } from '../lib/proof.ts'
import { compareSides } from '../lib/rounds.ts'
import { defer } from '../lib/scope.ts'
import type { OutcomeRatioScene } from './scene.ts'

const GOAL = 0.85
const PAGES = { short: 40, normal: 160, long: 160 }

export async function compareEmbedding(scene: OutcomeRatioScene): Promise<ProofOutcome> {
  const { run, client, world } = scene
  const { models_dir, model_threads } = world.app.config
  const bare = fork(new URL('./bare-embedder.ts', import.meta.url), [
    join(models_dir!, minilm.folder),
    String(model_threads),
  ])
  await using _bare = defer(() => bare.kill())
  await once(bare, 'message')
  const book = await makeBook({ pages: PAGES[run.length] })
  const { id } = await client.documents.createAndWait(new Blob([Uint8Array.from(book)]), {
    document: { title: 'Book' },
  })
  const texts: string[] = []
  for await (const { text } of client.chunks.list(id, { limit: 100 })) texts.push(text)
  const { ratio, rates } = await compareSides(
    run,
    { name: 'embedding', by: 'per_second', unit: 'chunks/s', has_warm_up: true },
    {
      bare: async () => ({ per_second: texts.length / (await embedBare(bare, texts)) }),
      ours: async () => ({ per_second: texts.length / (await embedWhole(scene, id, texts.length)) }),
    },
  )
  const figure = `embedding ${ratio} (${rates}, ${texts.length} chunks of ${PAGES[run.length]} pages, ${model_threads} threads)`
  return { figure, is_met: ratio >= GOAL }
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
