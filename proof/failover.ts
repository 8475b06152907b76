// The primary of a PostgreSQL cluster (Patroni, etcd, HAProxy) is lost under load. Clients keep the ledger of the crash
// proof: afterwards it must agree with the database and the API.

import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../server/src/testing/port.ts'
import { checkAnswers } from './crash/answers.ts'
import { work } from './crash/clients.ts'
import { compare } from './crash/compare.ts'
import { type FindingKind, newFindings } from './crash/findings.ts'
import { CrashKeptValue } from './crash/kills.ts'
import { type CrashKind, Ledger, tally } from './crash/ledger.ts'
import { openModels } from './crash/outcomes.ts'
import { readRows, settle } from './crash/rows.ts'
import type { Sender } from './crash/send.ts'
import { prepare, readTold, signed } from './crash/triggers.ts'
import { type Cluster, openCluster } from './failover/cluster.ts'
import { findLostRows, prepareDirect } from './failover/direct-writer.ts'
import { EventFollower } from './failover/followers.ts'
import type { OutageKind } from './failover/outages.ts'
import { type RoundResult, runRound } from './failover/rounds.ts'
import { Findings } from './lib/findings.ts'
import { type Proof, type ProofOutcome, type ProofRun, quantile, round } from './lib/proof.ts'
import { announceSeed, newRandom } from './lib/random.ts'
import { owned } from './lib/scope.ts'
import { openWorld, type World, type WorldKey } from './lib/world.ts'

const ALL: readonly OutageKind[] = [
  'server killed',
  'machine killed',
  'machine stopped',
  'cut off',
  'unplugged',
  'disk full',
]
const COURSES: Readonly<Record<ProofRun['length'], readonly OutageKind[]>> = {
  short: ['machine killed', 'machine stopped', 'cut off', 'disk full'],
  normal: ALL,
  long: [...ALL, ...ALL, ...ALL],
}
/** The fault shows where the former primary still has clients. */
const FAULT_COURSE: readonly OutageKind[] = ['cut off']
const STREAMS = { short: 1, normal: 3, long: 3 }
const CLIENTS = 2
/** A busy machine starves the parser, which has the lowest priority. `crash` covers files too. */
const FILES: ReadonlySet<CrashKind> = new Set(['form', 'base64', 'begin'])
const ASKED = 1_000
const QUIET_MS = 300_000
/** Findings of the crash ledger that do not count here: they need a file store that dies too. */
const UNCOUNTED: ReadonlySet<FindingKind> = new Set([
  'rows_without_bytes',
  'orphans',
  'left_bytes',
  'left_outcomes',
  'unfound',
  'needless_repairs',
  'repairs_again',
])

export const proof: Proof = {
  promise: 'A failover of the PostgreSQL cluster loses no acknowledged write, and jobs and event streams continue.',
  goal: 'three machines with synchronous replication; the primary killed (server, machine), stopped, cut off from its peers, unplugged, with a full disk: 0 acknowledged writes lost, 0 written by a primary that was cut off, 0 duplicated, 0 answers 500, every job ends, every stream shows each event once (short: without the server and the unplugged machine)',
  faults: { asynchronous: { what: 'replication is asynchronous', plants: [] } },
  run: prove,
}

const newOwnFindings = () =>
  new Findings({
    split_brain: 'acknowledged by a primary that was cut off',
    broken_streams: 'broken streams',
    missed_events: 'events missed by a follower',
    server_errors: 'answers 500',
  })

async function prove(run: ProofRun): Promise<ProofOutcome> {
  const seed = announceSeed(run)
  await using models = owned(await openModels())
  await using cluster = owned(await openCluster(run.fault !== 'asynchronous'))
  await using world = await openWorld(run.plants, { RATE_LIMITS: 'off', ...models.env })
  run.say('the cluster is ready')
  return await proveOn(run, cluster, world, seed)
}

