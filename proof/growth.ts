// A request costs the same among five million documents as among a thousand.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Octavo } from '@octavo/sdk'
import pg from 'pg'
import { findUuid, newId, toId } from '../server/src/lib/ids.ts'
import { fieldsOf } from '../server/src/resources/documents/documents.service.ts'
import { findDocument, insertDocument, listDocuments } from '../server/src/resources/documents/documents.store.ts'
import { explainer, type GrowthMeasurement } from './growth/buffers.ts'
import { type GrowthSize, seed } from './growth/seed.ts'
import { asAdmin } from './lib/admin.ts'
import { change } from './lib/change.ts'
import { type Proof, type ProofOutcome, type ProofRun, round } from './lib/proof.ts'
import { compareRequests } from './lib/requests.ts'
import { defer } from './lib/scope.ts'
import { type ApiProcess, openWorld, type World } from './lib/world.ts'

const MAX_RATIO = 1.2
/** Requests each second. */
const RATE = 50
const MAX_MORE_BUFFERS = 2
const SMALL: GrowthSize = { tenants: 2, documents: 1_000, own: 1_000 }
const SIZES: Record<ProofRun['length'], GrowthSize> = {
  short: { tenants: 500, documents: 200_000, own: 20_000 },
  normal: { tenants: 10_000, documents: 5_000_000, own: 100_000 },
  long: { tenants: 10_000, documents: 5_000_000, own: 100_000 },
}

export const proof: Proof = {
  promise: 'A request costs the same in a database with millions of rows as in one with a thousand.',
  goal: 'CPU time of server and PostgreSQL <= 1.2 x, buffers <= 2 more for each index probe: GET, list, list of two projects, POST; 10,000 tenants, 5,000,000 documents',
  faults: {
    project_filter: {
      what: 'a caller limited to projects is kept to them by a filter over the whole list',
      plants: [
        change('listRows', 'const filter = source.visible ??', 'const filter = `${source.project} = any($2)` ??'),
      ],
    },
  },
  run: prove,
}

interface Side {
  world: World
  api: ApiProcess
  size: GrowthSize
  tenant: string
  client: Octavo
  limited: Octavo
  projects: string[]
}

async function openSide(run: ProofRun, size: GrowthSize): Promise<Side> {
  const world = await openWorld(run.plants, { TIER_SELF_HOSTED: 'requests_per_minute:100000000' })
  const { tenant, key } = await world.newTenant()
  await asAdmin(world.database.name, (client) => seed(client, findUuid('ten', tenant)!, size, run.say))
  const { rows } = await asAdmin(world.database.name, (client) =>
    client.query<{ id: string }>('select id from projects order by id limit 2'),
  )
  const projects = rows.map((row) => row.id)
  const limited = await world.newKey(tenant, { project_ids: projects.map((id) => toId('proj', id)) })
  const api = await world.startApi()
  return {
    world,
    api,
    size,
    tenant: findUuid('ten', tenant)!,
    client: key.client(api.url),
    limited: limited.client(api.url),
    projects,
  }
}

const documentAt = (n: number): string => {
  const hex = (1_700_000_000_000 + n).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7200-8${n.toString(16).padStart(15, '0').slice(0, 3)}-${n.toString(16).padStart(15, '0').slice(3)}`
}
const randomDocument = (side: Side): string => toId('doc', documentAt(1 + Math.floor(Math.random() * side.size.own)))

const requests: Record<string, (side: Side) => Promise<unknown>> = {
  get: (side) => side.client.documents.get(randomDocument(side)),
  list: (side) => Promise.resolve(side.client.documents.list({ limit: 50 })),
  limited_list: (side) => Promise.resolve(side.limited.documents.list({ limit: 50 })),
  post: (side) =>
    side.client.documents.create({
      title: 'New',
      project_id: toId('proj', side.projects[0]!),
      source: { type: 'text', text: 'A page' },
    }),
}

function show(values: Record<string, number>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${round(value)}`)
    .join(', ')
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  const large = await openSide(run, SIZES[run.length])
  await using _large = defer(() => large.world.close())
  const small = await openSide(run, SMALL)
  await using _small = defer(() => small.world.close())
  await sleep(1_000)
  const more = await measureBuffers(run, small, large)
  const ratios = await measureCosts(run, small, large)
  const worst = Math.max(...Object.values(ratios))
  const most = Math.max(...Object.values(more))
  const figure = `${SIZES[run.length].documents} documents: CPU time x ${show(ratios)}; buffers more for each index probe: ${show(more)}`
  return { figure, is_met: worst <= MAX_RATIO && most <= MAX_MORE_BUFFERS }
}

async function measureCosts(run: ProofRun, small: Side, large: Side): Promise<Record<string, number>> {
  const ratios: Record<string, number> = {}
  for (const [name, request] of Object.entries(requests)) {
    const costsOf = (side: Side) => ({
      pids: [side.api.pid],
      connections: { database: side.world.database.name, is_bare: false },
      request: () => request(side),
    })
    const sides = { ours: costsOf(large), bare: costsOf(small) }
    ratios[name] = 1 / (await compareRequests(run, { name, rate: RATE, clients: 4 }, sides)).share
  }
  return ratios
}

async function readBuffers(side: Side): Promise<Record<string, GrowthMeasurement>> {
  const client = new pg.Client({ connectionString: side.world.database.app_url })
  await client.connect()
  const page = { after: null, limit: 50, offset: 0, is_descending: true }
  const row = {
    ...fieldsOf({ title: 'New' }),
    project_id: toId('proj', side.projects[0]!),
    parent_document_id: null,
    source: null,
    processing: null,
    file_id: null,
    status: 'ready',
    media_type: null,
    size_bytes: null,
    sha256: null,
    latest_job_id: null,
    page_count: 0,
  } as const
  const whole = explainer(client, side.tenant, null)
  const limited = explainer(client, side.tenant, side.projects)
  for (let warm = 0; warm < 2; warm++) {
    whole.readings.length = limited.readings.length = 0
    await findDocument(whole.handle, randomDocument(side))
    await listDocuments(whole.handle, {}, page)
    await insertDocument(whole.handle, { ...row, id: newId('doc') })
    await listDocuments(limited.handle, {}, page)
  }
  await client.end()
  const [get, list, post] = whole.readings as [GrowthMeasurement, GrowthMeasurement, GrowthMeasurement]
  return { get, list, post, limited_list: limited.readings[0]! }
}

/** The more that a bigger database costs, for each index that was touched: a tree that is higher. */
async function measureBuffers(run: ProofRun, small: Side, large: Side): Promise<Record<string, number>> {
  const [few, many] = [await readBuffers(small), await readBuffers(large)]
  return Object.fromEntries(
    Object.entries(many).map(([name, reading]) => {
      run.say(
        `${name}: ${few[name]!.buffers} buffers among ${small.size.documents}, ${reading.buffers} among ${large.size.documents}, ${reading.probes} index probes`,
      )
      return [name, Math.max(0, reading.buffers - few[name]!.buffers) / Math.max(1, reading.probes)]
    }),
  )
}
