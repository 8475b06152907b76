// A hostile file harms neither the next file, nor the worker, nor another tenant, nor the machine.

import { faults, filesOfFaults } from './hostile/faults.ts'
import { filesOf, hostileFiles } from './hostile/files.ts'
import { describeFlood, type FloodResult, sendFloods } from './hostile/floods.ts'
import { type Grounds, type HostileCanary, openCanary, openGrounds } from './hostile/outside.ts'
import { openReads, type Reads } from './hostile/reads.ts'
import { type HostileOutput, type HostileSendResult, MAX_SECONDS, sendAndWait } from './hostile/send.ts'
import { listStuck } from './hostile/stuck.ts'
import { type HostileWatch, hurried, isAlive, parsersOf, watchWorker } from './hostile/watch.ts'
import { eachOf, type ProofCaller } from './lib/call.ts'
import { median, type Proof, type ProofOutcome, type ProofRun, round } from './lib/proof.ts'
import { openWorld, type World } from './lib/world.ts'
import { readEnd } from './slots/watch.ts'

/** Three short windows are less reliable than five, so CI only detects large slowdowns. */
const SLOWDOWN = { short: 3, normal: 1.5, long: 1.5 }
const GOAL = { worker_mb: 512 }
const WINDOWS = { short: 3, normal: 5, long: 5 }
const WINDOW_MS = { short: 3_000, normal: 8_000, long: 8_000 }
/** Files at once, as many as the worker has slots. */
const AT_ONCE = 3
const PARSER_MB = 700

export const proof: Proof = {
  promise: 'A hostile file is either read or rejected with a reason, and affects no other tenant.',
  goal: `100 hostile files: a verdict each within ${MAX_SECONDS} s, another tenant's p95 ≤ ${SLOWDOWN.normal} × (short: ${SLOWDOWN.short}) (median of ${WINDOWS.normal} interleaved windows), worker ≤ ${GOAL.worker_mb} MB, parsers ≤ ${PARSER_MB} MB, 0 hits at the canary, 0 files outside the storage, 0 jobs unfinished; floods of hostile schemas, 100,000 labels, idempotency keys, 10,000 streams (short: 1,000) and idle bodies: only documented refusals, no read of another tenant fails`,
  faults,
  run: prove,
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  const canary = await openCanary()
  const grounds = openGrounds()
  const world = await openWorld(run.plants, {
    RATE_LIMITS: 'off',
    FILES_DRIVER: 'disk',
    FILES_DIR: grounds.storage,
    TMPDIR: grounds.temporary,
    WORKER_SLOTS: String(AT_ONCE),
    JOB_SLOTS: String(AT_ONCE + 1),
    PARSER_RESIDENT_MB: String(PARSER_MB),
    // So that it is not the guard of outgoing requests that hides one.
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    EGRESS_ALLOW_HTTP: 'true',
    OCTAVO_CANARY: canary.url,
  })
  try {
    return await proveOn(run, world, { canary, grounds })
  } finally {
    await world.close()
    await canary.close()
    grounds.close()
  }
}

async function proveOn(
  run: ProofRun,
  world: World,
  outside: { canary: HostileCanary; grounds: Grounds },
): Promise<ProofOutcome> {
  const api = await world.startApi()
  const worker = await world.startWorker()
  const { key } = await world.newTenant()
  const caller = { url: api.url, secret: key.secret }
  const files = chooseFiles(run).map(
    (file): HostileOutput => ({ file, bytes: file.make(`${outside.canary.url}/${file.name}`) }),
  )
  const reads = await openNeighbour(world, api.url)
  const watch = watchWorker(worker.pid)
  try {
    const fire = await fireInWindows(run, { caller, reads, files })
    const floods = run.fault === null ? await sendFloods(run, world) : []
    const end = await readEnd(world)
    const { stuck } = await listStuck(world)
    await worker.stop()
    watch.stop()
    const left = [...watch.children.keys()].filter((pid) => isAlive(pid))
    return judge(run, {
      ...fire,
      floods,
      watch,
      left: left.length,
      unfinished: end.unfinished + end.used + end.waiting,
      stuck,
      outside,
    })
  } finally {
    watch.stop()
    await reads.close()
  }
}

const chooseFiles = ({ length, fault }: ProofRun) =>
  fault === null ? filesOf(length) : hostileFiles.filter(({ name }) => filesOfFaults[fault]?.includes(name))

/** Another tenant, with a document to read. */
async function openNeighbour(world: World, url: string): Promise<Reads> {
  const { key } = await world.newTenant()
  const client = key.client()
  const source = { type: 'pages' as const, pages: [{ text: 'The first page' }, { text: 'The second page' }] }
  const { id } = await client.documents.createAndWait({ title: 'Lease', source })
  const paths = ['', `/${id}`, `/${id}/pages`].map((path) => `/api/v1/documents${path}`)
  return openReads({ url, secret: key.secret, paths })
}

