import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { change } from './lib/change.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'
import { quantile, round } from './lib/proof.ts'
import { defer } from './lib/scope.ts'
import { type OwnValkey, openValkey } from './lib/valkey.ts'
import { type ApiProcess, openWorld, type World, type WorldKey } from './lib/world.ts'

/** Below 100 a process leases no units in advance: every request asks Valkey. */
const QUOTA = 99
/** A tenant may send four times as much as one key, so it has three. */
const TENANTS = 100
const KEYS_OF_TENANT = 3
/** Each key stays below what it may do in a minute, so that any refusal is a failure. */
const RATE = 300
const TIMEOUT_MS = 5_000
const SIZES = { short: 3, normal: 12, long: 60 } as const
const MAX_SLOWER_MS = 60

export const proof: Proof = {
  promise: 'Rate limiting never fails a request: without Valkey each process applies limits by itself.',
  goal: 'Valkey killed, and stopped, under load: 0 failed requests, p95 at most 60 ms more; a key still gets 429 after its quota',
  faults: {
    library_defaults: {
      what: 'the settings that the client of Valkey comes with',
      plants: [
        change('openValkey', 'enableOfflineQueue: false,', ''),
        change('openValkey', 'maxRetriesPerRequest: 0,', ''),
        change('openValkey', 'commandTimeout: timeout_ms,', ''),
      ],
    },
    no_fallback: {
      what: 'without Valkey everything is admitted',
      plants: [
        change(
          'askValkey',
          'if (!answer) return this.takeHere(policies)',
          'if (!answer) return policies.map((policy) => ({ policy, is_admitted: true, remaining: 1, wait_ms: 0 }))',
        ),
      ],
    },
  },
  run,
}

interface LimiterPhase {
  sent: number
  failed: number
  p95_ms: number
}

async function run(asked: ProofRun): Promise<ProofOutcome> {
  const valkey = await openValkey()
  await using _valkey = defer(() => {
    valkey.thaw()
    return valkey.kill()
  })
  await valkey.start()
  await using world = await openWorld(asked.plants, {
    VALKEY_URL: valkey.url,
    TIER_FREE: `requests_per_minute:${QUOTA},concurrent_requests:500`,
  })
  const api = await world.startApi()
  return await measure(asked, valkey, world, api)
}

