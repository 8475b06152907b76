// CPU time for vectors of a document of 160 pages: asked for over HTTP, made by a job, stored; against a process that only runs the model.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { required } from '../../base/src/required.ts'
import { minilm } from '../../server/src/ai/engine/specs.ts'
import { makeBook } from '../lib/book.ts'
import { compareCosts } from '../lib/costs.ts'
import type { ProofOutcome } from '../lib/proof.ts'
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
  const { share, figure, of } = await compareCosts(
    run,
    { name: 'embedding', pairs: 2 },
    {
      bare: { pids: [required(bare.pid, 'process')], connections: null, slice: () => embedBare(bare, texts) },
      ours: {
        pids: scene.pids,
        connections: { database: world.database.name, is_bare: false },
        slice: () => embedWhole(scene, id, texts.length),
      },
    },
  )
  const rates = `${of('ours', 'per_second', 0)} of ${of('bare', 'per_second', 0)} chunks/s on ${model_threads} threads`
  return { figure: `embedding ${figure}, ${rates}, ${texts.length} chunks`, is_met: share >= GOAL }
}

/** Both return the number of vectors. */
async function embedBare(bare: ChildProcess, texts: readonly string[]): Promise<number> {
  bare.send([...texts])
  const [count] = (await once(bare, 'message')) as [number]
  if (count !== texts.length) throw new Error(`${count} of ${texts.length} texts were embedded`)
  return texts.length
}

async function embedWhole({ client }: OutcomeRatioScene, document_id: string, count: number): Promise<number> {
  const asked = { document_id: document_id as never, encoding_format: 'base64', cache: 'bypass' } as const
  let made = await client.embeddings.create(asked, { wait_seconds: 60 })
  while (made.status === 'queued' || made.status === 'running')
    made = await client.embeddings.get(made.id, {}, { wait_seconds: 60 })
  if (made.status !== 'succeeded' || made.data.length !== count)
    throw new Error(`the embedding is ${made.status}: ${made.error?.code}`)
  return count
}
