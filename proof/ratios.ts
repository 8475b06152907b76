// CPU time of the whole request pipeline against a minimal server with the same answers, in the same run.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { NewDocument } from '@octavo/contract'
import type { Octavo } from '@octavo/sdk'
import { itemAt, required } from '../base/src/required.ts'
import { findUuid } from '../server/src/lib/ids.ts'
import { freePort } from '../server/src/testing/port.ts'
import { seed } from './growth/seed.ts'
import { adminUrl, asAdmin } from './lib/admin.ts'
import { eachOf } from './lib/call.ts'
import { change } from './lib/change.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'
import { compareRequests, type HttpRequest, httpRequests } from './lib/requests.ts'
import { defer } from './lib/scope.ts'
import { openWorld, type World } from './lib/world.ts'

const MEASURES = {
  get: { name: 'GET', goal: 0.8, rate: 200 },
  list: { name: 'list', goal: 0.85, rate: 100 },
  /** Against our own GET of a document that is ready. */
  unfinished: { name: 'unfinished', goal: 0.7, rate: 200 },
  post: { name: 'POST', goal: 0.65, rate: 60 },
} as const
type Measure = keyof typeof MEASURES
const DOCUMENTS = 100
/** PostgreSQL reads a table that has only the documents of one tenant as a whole, which no real installation sees. */
const OTHERS = { tenants: 200, documents: 20_000, own: 0 }

const DOCUMENT: NewDocument = {
  title: 'Lease',
  source: { type: 'pages', pages: [{ text: 'Lease between A and B' }, { text: 'Rent: 1,200 a month' }] },
}
const BODY = JSON.stringify(DOCUMENT)

export const proof: Proof = {
  promise: 'Authentication, limits, validation, isolation and events cost little compared with the database itself.',
  goal: `CPU time of server and PostgreSQL, as a share of ours that bare Fastify + pg + pg-boss needs: GET >= ${MEASURES.get.goal}, list of 50 >= ${MEASURES.list.goal}, POST with a key and a job >= ${MEASURES.post.goal}; GET of a ready document >= ${MEASURES.unfinished.goal} of one that is being read`,
  faults: {
    extra_round_trips: {
      what: 'the tenant is set in a transaction of its own round trips',
      plants: [
        change(
          'runOnce',
          'const rows = await run(client, steps, deadline)\n',
          'await run(client, [{ statement: BEGIN, values: [] }], deadline)\nconst all = []\nfor (const step of steps) all.push(...(await run(client, [step], deadline)))\nawait run(client, [{ statement: COMMIT, values: [] }], deadline)\nconst rows = all\n',
        ),
      ],
    },
  },
  run: prove,
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  await using world = await openWorld(run.plants, {
    RATE_LIMITS: 'on',
    LOG_LEVEL: 'info',
    // Slots without end: each job is given to the engine at once, as the bare one is, however many wait there.
    TIER_SELF_HOSTED: 'requests_per_minute:100000000,running_jobs:100000000',
  })
  return await measure(run, world)
}

/** Documents that are ready; the worker ends after that, so that nothing else uses the processor. */
async function addReady(world: World, client: Octavo): Promise<string> {
  const worker = await world.startWorker()
  const ids: string[] = []
  await eachOf(Array.from({ length: DOCUMENTS }), 4, async () => {
    ids.push((await client.documents.createAndWait(DOCUMENT)).id)
  })
  await worker.stop()
  return itemAt(ids, DOCUMENTS / 2)
}

async function measure(run: ProofRun, world: World): Promise<ProofOutcome> {
  const { tenant, key } = await world.newTenant()
  const api = await world.startApi()
  const client = key.client(api.url)
  const id = await addReady(world, client)
  const uuid = required(findUuid('ten', tenant), 'uuid')
  await asAdmin(world.database.name, (admin) => seed(admin, uuid, OTHERS, run.say))
  const port = await freePort()
  const bare = fork(new URL('./ratios/bare.ts', import.meta.url), {
    env: {
      ...process.env,
      PORT: String(port),
      BARE_DATABASE_URL: adminUrl(world.database.name),
      BARE_TENANT: uuid,
    },
  })
  await using _bare = defer(() => bare.kill())
  await once(bare, 'message')
  const side = (of: 'ours' | 'bare', toRequest: (number: number) => HttpRequest) => ({
    pids: [of === 'ours' ? api.pid : required(bare.pid, 'process')],
    connections: { database: world.database.name, is_bare: of === 'bare' },
    request: httpRequests(toRequest),
  })
  const ours = (path: string) =>
    side('ours', () => ({ url: `${api.url}/api/v1/documents${path}`, headers: { authorization } }))
  const ofBare = (path: string) => side('bare', () => ({ url: `http://127.0.0.1:${port}/documents${path}` }))
  const authorization = `Bearer ${key.secret}`
  const headers = { 'content-type': 'application/json' }
  let keys = 0
  const post = {
    bare: side('bare', () => ({ url: `http://127.0.0.1:${port}/documents`, headers, body: BODY })),
    ours: side('ours', () => ({
      url: `${api.url}/api/v1/documents`,
      headers: { ...headers, authorization, 'idempotency-key': `ratios-${keys++}` },
      body: BODY,
    })),
  }
  const unfinished = (await client.documents.create(DOCUMENT)).id
  // POST is last: its rows would be in the way of the others.
  const sides = {
    get: { bare: ofBare(`/${findUuid('doc', id)}`), ours: ours(`/${id}`) },
    list: { bare: ofBare(''), ours: ours('?limit=50') },
    unfinished: { bare: ours(`/${id}`), ours: ours(`/${unfinished}`) },
    post,
  }
  return await compareAll(run, sides)
}

async function compareAll(
  run: ProofRun,
  sides: Record<Measure, Parameters<typeof compareRequests>[2]>,
): Promise<ProofOutcome> {
  const figures: string[] = []
  let is_met = true
  for (const measure of ['get', 'list', 'unfinished', 'post'] as const) {
    if (run.only !== null && run.only !== measure) continue
    const { name, rate, goal } = MEASURES[measure]
    const { share, figure } = await compareRequests(run, { name, rate }, sides[measure])
    figures.push(`${name} ${figure}`)
    is_met &&= share >= goal
  }
  return { figure: figures.join('; '), is_met }
}
