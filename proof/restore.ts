// The drill of docs/backup.md, with the commands of that page: what was acknowledged before the moment is there again, what was revoked
// after it stays revoked.

import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { toId, uuidOf } from '../server/src/lib/ids.ts'
import { sweepNow } from './crash/sweep.ts'
import { type Proof, type ProofOutcome, type ProofRun, round } from './lib/proof.ts'
import { announceSeed, newRandom } from './lib/random.ts'
import { defer } from './lib/scope.ts'
import type { Driver } from './lib/stores.ts'
import { archiveAgain } from './restore/archive.ts'
import {
  compareBytes,
  compareDocuments,
  compareFiles,
  compareObjects,
  compareSecrets,
  settleJobs,
} from './restore/compare.ts'
import { faults } from './restore/faults.ts'
import { newFindings, type RestoreFindings, type RestoreKind } from './restore/findings.ts'
import { commandsOf } from './restore/page.ts'
import { lookAfter, RestoreWatch, restoreDump, restoreStores, revokeAll, tryToStart } from './restore/restoring.ts'
import { closeScene, follow, killAll, openScene, type RestoreScene, startAll, suspendLast } from './restore/scene.ts'

const BEFORE_MS = { short: 5_000, normal: 10_000, long: 60_000 }
const AFTER_MS = { short: 2_000, normal: 5_000, long: 20_000 }
const FILL_MB = { short: 20, normal: 500, long: 5_000 }
const COMPARED = { short: 50, normal: 200, long: 1_000 }
const PURGE_MS = 30_000
const GOAL_S = 120

export const proof: Proof = {
  promise:
    'The commands of docs/backup.md restore a damaged installation to an earlier moment, and no revoked key works again.',
  goal: `base backup and log beside writes, a repeated log segment archived and a different one with the same name rejected, a dropped table and the directory of files lost, on disk and S3: rows acknowledged before the moment 100%, every file has its bytes or is marked, 0 bytes without a row after the sweep, 0 revoked keys or secrets active, jobs end, followers of events miss nothing new, in ≤ ${GOAL_S} s; nothing starts before after-restore; the same from a dump (short: disk)`,
  faults,
  run: prove,
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  const seed = announceSeed(run)
  const drivers: Driver[] = run.length === 'short' || run.fault !== null ? ['disk'] : ['disk', 's3']
  const parts: ProofOutcome[] = []
  for (const driver of drivers) {
    const scene = await openScene(run, driver, newRandom(seed))
    await using _closeScene = defer(() => closeScene(scene))
    parts.push(await proveOn(run, scene))
  }
  return { figure: parts.map(({ figure }) => figure).join('; '), is_met: parts.every(({ is_met }) => is_met) }
}

async function proveOn(run: ProofRun, scene: RestoreScene): Promise<ProofOutcome> {
  const { ledger, store } = scene
  const findings = newFindings()
  await fill(scene, FILL_MB[run.length])
  const base = await work(run, scene)
  findings.add('troubles', ...ledger.troubles)
  run.say(`${ledger.count} writes acknowledged, ${(Date.now() - scene.moment) / 1000} s of them after the moment`)
  findings.add('archive', ...(await archiveAgain(scene)))
  await damage(scene)

  const watch = new RestoreWatch()
  await watch.time('database and files', () => restoreStores(scene, base))
  if (looksFor(run, 'not_guarded') && (await tryToStart(scene))) findings.add('not_guarded', 'the API started')
  const told = await watch.time('after-restore', () => lookAfter(run, scene))
  for (const line of told.trim().split('\n')) if (/^(?!>|\.env)\S.* \S/.test(line)) run.say(`after-restore: ${line}`)
  const { files, missing } = await compareFiles(scene, findings)
  await watch.time('start', () => startAll(scene))
  run.say(`restored: ${watch.figure}`)

  if (looksFor(run, 'revived')) await compareSecrets(scene, findings)
  if (looksFor(run, 'missed_events')) await workAnew(scene, findings)
  const rest = run.fault === null ? await compareRest(run, scene, findings) : ''
  findings.show(run.say)
  const ended = ledger.secrets.filter((secret) => secret.ended).length
  const figure = `${store.driver}: ${ledger.count} writes, ${ended} of ${ledger.secrets.length} secrets ended, ${files} files (${missing} marked), restored in ${watch.seconds} s${rest}: ${findings.figure}`
  return { figure, is_met: isMet(run, findings, watch.seconds) }
}

/** The slower comparisons. */
async function compareRest(run: ProofRun, scene: RestoreScene, findings: RestoreFindings): Promise<string> {
  const documents = await compareDocuments(scene, findings)
  await compareBytes(scene, findings, COMPARED[run.length])
  const { jobs, failed } = await settleJobs(scene, findings)
  await sweepNow(scene.world)
  const objects = await compareObjects(scene, findings)
  const size = await databaseSize(scene)
  const dumped = await proveDump(run, scene, findings)
  await proveLastResort(run, scene, findings)
  return ` (database of ${size} MB, ${documents} documents, ${objects} objects), ${jobs} jobs ended (${failed} failed with a reason), ${dumped}`
}

