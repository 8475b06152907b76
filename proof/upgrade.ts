// The previous release is upgraded under load, rolled back and upgraded again.

import type { Octavo } from '@octavo/sdk'
import pg from 'pg'
import { messageOf } from '../base/src/unknown.ts'
import { createDatabase } from '../server/src/testing/database.ts'
import { freePort } from '../server/src/testing/port.ts'
import { differs, type Proof, type ProofOutcome, type ProofRun } from './lib/proof.ts'
import { defer } from './lib/scope.ts'
import { openWorld, ROOT, type ServerProcess, type World } from './lib/world.ts'
import { Load, openSdk } from './upgrade/load.ts'
import { openPreviousRelease, runProgram } from './upgrade/release.ts'

const CALLS = { short: 60, normal: 600, long: 3_000 }
const EARLIER_DOCUMENTS = 5

/** Migrations that break the previous release, by fault. They run after those of the repository. */
const BREAKING: Record<string, string> = {
  required_column: `alter table documents add column reviewer text not null default ''; alter table documents alter column reviewer drop default`,
  renamed_column: 'alter table documents rename column title to name',
  removed_right: 'revoke update on jobs from octavo_app',
}

export const proof: Proof = {
  promise: 'An upgrade under load and the way back fail no call.',
  goal: 'data and processes of the previous release, called by its SDK; migrate, replace two API processes and two workers one after another, go back to the previous release on the new schema, and forward again: 0 failed calls, every acknowledged document ready, earlier resources unchanged in every phase',
  faults: {
    required_column: { what: 'a migration adds a column that the previous release does not fill', plants: [] },
    renamed_column: { what: 'a migration renames a column that the previous release reads', plants: [] },
    removed_right: { what: 'a migration revokes a right that the previous release uses', plants: [] },
  },
  run: prove,
}

interface Scene {
  run: ProofRun
  old: World
  current: World
  port: string
  client: Octavo
  load: Load
  apis: ServerProcess[]
  workers: ServerProcess[]
  figures: string[]
  findings: string[]
  earlier: Snapshot
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  const release = await openPreviousRelease()
  const database = await createDatabase(true)
  await using _database = defer(() => database.drop())
  const env = { TIER_SELF_HOSTED: 'requests_per_minute:10000000', OCTAVO_MODELS_DIR: '', DRAIN_MS: '1000' }
  await using old = await openWorld([], env, database, release.root)
  await runProgram(release.root, old.env, 'migrate.ts')
  const created = await runProgram(release.root, old.env, 'admin.ts', 'create-tenant', 'Proof')
  const [api_key = ''] = /oct_key_\w+/.exec(created) ?? []
  await using current = await openWorld(run.plants, env, database)
  const port = String(await freePort())
  const apis = [await old.startApi({ PORT: port }), await old.startApi({ PORT: port })]
  const workers = [await old.startWorker(), await old.startWorker()]
  const PreviousSdk = await openSdk(release.root)
  const client = new PreviousSdk({ base_url: `http://127.0.0.1:${port}`, api_key })
  const load = new Load(client)
  load.start()
  const scene: Scene = {
    run,
    old,
    current,
    port,
    client,
    load,
    apis,
    workers,
    figures: [],
    findings: [],
    earlier: new Map(),
  }
  await using _load = defer(() => load.stop())
  await runPhases(scene)
  await load.stop()
  await checkDocuments(scene)
  return judge(scene, release.version)
}

async function runPhases(scene: Scene): Promise<void> {
  const { old, current, load, client, run } = scene
  const phases: [name: string, change: () => Promise<unknown>][] = [
    ['previous release', () => Promise.resolve()],
    ['its processes on the new schema', () => migrate(scene)],
    ['upgraded', () => replaceAll(scene, current)],
    ['rolled back', () => replaceAll(scene, old)],
    ['upgraded again', () => replaceAll(scene, current)],
  ]
  for (const [name, change] of phases) {
    const { calls, failed } = load.tally
    await change()
    await load.run(CALLS[run.length])
    if (scene.earlier.size === 0) scene.earlier = await readEarlier(client, load.tally.documents)
    else scene.findings.push(...(await compareEarlier(client, scene.earlier)).map((one) => `${name}: ${one}`))
    const figure = `${name}: ${load.tally.calls - calls} calls, ${load.tally.failed - failed} failed`
    scene.figures.push(figure)
    run.say(figure)
    if (load.tally.failed > 0) return
  }
}

