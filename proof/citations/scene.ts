// Shared by the parts: models that quote, a server that uses them, and documents whose cited text is kept for
// comparison.

import type { Octavo } from '@octavo/sdk'
import { startProvider, type TestProvider } from '../../server/src/testing/provider.ts'
import { eachOf } from '../lib/call.ts'
import { writeCatalogue } from '../lib/catalogue.ts'
import type { ProofRun } from '../lib/proof.ts'
import { announceSeed, newRandom, type Random } from '../lib/random.ts'
import { openWorld, type World } from '../lib/world.ts'
import { makeCorpus, type Specimen } from './corpus.ts'
import { answerOf, type CitationsNotice, type CitationsWriter, writers } from './writers.ts'

/** Quotes exactly but slowly, so that pages are corrected while it runs. */
export const SLOW = 'slow'
/** Reads few words at once, so that long documents are read in parts. */
export const SMALL = 'small'
const SLOW_MS = 600
export const AT_ONCE = 4

export interface CitationsScene {
  run: ProofRun
  world: World
  client: Octavo
  random: Random
  slow: TestProvider
  told: Record<CitationsWriter, CitationsNotice>
  documents: MadeDocument[]
  /** By the hash of the text: what stood on a page, or came with a request. */
  texts: Map<string, string>
  close(): Promise<void>
}

export interface MadeDocument {
  id: string
  title: string
  pages: { id: string; number: number; text: string }[]
}

export async function openScene(run: ProofRun): Promise<CitationsScene> {
  const random = newRandom(announceSeed(run))
  const [stub, slow] = await Promise.all([startProvider(), startProvider({ delay_ms: SLOW_MS })])
  const told = Object.fromEntries(writers.map((writer) => [writer, { quotes: 0 }])) as Record<
    CitationsWriter,
    CitationsNotice
  >
  for (const writer of writers) stub.say(writer, answerOf(writer, random.fork(writer), told[writer]))
  stub.say(SMALL, answerOf('honest', random.fork(SMALL), told.honest))
  slow.say(SLOW, answerOf('honest', random.fork(SLOW), { quotes: 0 }))
  const catalogue = writeCatalogue([
    ...writers.map((model) => ({ model, base_url: stub.url, context_tokens: 32_000 })),
    { model: SMALL, base_url: stub.url, context_tokens: 3_600 },
    { model: SLOW, base_url: slow.url },
  ])
  const world = await openWorld(run.plants, { MODELS_FILE: catalogue.path, RATE_LIMITS: 'off' })
  const close = async (): Promise<void> => {
    await world.close()
    await Promise.all([stub.close(), slow.close(), catalogue.remove()])
  }
  try {
    const { key } = await world.newTenant()
    const [api] = await Promise.all([world.startApi(), world.startWorker()])
    const client = key.client(api.url, { timeout_ms: 120_000, max_retries: 4 })
    const scene: CitationsScene = { run, world, client, random, slow, told, documents: [], texts: new Map(), close }
    const specimens = await makeCorpus(run.length === 'short')
    await eachOf(specimens, AT_ONCE, async (specimen) => void scene.documents.push(await addDocument(scene, specimen)))
    return scene
  } catch (error) {
    await close()
    throw error
  }
}

async function addDocument(scene: CitationsScene, { title, pages, file }: Specimen): Promise<MadeDocument> {
  const source = file
    ? ({
        type: 'base64',
        media_type: file.media_type,
        file_name: file.name,
        data: Buffer.from(file.bytes).toString('base64'),
      } as const)
    : ({ type: 'pages', pages: pages!.map((text) => ({ text })) } as const)
  const { id, status, error } = await scene.client.documents.createAndWait({ title, source })
  if (status !== 'ready') throw new Error(`'${title}' is ${status}: ${error?.code} ${error?.message}`)
  const document: MadeDocument = { id, title, pages: [] }
  await rememberPages(scene, document)
  return document
}

export async function rememberPages({ client, texts }: CitationsScene, document: MadeDocument): Promise<void> {
  document.pages = []
  for await (const { id, number, text, sha256 } of client.pages.list(document.id, { limit: 100 })) {
    document.pages.push({ id, number, text })
    texts.set(sha256, text)
  }
}
