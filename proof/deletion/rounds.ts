// Searches for documents while they are deleted. A request sent after the 204 must not return them, and earlier
// outcomes that used them must be gone.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, NewSearch, Octavo, Search } from '@octavo/sdk'
import { startProvider } from '../../server/src/testing/provider.ts'
import { writeCatalogue } from '../lib/catalogue.ts'
import type { ProofRun } from '../lib/proof.ts'
import { announceSeed, newRandom, type Random } from '../lib/random.ts'
import { defer, owned } from '../lib/scope.ts'
import { openWorld } from '../lib/world.ts'

const ROUNDS = { short: 300, normal: 10_000, long: 30_000 }
const LANES = 4
const DOCUMENTS_OF_A_LANE = 25
const EMBEDDER = 'embedder'
const DIMENSIONS = 32
/** How long before its deletion something is asked of a document. */
const AHEAD_MS = 25
const SUMMARY_SHARE = 0.2
const TELL_EVERY = 1_000

const ways = ['keyword', 'semantic', 'hybrid', 'answer'] as const
type DeletionMethod = (typeof ways)[number]

export interface Rounds {
  rounds: number
  /** Documents that the last search before their deletion has found. */
  seen: number
  /** Requests that ran during the deletion: how many returned the document, and how many did not. */
  racing: { told: number; silent: number }
  searches: number
  findings: string[]
}

interface Lane {
  client: Octavo
  name: string
  random: Random
  found: Rounds
}

export async function searchWhileDeleting(run: ProofRun): Promise<Rounds> {
  const random = newRandom(announceSeed(run))
  await using stub = owned(await startProvider({ dimensions: DIMENSIONS }))
  const catalogue = writeCatalogue([{ model: EMBEDDER, base_url: stub.url, dimensions: DIMENSIONS }], {
    embedder: EMBEDDER,
  })
  await using _catalogue = defer(() => catalogue.remove())
  const env = {
    RATE_LIMITS: 'off',
    MODELS_FILE: catalogue.path,
    OCTAVO_MODELS_DIR: '',
    CHAT_BASE_URL: '',
    CHAT_MODEL: '',
  }
  await using world = await openWorld(run.plants, env)
  const found: Rounds = { rounds: 0, seen: 0, racing: { told: 0, silent: 0 }, searches: 0, findings: [] }
  const [api] = await Promise.all([world.startApi(), world.startWorker()])
  const { key } = await world.newTenant()
  const lanes = Array.from({ length: LANES }, async (_, i) => {
    const lane: Lane = {
      client: key.client(api.url, { timeout_ms: 60_000 }),
      name: `lane-${i}`,
      random: random.fork(`lane ${i}`),
      found,
    }
    while (found.rounds < ROUNDS[run.length] && !isCaught(run, found)) await deleteSome(lane, run)
  })
  await Promise.all(lanes)
  return found
}

const isCaught = ({ fault }: ProofRun, { findings }: Rounds): boolean => fault !== null && findings.length > 0

async function deleteSome(lane: Lane, run: ProofRun): Promise<void> {
  const ids = await makeSome(lane)
  let before = await search(lane, lane.random.one(ways))
  for (const id of ids) {
    before = await deleteOne(lane, id, before)
    const { rounds, searches } = lane.found
    if (rounds % TELL_EVERY === 0)
      run.say(`${rounds} rounds, ${searches} searches, ${lane.found.findings.length} findings`)
    if (isCaught(run, lane.found)) return
  }
}

let count = 0
async function makeSome({ client, name }: Lane): Promise<string[]> {
  const inputs = Array.from({ length: DOCUMENTS_OF_A_LANE }, () => {
    const text = `The lease of lot ${++count} in Quill Street begins in May. Its rent is due on the third day of each month.`
    return { title: `Lease ${count}`, metadata: { lane: name }, source: { type: 'text' as const, text } }
  })
  const batch = await client.jobs.create({ type: 'documents', inputs })
  await client.jobs.wait(batch.id)
  const ids: string[] = []
  for await (const { document_id, status } of client.jobs.list({ parent_job_id: batch.id, limit: 100 }))
    if (document_id !== null && status === 'succeeded') ids.push(document_id)
  if (ids.length < inputs.length) throw new Error(`${ids.length} of ${inputs.length} documents were made`)
  return ids
}

/** Documents that a search or an answer returned. */
interface DeletionNotice {
  way: DeletionMethod
  id: string
  document_ids: Set<string>
}

const toldBy = (outcome: Search | Answer): Set<string> => {
  const places =
    'results' in outcome
      ? outcome.results
      : [...outcome.passages, ...outcome.sentences.flatMap(({ citations }) => citations)]
  return new Set(places.flatMap(({ document_id }) => document_id ?? []))
}

/** All documents of the lane can be found by it. */
async function search({ client, name, found }: Lane, way: DeletionMethod): Promise<DeletionNotice> {
  found.searches++
  const filters = { metadata: { lane: name } }
  const query = 'When is the rent of the lease due?'
  const asked: NewSearch = { query, filters, limit: 100 }
  const outcome =
    way === 'answer'
      ? await client.answers.create({ question: query, filters })
      : await client.searches.create({ ...asked, mode: way })
  return { way, id: outcome.id, document_ids: toldBy(outcome) }
}

const isGone = (error: unknown): boolean => (error as { code?: string }).code === 'not_found'

/** null: it is not there. */
async function readAgain({ client }: Lane, { way, id }: DeletionNotice): Promise<Set<string> | null> {
  const read: Promise<Search | Answer> = way === 'answer' ? client.answers.get(id) : client.searches.get(id)
  return read.then(toldBy, (error: unknown) => {
    if (isGone(error)) return null
    throw error
  })
}

/** `before`: the last search that ended before. The answer is the first that began after the deletion. */
async function deleteOne(lane: Lane, id: string, before: DeletionNotice): Promise<DeletionNotice> {
  const { client, random, found } = lane
  const summary =
    random.next() < SUMMARY_SHARE ? await client.summaries.create({ document_ids: [id] }, { wait_seconds: 0 }) : null
  const racing = search(lane, random.one(ways))
  await sleep(random.between(0, AHEAD_MS))
  await client.documents.remove(id)
  const after = await search(lane, random.one(ways))
  const raced = await racing

  const say = (what: string): void => void found.findings.push(`${id}: ${what}`)
  if (after.document_ids.has(id)) say(`${after.way} found it after the 204`)
  for (const told of [before, raced])
    if ((await readAgain(lane, told))?.has(id))
      say(`${told.way} ${told.id} of before the 204 can be read and tells of it`)
  if (summary && (await isReadable(client, summary.id))) say(`its summary ${summary.id} can be read after the 204`)
  found.rounds++
  if (before.way !== 'answer' && before.document_ids.has(id)) found.seen++
  else if (before.way !== 'answer') say(`${before.way} did not find it before it was deleted`)
  found.racing[raced.document_ids.has(id) ? 'told' : 'silent']++
  return after
}

const isReadable = (client: Octavo, id: string): Promise<boolean> =>
  client.summaries.get(id).then(
    () => true,
    (error: unknown) => !isGone(error),
  )