interface Fire {
  results: HostileSendResult[]
  slowdowns: number[]
  failed_reads: number
}

/** Quiet and fire in turn, so that what else the machine does hits both. */
async function fireInWindows(
  run: ProofRun,
  { caller, reads, files }: { caller: ProofCaller; reads: Reads; files: readonly HostileOutput[] },
): Promise<Fire> {
  const fire: Fire = { results: [], slowdowns: [], failed_reads: 0 }
  const [windows, least_ms] = run.fault === null ? [WINDOWS[run.length], WINDOW_MS[run.length]] : [1, 1_000]
  // Compiled code first.
  await reads.during(2_000, async () => {})
  for (let i = 0; i < windows; i++) {
    const quiet = await reads.during(least_ms, async () => {})
    const batch = files.filter((_, at) => at % windows === i)
    const under = await reads.during(0, async () => {
      await eachOf(batch, AT_ONCE, async (made) => {
        const result = await sendAndWait(caller, made)
        fire.results.push(result)
        run.say(`${made.file.name}: ${result.verdict} (${round(result.seconds, 1)} s)`)
        for (const finding of result.findings) run.say(`  ${finding}`)
      })
    })
    fire.slowdowns.push(under.p95_ms / quiet.p95_ms)
    fire.failed_reads += quiet.failed + under.failed
    run.say(
      `p95 of another tenant's reads: ${round(quiet.p95_ms)} ms of ${quiet.count}, under fire ${round(under.p95_ms)} ms of ${under.count}`,
    )
  }
  return fire
}

interface HostileObservation extends Fire {
  floods: FloodResult[]
  watch: HostileWatch
  /** Children that outlived their worker. */
  left: number
  unfinished: number
  /** Details of the unfinished jobs. */
  stuck: string[]
  outside: { canary: HostileCanary; grounds: Grounds }
}

function judge(run: ProofRun, seen: HostileObservation): ProofOutcome {
  const { results, slowdowns, watch, outside } = seen
  const parsers = parsersOf(watch)
  const parser_mb = Math.max(0, ...parsers.map(({ peak_mb }) => peak_mb))
  const slowest = results.toSorted((a, b) => b.seconds - a.seconds)[0]
  const hits = outside.canary.hits()
  const strays = outside.grounds.listNew()
  const slowdown = median(slowdowns)
  const found = [
    ...results.flatMap(({ findings }) => findings),
    ...seen.floods.flatMap(({ findings }) => findings),
    ...hits.map((path) => `the canary was asked for ${path}`),
    ...strays.map((path) => `written outside the storage: ${path}`),
    ...(parser_mb > PARSER_MB ? [`a parser had ${Math.round(parser_mb)} MB`] : []),
    ...(watch.worker_mb > GOAL.worker_mb ? [`the worker had ${Math.round(watch.worker_mb)} MB`] : []),
    ...(hurried(watch).length > 0 ? [`${hurried(watch).length} children were not niced`] : []),
    ...(parsers.length === 0 ? ['no parser was seen'] : []),
    ...(seen.left > 0 ? [`${seen.left} children outlived the worker`] : []),
    ...(seen.unfinished > 0 ? [`${seen.unfinished} jobs or slots were left`] : []),
    ...seen.stuck,
    ...(seen.failed_reads > 0 ? [`${seen.failed_reads} reads of another tenant failed`] : []),
    // A fault must not be caught by the noise of the machine.
    ...(slowdown > SLOWDOWN[run.length] && run.fault === null
      ? [`another tenant's p95 was ${round(slowdown)} × its own`]
      : []),
  ]
  for (const finding of found) run.say(`found: ${finding}`)
  const read = results.filter(({ verdict }) => verdict === 'read').length
  const figure =
    `${results.length} files: ${read} read, ${results.length - read} refused, slowest ${round(slowest?.seconds ?? 0, 1)} s (${slowest?.file.name}); ` +
    `p95 of another tenant ${round(slowdown)} × (${slowdowns.map((one) => round(one)).join(', ')}); worker at most ${Math.round(watch.worker_mb)} MB, ` +
    `parsers at most ${Math.round(parser_mb)} MB; ${hits.length} hits at the canary, ${strays.length} files outside the storage, ` +
    `${seen.unfinished} jobs or slots left; floods (p95 of another tenant): ${seen.floods.map(describeFlood).join(', ')}; ${found.length} findings`
  return { figure: run.fault === null ? figure : (found[0] ?? 'nothing was found'), is_met: found.length === 0 }
}
