// Clients write while killers kill, until there was enough of both.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Engines } from '../lib/engines.ts'
import { type ProofRun, round } from '../lib/proof.ts'
import type { Random } from '../lib/random.ts'
import type { World } from '../lib/world.ts'
import { work } from './clients.ts'
import { faults } from './faults.ts'
import type { FindingKind } from './findings.ts'
import { type CrashKeptValue, type Kill, killEngines, killProcesses, victims } from './kills.ts'
import { type Ledger, tally } from './ledger.ts'
import type { Repairs } from './repairs.ts'
import type { Sender } from './send.ts'
import { readTold } from './triggers.ts'
import { type Sightings, watch } from './watch.ts'
import { makeZombies, type Zombies } from './zombies.ts'

const SIZES = {
  short: { writes: 1_000, kills: 7, zombies: 1, pause_ms: 2_500, most_ms: 300_000 },
  normal: { writes: 10_000, kills: 30, zombies: 4, pause_ms: 4_000, most_ms: 1_200_000 },
  long: { writes: 100_000, kills: 150, zombies: 40, pause_ms: 8_000, most_ms: 14_400_000 },
}
const TENANTS = 4
const CLIENTS = 12
const LOOK_MS = 100
const TELL_MS = 60_000
/** A fault that was seen once gets another round of the reconciler, so that it can be seen by others too. */
const CAUGHT_MS = 7_000

export interface CrashScene {
  engines: Engines
  world: World
  random: Random
  ledger: Ledger
  repairs: Repairs
  urls: string[]
  apis: CrashKeptValue[]
  workers: CrashKeptValue[]
  /** Paused now and then, never killed. */
  sleeper: CrashKeptValue
}

type Stops = [AbortController, AbortController, AbortController, AbortController]

export interface Course {
  kills: Kill[]
  zombies: Zombies
  seen: Sightings
  load_ms: number
}

const isKilled = ({ length }: ProofRun, { kills }: Course): boolean =>
  kills.length >= SIZES[length].kills && victims.every((victim) => kills.some((kill) => kill.victim === victim))

export const isEnough = (run: ProofRun, { entries }: Ledger, course: Course): boolean => {
  const { writes, zombies } = SIZES[run.length]
  // Half of the writes show a fault as well, and only one fault needs zombies.
  if (run.fault !== null && !faults[run.fault]!.shows_as.includes('zombie_writes'))
    return entries.length >= writes / 2 && isKilled(run, course)
  return entries.length >= writes && isKilled(run, course) && course.zombies.woken >= zombies
}

export async function load(run: ProofRun, scene: CrashScene): Promise<Course> {
  const { world, random, ledger } = scene
  const { pause_ms, zombies: most_zombies } = SIZES[run.length]
  const course: Course = {
    kills: [],
    zombies: { freezes: 0, woken: 0 },
    seen: { looks: 0, torn: new Map() },
    load_ms: 0,
  }
  const tenants = await Promise.all(Array.from({ length: TENANTS + 1 }, () => world.newTenant('standard')))
  const senderOf = (tenant: number): Sender => ({
    urls: scene.urls,
    secret: tenants[tenant]!.key.secret,
    onSetback: (why) => tally(ledger.setbacks, why),
  })
  const [stopKills, stopZombies, stopLoad, stopWatch] = Array.from({ length: 4 }, () => new AbortController()) as Stops
  const begun = Date.now()
  const clients = Array.from({ length: CLIENTS }, (_, i) =>
    work({ name: `c${i}`, sender: senderOf(i % TENANTS), random: random.fork(`client ${i}`) }, ledger, stopLoad.signal),
  )
  const watching = watch(world.database.name, course.seen, stopWatch.signal)
  const plan = (name: string, pauses: number) => ({
    random: random.fork(name),
    pause_ms: pause_ms * pauses,
    done: course.kills,
  })
  const bed = {
    database: world.database.name,
    sleeper: scene.sleeper,
    sender: senderOf(TENANTS),
    ledger,
    random: random.fork('sleeper'),
  }
  const killing = Promise.all([
    killProcesses(scene.apis, plan('apis', 1.5), stopKills.signal),
    killProcesses(scene.workers, plan('workers', 1.5), stopKills.signal),
    killEngines(scene.engines, plan('engines', 2), stopKills.signal),
    makeZombies({ ...bed, pause_ms }, most_zombies, course.zombies, stopZombies.signal),
  ])
  const failure = new Promise<never>((_, reject) => void killing.catch(reject))
  // A short run has no time for more kills than it needs, except to catch a fault.
  const onKilled = (): void => void (run.length === 'short' && run.fault === null && stopKills.abort())
  await Promise.race([failure, lookOn(run, scene, course, onKilled)])
  stopKills.abort()
  stopZombies.abort()
  await killing
  stopLoad.abort()
  await Promise.all(clients)
  course.load_ms = Date.now() - begun
  stopWatch.abort()
  await watching
  return course
}

/** Until there was enough, or the planted fault has shown itself. */
async function lookOn(run: ProofRun, scene: CrashScene, course: Course, onKilled: () => void): Promise<void> {
  const begun = Date.now()
  const { ledger } = scene
  let [told_at, caught_at] = [begun, Number.POSITIVE_INFINITY]
  for (;;) {
    const now = Date.now()
    if (isEnough(run, ledger, course) || now - begun > SIZES[run.length].most_ms || now - caught_at > CAUGHT_MS) return
    if (isKilled(run, course)) onKilled()
    if (caught_at > now && isCaught(run, scene, course)) caught_at = now
    if (now - told_at > TELL_MS) {
      told_at = now
      const { kills, zombies } = course
      const minutes = round((now - begun) / 60_000, 1)
      const memory = Math.round(process.memoryUsage().rss / 2 ** 20)
      run.say(
        `${minutes} min: ${ledger.entries.length} writes, ${kills.length} kills, ${zombies.woken} zombies, ${memory} MB`,
      )
    }
    await sleep(LOOK_MS)
  }
}

/** Detects faults that are visible before the end. */
function isCaught({ fault }: ProofRun, { engines, repairs }: CrashScene, { seen, zombies }: Course): boolean {
  if (fault === null) return false
  const live: Partial<Record<FindingKind, () => boolean>> = {
    torn: () => seen.torn.size > 0,
    needless_repairs: () => repairs.needless.length > 0,
    zombie_writes: () => zombies.woken > 0 && readTold(engines.readLog('postgres')).zombies.length > 0,
    steps_again: () => readTold(engines.readLog('postgres')).again.length > 0,
  }
  return faults[fault]!.shows_as.some((kind) => live[kind]?.() ?? false)
}
