// Clients keep a ledger of every acknowledged write while everything is killed with -9; in the end the ledger, the
// database and the API must agree. The proof cannot detect a disk that loses flushed data (`fsync = off`).

import { freePort } from '../server/src/testing/port.ts'
import { checkAnswers } from './crash/answers.ts'
import { compare } from './crash/compare.ts'
import { compareFiles, compareGone } from './crash/compare-files.ts'
import { faults } from './crash/faults.ts'
import { type CrashFindings, newFindings } from './crash/findings.ts'
import { judge } from './crash/judge.ts'
import { CrashKeptValue } from './crash/kills.ts'
import { Ledger } from './crash/ledger.ts'
import { type CrashScene, load } from './crash/load.ts'
import { openModels } from './crash/outcomes.ts'
import { Repairs } from './crash/repairs.ts'
import { readRows, settle } from './crash/rows.ts'
import { readBucket } from './crash/store.ts'
import { sweepNow } from './crash/sweep.ts'
import { prepare, readTold, signed } from './crash/triggers.ts'
import { type Engines, onOwnEngines } from './lib/engines.ts'
import { type Proof, type ProofOutcome, type ProofRun, round } from './lib/proof.ts'
import { announceSeed, newRandom, type Random } from './lib/random.ts'
import { owned } from './lib/scope.ts'
import type { World } from './lib/world.ts'

const APIS = 2
const WORKERS = 2
const ASKED = { short: 300, normal: 2_000, long: 5_000 }
/** On a busy machine; it is over as soon as everything has ended. */
const QUIET_MS = { short: 300_000, normal: 300_000, long: 300_000 }
/** The sweeper looks on beside the load and must let everything be: it is all young, and what others forgot shall be seen in the end. */
const SWEEPER = { SWEEP_EVERY_SECONDS: '5', SWEEP_AFTER_SECONDS: '14400' }

export const proof: Proof = {
  promise: 'Acknowledged writes are stored exactly once, and every job ends, whichever process dies.',
  goal: '≥ 100,000 acknowledged writes, documents from files and outcomes among them (15% sent twice), and ≥ 150 kills of API, worker, PostgreSQL, Valkey and the object store: 0 lost, duplicated, wrong replies, stuck jobs, leaked slots, steps run again, zombie writes, repeated repairs, stuck or orphaned outcomes, double charges, rows without bytes, orphans after the sweeper (short: 1,000 and 7)',
  faults,
  run: prove,
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  const seed = announceSeed(run)
  await using models = owned(await openModels())
  const work = (engines: Engines, world: World): Promise<ProofOutcome> => proveOn(run, engines, world, seed)
  return await onOwnEngines(run.plants, { RATE_LIMITS: 'off', ...models.env }, work, { with_s3: true })
}

async function proveOn(run: ProofRun, engines: Engines, world: World, seed: number): Promise<ProofOutcome> {
  const begun = Date.now()
  await prepare(world.database.name)
  const scene = await openScene(engines, world, newRandom(seed))
  const { ledger } = scene
  const processes = [...scene.apis, ...scene.workers, scene.sleeper]
  try {
    await Promise.all(processes.map((process) => process.open()))
    run.say(`all processes are ready, ${round((Date.now() - begun) / 1000, 1)} s after the database`)
    const course = await load(run, scene)
    run.say(
      `${ledger.entries.length} writes acknowledged and ${course.kills.length} kills in ${round(course.load_ms / 1000, 1)} s`,
    )
    const quiet_ms = await settle(world.database.name, QUIET_MS[run.length])
    run.say(`settled ${round(quiet_ms / 1000, 1)} s after the load`)

    const asked_at = Date.now()
    const rows = await readRows(world.database.name)
    const findings = newFindings()
    compare(ledger, rows, findings)
    const swept = await compareStored(run, scene, findings)
    await checkAnswers(
      { url: scene.urls[0]!, random: scene.random.fork('answers'), most: ASKED[run.length] },
      ledger,
      findings,
    )
    for (const [what, looks] of course.seen.torn)
      findings.add('torn', `${what} in ${looks} of ${course.seen.looks} looks`)
    const { again, zombies } = readTold(engines.readLog('postgres'))
    findings.add('steps_again', ...again)
    findings.add('zombie_writes', ...zombies)
    findings.add('needless_repairs', ...scene.repairs.needless)
    findings.add('repairs_again', ...scene.repairs.again)
    for (const { kind, falls } of processes)
      if (falls > 0) findings.add('fallen', `${kind} ended by itself ${falls} times`)
    run.say(`compared in ${round((Date.now() - asked_at) / 1000, 1)} s`)
    return judge(run, scene, { course, rows, findings, swept })
  } finally {
    for (const process of processes) process.close()
  }
}

/** Rows are read again after the sweeper: it may only remove what none of them names. */
async function compareStored(run: ProofRun, { world, ledger }: CrashScene, findings: CrashFindings): Promise<string> {
  const { name } = world.database
  compareGone(await readRows(name), await readBucket(world.env), findings)
  const { said, is_whole } = await sweepNow(world)
  if (!is_whole && run.fault === null) findings.add('orphans', `the sweeper did not come to its end: ${said}`)
  compareFiles(ledger, await readRows(name), await readBucket(world.env), findings)
  return said
}

async function openScene(engines: Engines, world: World, random: Random): Promise<CrashScene> {
  const ports = await Promise.all(Array.from({ length: APIS }, freePort))
  const repairs = new Repairs()
  const signedUrl = (name: string) => ({ DATABASE_URL: signed(world.database.app_url, name) })
  const newWorker = (label: string): CrashKeptValue =>
    new CrashKeptValue('worker', label, (name) =>
      world.startWorker({ LOG_LEVEL: 'warn', ...SWEEPER, ...signedUrl(name) }, (line) => repairs.hear(line)),
    )
  return {
    engines,
    world,
    random,
    ledger: new Ledger(),
    repairs,
    urls: ports.map((port) => `http://127.0.0.1:${port}`),
    apis: ports.map(
      (port, i) =>
        new CrashKeptValue('api', `api-${i}`, (name) => world.startApi({ PORT: String(port), ...signedUrl(name) })),
    ),
    workers: Array.from({ length: WORKERS }, (_, i) => newWorker(`worker-${i}`)),
    sleeper: newWorker('sleeper'),
  }
}