async function proveOn(run: ProofRun, cluster: Cluster, world: World, seed: number): Promise<ProofOutcome> {
  const database = world.database.name
  await prepare(database)
  await prepareDirect(database)
  const [ledger, failures, random] = [new Ledger(), new Map<string, number>(), newRandom(seed)]
  const { urls, processes } = await openProcesses(world, failures)
  await using _processes = owned({ close: () => processes.forEach((process) => process.close()) })

  const [{ key }, { key: streamKey }] = await Promise.all([world.newTenant('standard'), world.newTenant('standard')])
  const senderOf = ({ secret }: WorldKey): Sender => ({
    urls,
    secret,
    onSetback: (why) => tally(ledger.setbacks, why),
  })
  const follower = new EventFollower(urls.map((url) => key.client(url)))
  const endFollowing = new AbortController()
  const following = run.fault === null ? follower.follow(endFollowing.signal) : null
  const rounds: RoundResult[] = []
  const excluded = run.length === 'short' || run.fault !== null ? FILES : new Set<CrashKind>()
  const streams = run.fault === null ? STREAMS[run.length] : 0
  const scene = { cluster, database, ledger, sender: senderOf(streamKey), streams, say: run.say }
  for (const [number, kind] of (run.fault === null ? COURSES[run.length] : FAULT_COURSE).entries()) {
    const endLoad = new AbortController()
    const clients = Array.from({ length: CLIENTS }, (_, i) => `r${number}c${i}`).map((name) =>
      work({ name, sender: senderOf(key), random: random.fork(name), excluded }, ledger, endLoad.signal),
    )
    rounds.push(await runRound(scene, kind, number))
    endLoad.abort()
    await Promise.all(clients)
    if (run.fault !== null) return await judgeFault(rounds, database)
    run.say(`all jobs ended after ${seconds(await settle(database, QUIET_MS))}`)
  }
  await sleep(1_000)
  endFollowing.abort()
  await following

  const rows = await readRows(database)
  const findings = newFindings()
  compare(ledger, rows, findings)
  await checkAnswers({ url: urls[0] ?? '', random: random.fork('answers'), most: ASKED }, ledger, findings)
  findings.add(
    'lost',
    ...(await findLostRows(
      database,
      rounds.flatMap(({ writer }) => writer.acks),
    )),
  )
  const told = cluster.nodes.map((node) => readTold(node.readLog()))
  findings.add('steps_again', ...told.flatMap(({ again }) => again))
  findings.add('zombie_writes', ...told.flatMap(({ zombies }) => zombies))
  for (const { kind, falls } of processes)
    if (falls > 0) findings.add('fallen', `${kind} ended by itself ${falls} times`)

  for (const [why, times] of failures) run.say(`${times} × an attempt of a job failed: ${why}`)
  const own = newOwnFindings()
  own.add('split_brain', ...rounds.flatMap(({ split }) => split))
  own.add('broken_streams', ...rounds.flatMap(({ broken_streams }) => broken_streams))
  own.add('missed_events', ...follower.faults)
  const errors = [...ledger.setbacks, ...ledger.refusals].filter(([why]) => /\b500\b/.test(why))
  own.add('server_errors', ...errors.map(([why, times]) => `${times} × ${why}`))
  return judge(run, { ledger, rounds, findings, own, events: follower.positions.length, jobs: rows.jobs.length })
}

/** The rows that were written directly are enough to see a loss. */
async function judgeFault(rounds: readonly RoundResult[], database: string): Promise<ProofOutcome> {
  const acks = rounds.flatMap(({ writer }) => writer.acks)
  const lost = await findLostRows(database, acks)
  return { figure: `${lost.length} of ${acks.length} acknowledged rows lost`, is_met: lost.length === 0 }
}

/** Counts failed jobs in a worker's log, by error. */
function tellFailure(line: string, failures: Map<string, number>): void {
  if (!line.includes('"job failed"')) return
  const { error_name, error_code, error_stack } = JSON.parse(line) as Record<string, string | undefined>
  tally(failures, `${error_name} ${error_code ?? ''} ${error_stack?.split('\n').slice(0, 4).join(' ') ?? ''}`)
}

async function openProcesses(world: World, failures: Map<string, number>) {
  const ports = await Promise.all([freePort(), freePort()])
  const sign = (name: string) => ({ DATABASE_URL: signed(world.database.app_url, name) })
  const processes = [
    ...ports.map(
      (port, i) =>
        new CrashKeptValue('api', `api-${i}`, (name) => world.startApi({ PORT: String(port), ...sign(name) })),
    ),
    ...['worker-0', 'worker-1'].map(
      (label) =>
        new CrashKeptValue('worker', label, (name) =>
          world.startWorker({ LOG_LEVEL: 'warn', ...sign(name) }, (line) => tellFailure(line, failures)),
        ),
    ),
  ]
  // One after the other: a process that starts gives up after two seconds without a connection.
  for (const process of processes) await process.open()
  return { urls: ports.map((port) => `http://127.0.0.1:${port}`), processes }
}

interface FailoverResult {
  ledger: Ledger
  rounds: readonly RoundResult[]
  findings: ReturnType<typeof newFindings>
  own: ReturnType<typeof newOwnFindings>
  events: number
  jobs: number
}

const seconds = (value_ms: number): string => `${round(value_ms / 1000, 1)} s`

function judge(run: ProofRun, { ledger, rounds, findings, own, events, jobs }: FailoverResult): ProofOutcome {
  findings.show(run.say)
  own.show(run.say)
  for (const [reason, times] of ledger.refusals) run.say(`${times} × refused, ${reason}`)
  for (const [why, times] of ledger.setbacks) run.say(`${times} × tried again, ${why}`)
  const lengths = rounds.map(({ outage_ms }) => outage_ms)
  const direct = rounds.reduce((sum, { writer }) => sum + writer.acks.length, 0)
  const counted = findings.kinds.filter((kind) => !UNCOUNTED.has(kind))
  const counts = counted.map((kind) => `${findings.count(kind)} ${kind.replaceAll('_', ' ')}`).join(', ')
  const figure =
    `${ledger.entries.length} acknowledged writes and ${direct} direct ones, ${jobs} jobs, ${events} events followed, ${rounds.length} failovers ` +
    `(${rounds.map(({ kind, outage_ms }) => `${kind} ${seconds(outage_ms)}`).join(', ')}): ${own.figure}, ${counts}; ` +
    `no write for p50 ${seconds(quantile(lengths, 0.5))}, max ${seconds(Math.max(...lengths))}`
  const isClean =
    own.kinds.every((kind) => own.count(kind) === 0) && counted.every((kind) => findings.count(kind) === 0)
  return { figure, is_met: isClean }
}