async function measure(asked: ProofRun, valkey: OwnValkey, world: World, api: ApiProcess): Promise<ProofOutcome> {
  const readers: LimiterReader[] = []
  // One after the other: a hundred POSTs at once are refused as overload.
  for (let i = 0; i < TENANTS; i++) readers.push(...(await newReaders(world)))
  const seconds = SIZES[asked.length]
  const load = (name: string, trouble: () => void | Promise<void>) =>
    loadPhase({ api, readers, seconds, name, trouble, say: asked.say })

  await load('warm up', () => {})
  const alive = await load('alive', () => {})
  const killed = await load('killed', () => valkey.kill())
  const killedLimit = await exhaust(api, (await newReaders(world))[0]!)
  await valkey.start()
  await load('started again', () => sleep(1_500))
  const stopped = await load('stopped', () => valkey.freeze())
  const stoppedLimit = await exhaust(api, (await newReaders(world))[0]!)
  valkey.thaw()
  const resumed = await load('going on', () => {})

  const phases = [alive, killed, stopped, resumed]
  const failed = phases.reduce((sum, phase) => sum + phase.failed, 0)
  const slower = [killed, stopped].map((phase) => phase.p95_ms - alive.p95_ms)
  const limits = [killedLimit, stoppedLimit]
  return {
    figure:
      `${killed.sent + stopped.sent} requests without Valkey, ${failed} failed; p95 ${round(alive.p95_ms, 1)} ms, ` +
      `killed ${signed(slower[0]!)} ms, stopped ${signed(slower[1]!)} ms; of a quota of ${QUOTA}: ${limits.map(limitText).join(', ')}`,
    is_met: failed === 0 && slower.every((ms) => ms <= MAX_SLOWER_MS) && limits.every(isKept),
  }
}

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${round(Math.abs(value), 1)}`

/** A key, and a document that it can read. */
interface LimiterReader {
  key: WorldKey
  document: string
}

async function newReaders(world: World): Promise<LimiterReader[]> {
  const { tenant, key } = await world.newTenant('free')
  const { id: document } = await key.client().documents.create({ title: 'Lease' })
  const keys = await Promise.all(Array.from({ length: KEYS_OF_TENANT }, () => world.newKey(tenant)))
  return keys.map((reader) => ({ key: reader, document }))
}

interface Limit {
  admitted: number
  refused: number
  /** Requests added back to the key's quota during the run. */
  refilled: number
}

const limitText = ({ admitted, refused }: Limit): string => `${admitted} admitted and ${refused} refused`
const isKept = ({ admitted, refused, refilled }: Limit): boolean =>
  refused > 0 && admitted >= QUOTA && admitted <= QUOTA + refilled

/** A new key sends requests until well beyond its quota. */
async function exhaust(api: ApiProcess, { key, document }: LimiterReader): Promise<Limit> {
  const started = performance.now()
  const limit: Limit = { admitted: 0, refused: 0, refilled: 0 }
  for (let i = 0; i < QUOTA + 30; i++) {
    const { status } = await ask({ url: `${api.url}/api/v1/documents/${document}`, key: key.secret })
    if (status === 200) limit.admitted++
    else if (status === 429) limit.refused++
    else break
  }
  limit.refilled = Math.ceil(((performance.now() - started) / 60_000) * QUOTA)
  return limit
}

interface LimiterLoad {
  api: ApiProcess
  readers: readonly LimiterReader[]
  seconds: number
  name: string
  /** Disturbs Valkey shortly after the start. */
  trouble: () => void | Promise<void>
  say: (line: string) => void
}

const pathsOf = (document: string): string[] => [`/documents/${document}`, '/documents?limit=20', '/projects']

/**
 * An open loop: requests are sent on schedule, however slow the answers are. Measures only what follows the
 * disturbance.
 */
async function loadPhase({ api, readers, seconds, name, trouble, say }: LimiterLoad): Promise<LimiterPhase> {
  const running: Promise<LimiterAnswer>[] = []
  let measured_from = 0
  const started = performance.now()
  const beginTrouble = async (): Promise<void> => {
    await sleep(200)
    measured_from = running.length
    await trouble()
  }
  const troubled = beginTrouble()
  for (let i = 0; i < RATE * seconds; i++) {
    const late = started + (i * 1000) / RATE - performance.now()
    if (late > 1) await sleep(late)
    const { key, document } = readers[i % readers.length]!
    // One more in each round, so that every reader uses every path.
    const path = pathsOf(document)[(i + Math.floor(i / readers.length)) % 3]!
    running.push(ask({ url: `${api.url}/api/v1${path}`, key: key.secret }))
  }
  await troubled
  const answers = (await Promise.all(running)).slice(measured_from)
  const failed = answers.filter(({ status }) => status !== 200)
  const phase = {
    sent: answers.length,
    failed: failed.length,
    p95_ms: quantile(
      answers.map(({ ms }) => ms),
      0.95,
    ),
  }
  const statuses = [...new Set(failed.map(({ status }) => status))].join(', ')
  say(
    `${name}: ${phase.sent} requests, ${phase.failed} failed${statuses && ` (${statuses})`}, p95 ${round(phase.p95_ms, 1)} ms`,
  )
  return phase
}

interface LimiterAnswer {
  /** 0: none. */
  status: number
  ms: number
}

const agent = new Agent({ keepAlive: true, maxSockets: 500 })

function ask({ url, key }: { url: string; key: string }): Promise<LimiterAnswer> {
  const started = performance.now()
  return new Promise((resolve) => {
    const end = (status: number): void => resolve({ status, ms: performance.now() - started })
    const asking = request(
      url,
      { agent, timeout: TIMEOUT_MS, headers: { authorization: `Bearer ${key}` } },
      (answer) => {
        answer.resume().once('end', () => end(answer.statusCode ?? 0))
      },
    )
    asking.once('timeout', () => asking.destroy())
    asking.once('error', () => end(0))
    asking.end()
  })
}