/** Where a fault is planted, only what it must show as. */
const looksFor = ({ fault }: ProofRun, kind: RestoreKind): boolean =>
  fault === null || faults[fault]!.shows_as.includes(kind)

const isMet = (run: ProofRun, findings: RestoreFindings, seconds: number): boolean =>
  (run.fault !== null || seconds <= GOAL_S) &&
  findings.kinds.every((kind) => findings.count(kind) === 0 || !looksFor(run, kind))

/** Rows beside those of the traffic, so that there is something to copy. */
async function fill({ cluster }: RestoreScene, megabytes: number): Promise<void> {
  await cluster.query('create schema filler')
  await cluster.query(
    `create table filler.rows as select i, repeat(md5(i::text), 60) as text from generate_series(1, $1::int) as i`,
    [megabytes * 512],
  )
}

/** Traffic, with a base backup and a copy of the files beside it; then the moment; then more. Says where the base backup is. */
async function work(run: ProofRun, scene: RestoreScene): Promise<string> {
  const { cluster, clients, tenants, store } = scene
  await killAll(scene)
  await cluster.shell(commandsOf('Set up, once'))
  await startAll(scene)
  const stopping = new AbortController()
  const working = Promise.all(clients.map((client) => client.work(stopping.signal)))
  const copyFiles = async (): Promise<unknown> =>
    store.driver === 'disk' && cluster.shell(commandsOf('Files, every hour'))
  await sleep(BEFORE_MS[run.length] / 2)
  await cluster.shell(commandsOf('A base backup, every night'))
  await copyFiles()
  await sleep(BEFORE_MS[run.length] / 2)
  scene.moment = Date.now()
  await Promise.all(clients.map((client) => client.endSome(scene.moment, 2)))
  await sleep(AFTER_MS[run.length])
  stopping.abort()
  await working
  await suspendLast(scene)
  if (looksFor(run, 'unmarked')) await purged(scene)
  await copyFiles()
  await Promise.all(tenants.filter(({ is_suspended }) => !is_suspended).map(follow))
  return (await cluster.shell('ls -d "$BACKUP"/base/*')).trim().split('\n').at(-1)!
}

/** The bytes of what was deleted after the moment are gone, from the last copy as well. */
async function purged({ cluster }: RestoreScene): Promise<void> {
  // Before documents that wait to be read: there may be many.
  await cluster.query(`update jobs set priority = 2 where type = 'purge' and place = 'line'`)
  const purging = `select from jobs where type = 'purge' and place is not null`
  for (const end = Date.now() + PURGE_MS; Date.now() < end && (await cluster.query(purging)).length > 0; )
    await sleep(200)
}

/** Someone drops a table, and the directory of files is lost too; a bucket is elsewhere and stays. */
async function damage(scene: RestoreScene): Promise<void> {
  const { cluster, store } = scene
  await cluster.query('drop table documents cascade')
  await killAll(scene)
  if (store.driver === 'disk') await rm(cluster.env.FILES_DIR!, { recursive: true })
}

/** Something new is done, and who followed events before the damage goes on where they were. */
async function workAnew(scene: RestoreScene, findings: RestoreFindings): Promise<void> {
  for (const tenant of scene.tenants.filter(({ is_suspended }) => !is_suspended)) {
    const file = new Blob(['The rent is 900 euros.'], { type: 'text/plain' })
    const document = await tenant.octavo.documents
      .createAndWait(file, { document: { title: 'New' } })
      .catch((error: unknown) => {
        findings.add('not_working', String(error))
        return null
      })
    if (document && document.status !== 'ready') findings.add('not_working', `${document.id} is ${document.status}`)
    const events = await scene.cluster.query<{ id: string; type: string }>(
      'select id, type from events where tenant_id = $1 and created_at > $2 and position is not null',
      [uuidOf('ten', tenant.id), new Date(scene.started_at)],
    )
    const seen = new Set(await follow(tenant))
    findings.add(
      'missed_events',
      ...events.filter(({ id }) => !seen.has(toId('evt', id))).map(({ id, type }) => `${type} ${id}`),
    )
  }
}

const databaseSize = async ({ cluster }: RestoreScene): Promise<number> => {
  const [row] = await cluster.query<{ size: string }>('select pg_database_size(current_database()) as size')
  return Math.round(Number(row!.size) / 2 ** 20)
}

/** From a dump: everything of the moment at which it was made. */
async function proveDump(run: ProofRun, scene: RestoreScene, findings: RestoreFindings): Promise<string> {
  await killAll(scene)
  const began = Date.now()
  await restoreDump(run, scene)
  await startAll(scene)
  const seconds = round((Date.now() - began) / 1000, 1)
  await compareDocuments(scene, findings)
  await compareSecrets(scene, findings)
  await workAnew(scene, findings)
  return `dumped and restored in ${seconds} s`
}

/** The storage knows nothing any more: no key may be left. */
async function proveLastResort(run: ProofRun, scene: RestoreScene, findings: RestoreFindings): Promise<void> {
  await killAll(scene)
  await revokeAll(run, scene)
  await startAll(scene)
  // As if all of them were suspended.
  const tenants = scene.tenants.map((tenant) => ({ ...tenant, is_suspended: true }))
  await compareSecrets({ ...scene, tenants }, findings)
}
