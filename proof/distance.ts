// Latency of requests whose database is not on the same machine. One API process reaches it directly, another through a
// proxy that delays what the process sends.

import type { NewDocument } from '@octavo/contract'
import type { Octavo } from '@octavo/sdk'
import { weightsDir } from '../server/src/testing/weights.ts'
import { change } from './lib/change.ts'
import { median, type Proof, type ProofOutcome, type ProofRun, round } from './lib/proof.ts'
import { openProxy, through } from './lib/proxy.ts'
import { owned } from './lib/scope.ts'
import { openWorld, type World } from './lib/world.ts'

/** Usual between two machines of one zone, and so far that round trips can be counted on a busy machine. */
const DISTANCES_MS = { usual: 2, far: 25 }
const MOST_TRIPS = 3
const PAIRS = { short: 15, normal: 60, long: 200 }
const WARM_UP = 6

const DOCUMENT: NewDocument = {
  title: 'Lease',
  source: { type: 'pages', pages: [{ text: 'Lease between A and B' }, { text: 'Rent: 1,200 a month' }] },
}

export const proof: Proof = {
  promise: 'A database on another machine makes requests slower by at most three round trips.',
  goal: `GET, list of 50, POST with a key and hybrid search: median latency with a database ${DISTANCES_MS.far} ms away, less the one without a distance: at most ${MOST_TRIPS} distances; the latency at ${DISTANCES_MS.usual} ms is published`,
  faults: {
    claim_alone: {
      what: 'the claim of the Idempotency-Key and the lock of found documents have their own round trips',
      plants: [change('Tx', 'this.may_assume = may_assume', 'this.may_assume = false')],
    },
  },
  run: prove,
}

type Operation = (client: Octavo) => Promise<unknown>

async function prove(run: ProofRun): Promise<ProofOutcome> {
  await using world = await openWorld(run.plants, { RATE_LIMITS: 'off', OCTAVO_MODELS_DIR: weightsDir() })
  const { hostname: host, port } = new URL(world.database.app_url)
  let delay_ms = 0
  await using proxy = owned(await openProxy({ host, port: Number(port) }, () => delay_ms))
  const { key } = await world.newTenant()
  const near = key.client((await world.startApi()).url)
  const direct = { DATABASE_URL: through(world.database.app_url, proxy), DATABASE_DIRECT_URL: world.database.app_url }
  const far = key.client((await world.startApi(direct)).url)
  const id = await addReady(world, near)
  const operations: Record<string, Operation> = {
    GET: (client) => client.documents.get(id),
    list: (client) => client.documents.list({ limit: 50 }),
    POST: (client) => client.documents.create(DOCUMENT),
    search: (client) => client.searches.create({ query: 'How high is the rent?' }),
  }
  const figures: string[] = []
  let is_met = true
  for (const [name, operation] of Object.entries(operations)) {
    const compare = async (distance_ms: number) => {
      delay_ms = distance_ms
      return measure(
        () => operation(near),
        () => operation(far),
        PAIRS[run.length],
      )
    }
    const usual = await compare(DISTANCES_MS.usual)
    const distant = await compare(DISTANCES_MS.far)
    const trips = (distant.far_ms - distant.near_ms) / DISTANCES_MS.far
    figures.push(
      `${name} ${round(usual.far_ms, 1)} ms (${round(usual.near_ms, 1)} ms without), ${round(trips, 1)} round trips`,
    )
    run.say(figures.at(-1) ?? '')
    is_met &&= Math.round(trips) <= MOST_TRIPS
  }
  return { figure: `database ${DISTANCES_MS.usual} ms away: ${figures.join('; ')}`, is_met }
}

/** Documents that are ready; the worker ends after that, so that nothing else uses the processor. */
async function addReady(world: World, client: Octavo): Promise<string> {
  const worker = await world.startWorker()
  const { id } = await client.documents.createAndWait(DOCUMENT)
  await worker.stop()
  return id
}

/** Medians; both sides alternate, so that they meet the same machine. */
async function measure(
  near: () => Promise<unknown>,
  far: () => Promise<unknown>,
  pairs: number,
): Promise<{ near_ms: number; far_ms: number }> {
  const times = { near: [] as number[], far: [] as number[] }
  for (let i = -WARM_UP; i < pairs; i++) {
    for (const [side, send] of [
      ['near', near],
      ['far', far],
    ] as const) {
      const began = performance.now()
      await send()
      if (i >= 0) times[side].push(performance.now() - began)
    }
  }
  return { near_ms: median(times.near), far_ms: median(times.far) }
}
