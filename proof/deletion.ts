// Deleted is deleted: at once for everybody who asks, and soon after for whoever looks at the disks.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Octavo } from '@octavo/sdk'
import { faults, isHidden } from './deletion/faults.ts'
import { type DeletionOutput, makeDocuments, scanOf, waitForReady } from './deletion/make.ts'
import { WORD } from './deletion/outcomes.ts'
import { listReadable, type Path, pathsOf } from './deletion/probe.ts'
import { type Rounds, searchWhileDeleting } from './deletion/rounds.ts'
import { listTraces } from './deletion/traces.ts'
import type { ProofCaller } from './lib/call.ts'
import { type Proof, type ProofOutcome, type ProofRun, partOf, proveParts } from './lib/proof.ts'
import { defer } from './lib/scope.ts'
import { type Driver, drivers, openStore, type Store } from './lib/stores.ts'
import { openWorld, type World } from './lib/world.ts'

const PURGE_MS = 60_000
/** Documents that are deleted while they are read. */
const HASTY = { short: 2, normal: 6, long: 20 }

export const proof: Proof = {
  promise: 'Nothing of a deleted document can be read by any path, and after its purge none of its bytes are stored.',
  goal: 'documents by form, base64, upload, upload in parts and text, on both drivers: 0 paths readable after 204 (outcomes of them and searches among these), 0 objects and 0 rows with a word of theirs after the purge; other documents unchanged; 10,000 documents deleted while they are searched for, by keyword, meaning, both and with questions: 0 found after 204, 0 outcomes of them readable (short: 300)',
  faults,
  run: prove,
}

interface DeletionResult {
  paths: number
  readable: string[]
  left: string[]
  traces: string[]
  other: string[]
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  const wanted = run.fault === null ? [provePaths, proveSearches] : [isHidden(run.fault) ? proveSearches : provePaths]
  return proveParts(
    run,
    wanted.map((part) => async () => partOf(await part(run))),
  )
}

async function proveSearches(run: ProofRun): Promise<ProofOutcome> {
  const found: Rounds = await searchWhileDeleting(run)
  for (const finding of found.findings.slice(0, 10)) run.say(finding)
  const { rounds, searches, racing, findings } = found
  const figure = `${rounds} documents deleted among ${searches} searches, ${racing.told} of those under way returned them and ${racing.silent} did not: ${findings.length} findings`
  return { figure, is_met: findings.length === 0 }
}

async function provePaths(run: ProofRun): Promise<ProofOutcome> {
  const all: [Driver, DeletionResult][] = []
  for (const driver of run.fault === null ? drivers : (['disk'] as const)) {
    const store = openStore(driver)
    await using _store = defer(() => store.removeAll())
    await using world = await openWorld(run.plants, { RATE_LIMITS: 'off', ...store.env })
    const found = await proveOn(run, world, store)
    all.push([driver, found])
    for (const line of [...found.readable, ...found.left, ...found.traces, ...found.other])
      run.say(`${driver}: ${line}`)
  }
  const figure = all.map(
    ([driver, { paths, readable, left, traces, other }]) =>
      `${driver}: ${readable.length} of ${paths} paths readable, ${left.length} objects left, ${traces.length} tables with traces${other.length === 0 ? '' : `, ${other.join(', ')}`}`,
  )
  const is_met = all.every(([, { readable, left, traces, other }]) =>
    [readable, left, traces, other].every((list) => list.length === 0),
  )
  return { figure: figure.join('; '), is_met }
}

async function proveOn(run: ProofRun, world: World, store: Store): Promise<DeletionResult> {
  const api = await world.startApi()
  const worker = await world.startWorker()
  const { key } = await world.newTenant()
  const client = key.client(api.url, { timeout_ms: 120_000, max_retries: 4 })
  const caller: ProofCaller = { url: api.url, secret: key.secret }
  const dir = world.env.FILES_DIR!

  const kept = await waitForReady(
    client,
    (await client.documents.createFromFile(await scanOf(world, 'Kept for ever.'))).id,
  )
  const keptObjects = await store.listAll(dir)
  const made = await makeDocuments(world, client)
  const found: DeletionResult = { paths: 0, readable: [], left: [], traces: [], other: [] }
  const paths: Path[] = []
  for (const one of made) {
    const { paths: own, wrong } = await pathsOf(client, caller, one)
    paths.push(...own)
    found.other.push(...wrong)
  }
  found.paths = paths.length
  const open = await listReadable(caller, paths, [])
  if (open.length < paths.filter(({ goal }) => goal === 'gone').length)
    found.other.push('some paths led nowhere before the deletion')
  await deleteHastily(run, world, client)

  // Without a worker nothing is purged: unreadable documents are refused but still stored.
  await worker.stop()
  const unread = await client.documents.create({
    title: 'Unread',
    source: { type: 'text', text: `The ${WORD} lease.` },
  })
  for (const { document } of [...made, { document: unread }]) await client.documents.remove(document.id)
  const ids = [...made.map(({ document }) => document.id), unread.id]
  found.readable.push(...(await listReadable(caller, paths, ids)))
  if ((await store.listAll(dir)).length <= keptObjects.length) found.other.push('the bytes were gone before the purge')

  await world.startWorker()
  if (!(await waitForPurges(client))) found.other.push('a purge did not end')
  found.readable.push(...(await listReadable(caller, paths, ids)).map((one) => `${one} after the purge`))
  const stays = new Set(keptObjects)
  const now = await store.listAll(dir)
  found.left.push(...now.filter((name) => !stays.has(name)))
  found.traces.push(...(await listTraces(world.database.name)))
  found.other.push(
    ...(await listDamage(client, made, { kept: kept.id, lost: keptObjects.filter((name) => !now.includes(name)) })),
  )
  return found
}

/** Deletes scans while a worker renders, recognizes or stores a page. */
async function deleteHastily(run: ProofRun, world: World, client: Octavo): Promise<void> {
  const scan = await scanOf(world, `The ${WORD} lease.`)
  for (let i = 0; i < HASTY[run.length]; i++) {
    const { id } = await client.documents.createFromFile(scan)
    await sleep((i + 1) * (1_500 / HASTY[run.length]))
    await client.documents.remove(id)
  }
}

async function waitForPurges(client: Octavo): Promise<boolean> {
  for (const deadline = Date.now() + PURGE_MS; Date.now() < deadline; await sleep(100)) {
    let unfinished = 0
    for await (const { status, type } of client.jobs.list({ limit: 100 }))
      if (status === 'queued' || status === 'running' || (type === 'purge' && status !== 'succeeded')) unfinished++
    if (unfinished === 0) return true
  }
  return false
}

async function listDamage(
  client: Octavo,
  made: readonly DeletionOutput[],
  { kept, lost }: { kept: string; lost: string[] },
): Promise<string[]> {
  const document = await client.documents.get(kept)
  const bytes = await (await client.files.download(document.file_id!)).bytes()
  const damage = lost.map((name) => `${name} of another document is gone`)
  if (bytes.length !== document.size_bytes) damage.push('the bytes of another document are not whole')
  if (made.length < 5) damage.push(`only ${made.length} documents were made`)
  return damage
}