async function migrate({ current, run }: Scene): Promise<void> {
  await runProgram(ROOT, current.env, 'migrate.ts')
  const breaking = run.fault === null ? undefined : BREAKING[run.fault]
  if (breaking === undefined) return
  const owner = new pg.Client({ connectionString: current.database.owner_url })
  await owner.connect()
  try {
    await owner.query(breaking)
  } finally {
    await owner.end()
  }
}

/** One process after another, API processes and workers in turn. */
async function replaceAll({ apis, workers, port }: Scene, world: World): Promise<void> {
  for (const index of [0, 1]) {
    await apis[index]?.stop()
    apis[index] = await world.startApi({ PORT: port })
    await workers[index]?.stop()
    workers[index] = await world.startWorker()
  }
}

/** Documents that the previous release made, with their pages and jobs, by id. */
type Snapshot = Map<string, object>

async function readEarlier(client: Octavo, documents: readonly string[]): Promise<Snapshot> {
  const { data } = await client.documents.list({ limit: 100 })
  const finished = data.filter(
    ({ id, status, title }) => documents.includes(id) && status === 'ready' && title === 'Lease, signed',
  )
  return readAnswers(
    client,
    finished.slice(-EARLIER_DOCUMENTS).map(({ id }) => id),
  )
}

async function readAnswers(client: Octavo, ids: readonly string[]): Promise<Snapshot> {
  const snapshot: Snapshot = new Map()
  for (const id of ids) {
    const [document, pages, jobs] = await Promise.all([
      client.documents.get(id),
      client.pages.list(id),
      client.jobs.list({ document_id: id }),
    ])
    snapshot.set(id, { document, pages: pages.data, jobs: jobs.data })
  }
  return snapshot
}

async function compareEarlier(client: Octavo, earlier: Snapshot): Promise<string[]> {
  const found = await readAnswers(client, [...earlier.keys()]).catch(messageOf)
  if (typeof found === 'string') return [`earlier documents cannot be read: ${found}`]
  return [...earlier].flatMap(([id, before]) => differs(id, withFieldsOf(before, found.get(id)), before))
}

/** Without the fields that a newer release has added. */
function withFieldsOf(before: unknown, now: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(now)) return now.map((one, index) => withFieldsOf(before[index], one))
  if (before === null || now === null || typeof before !== 'object' || typeof now !== 'object') return now
  const values = new Map<string, unknown>(Object.entries(now))
  return Object.fromEntries(Object.entries(before).map(([key, value]) => [key, withFieldsOf(value, values.get(key))]))
}

/** Every acknowledged document exists once and is ready. */
async function checkDocuments({ client, load, findings }: Scene): Promise<void> {
  if (load.tally.failed > 0) return
  const statuses = new Map<string, string>()
  for await (const { id, status } of client.documents.list({ limit: 100 })) statuses.set(id, status)
  const lost = load.tally.documents.filter((id) => statuses.get(id) !== 'ready')
  if (lost.length > 0) findings.push(`${lost.length} acknowledged documents are not ready: ${lost.slice(0, 3).join()}`)
  if (statuses.size !== load.tally.documents.length)
    findings.push(`${load.tally.documents.length} documents acknowledged, ${statuses.size} exist`)
}

function judge({ run, load, figures, findings, earlier }: Scene, version: string): ProofOutcome {
  const { calls, failed, documents, reasons } = load.tally
  for (const [reason, count] of reasons) run.say(`${count} × ${reason}`)
  for (const finding of findings.slice(0, 10)) run.say(finding)
  const figure = `${version} upgraded: ${calls} calls, ${failed} failed; ${documents.length} documents acknowledged; ${earlier.size} earlier documents compared in 4 phases, ${findings.length} findings (${figures.join('; ')})`
  return { figure, is_met: failed === 0 && findings.length === 0 && earlier.size > 0 }
}
