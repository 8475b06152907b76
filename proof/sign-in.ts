// Sign-ins do not slow down the API, do not show which addresses exist, and lock no user out.

import { setTimeout as sleep } from 'node:timers/promises'
import { createTestUser, TEST_PASSWORD } from '../server/src/testing/users.ts'
import { change } from './lib/change.ts'
import {
  median,
  type Part,
  type Proof,
  type ProofOutcome,
  type ProofRun,
  proveParts,
  quantile,
  round,
} from './lib/proof.ts'
import { openWorld } from './lib/world.ts'
import { attempt, deviceOf, newAddress, openTarget, read, type SignInTarget } from './sign-in/client.ts'

/** CI shares its machine, so short runs detect only large differences. */
const MAX_SLOWDOWN = { short: 3, normal: 1.5, long: 1.5 } as const
const MAX_DIFFERENCE = { short: 0.3, normal: 0.05, long: 0.05 } as const
const TRIES = { short: 20, normal: 200, long: 1_000 } as const
const WINDOW_MS = { short: 1_500, normal: 5_000, long: 20_000 } as const
const WINDOWS = { short: 4, normal: 5, long: 5 } as const
const READS_PER_SECOND = 50
const OVERLOAD = 10
const WRONG = 'not the right password'
const EMAIL = 'ada@example.com'

export const proof: Proof = {
  promise: 'Sign-ins do not slow down the API, do not show which addresses exist, and cannot lock anybody out.',
  goal: `at ${OVERLOAD} × the capacity for sign-ins: p99 of API requests ≤ ${MAX_SLOWDOWN.normal} × normal (short: ${MAX_SLOWDOWN.short}), each the best of interleaved windows, 0 failed; times of known and unknown addresses differ by < ${MAX_DIFFERENCE.normal * 100}% over ${TRIES.long} tries each (short: ${MAX_DIFFERENCE.short * 100}% over ${TRIES.short}), with the same answer; after failures from one address, the user signs in from another one and from a known browser`,
  faults: {
    main_thread: {
      what: 'password hashes are computed in the thread that serves requests',
      plants: [
        change(
          'compute',
          'this.checkRoom(client)',
          `return process.getBuiltinModule('node:crypto').argon2Sync('argon2id', { message: request.password, nonce: request.salt, parallelism: 1, tagLength: 32, memory: request.memory, passes: request.passes })`,
        ),
      ],
    },
    no_dummy: {
      what: 'unknown addresses are refused without a hash',
      plants: [change('verify', 'if (computed.size === 0) await', 'if (false) await')],
    },
    account_lock: {
      what: 'failures are counted for the account',
      plants: [change('policies', 'shortDigest(`${client} ${email_key}`)', 'shortDigest(email_key)')],
    },
  },
  run,
}

async function run(asked: ProofRun): Promise<ProofOutcome> {
  await using world = await openWorld(asked.plants, { TRUSTED_PROXIES: '127.0.0.1/32' })
  const { tenant, key } = await world.newTenant()
  await createTestUser({ app: world.app, owner_tenant: tenant }, EMAIL)
  const api = await world.startApi()
  const document = await key.client().documents.create({ title: 'Lease' })
  const target = await openTarget(api.url)
  const url = `${api.url}/api/v1/documents/${document.id}`
  return await proveParts(asked, [
    () => proveLockout(target),
    () => proveTimes(asked, target),
    () => proveLoad(asked, target, () => read(url, key.secret)),
  ])
}

async function proveLockout(target: SignInTarget): Promise<Part> {
  const findings: string[] = []
  const signIn = (from: string, device?: string) =>
    attempt(target, { email: EMAIL, password: TEST_PASSWORD, from, ...(device === undefined ? {} : { device }) })
  const attacker = newAddress()
  const first = await signIn(attacker)
  if (first.status !== 303) findings.push(`the first sign-in gets ${first.status}`)
  const statuses: number[] = []
  for (let i = 0; i < 30; i++)
    statuses.push((await attempt(target, { email: EMAIL, password: WRONG, from: attacker })).status)
  const refused = statuses.filter((status) => status === 429).length
  if (refused === 0) findings.push('30 failures from one address are not limited')
  const elsewhere = await signIn(newAddress())
  if (elsewhere.status !== 303) findings.push(`after failures of another address, the user gets ${elsewhere.status}`)
  const known = await signIn(attacker, deviceOf(first))
  if (known.status !== 303) findings.push(`after failures of its network, a known browser gets ${known.status}`)
  return { figure: `${refused} of 30 failures from one address refused, 0 users locked out`, findings }
}

async function proveTimes({ length }: ProofRun, target: SignInTarget): Promise<Part> {
  const known: number[] = []
  const unknown: number[] = []
  const answers = new Set<string>()
  let from = newAddress()
  for (let i = 0; i < TRIES[length] * 2; i++) {
    if (i % 10 === 0) from = newAddress()
    // In both orders, so that neither kind always follows the other.
    const isKnown = i % 4 === 0 || i % 4 === 3
    const email = isKnown ? EMAIL : `unknown-${i}@example.com`
    const { ms, status, text } = await attempt(target, { email, password: WRONG, from })
    ;(isKnown ? known : unknown).push(ms)
    answers.add(`${status} ${text.replaceAll(email, '').replaceAll(/value="[^"]{60,}"/g, '')}`)
  }
  const times = [median(known), median(unknown)] as const
  const difference = Math.abs(times[0] - times[1]) / Math.min(...times)
  const figure = `known ${round(times[0], 1)} ms, unknown ${round(times[1], 1)} ms: ${round(difference * 100, 1)}% over ${known.length} tries each, ${answers.size} different answer(s)`
  const findings = difference < MAX_DIFFERENCE[length] ? [] : [`the times show whether an address exists: ${figure}`]
  if (answers.size > 1) findings.push('the answers show whether an address exists')
  return { figure, findings }
}

async function proveLoad(
  { length, say }: ProofRun,
  target: SignInTarget,
  readOne: () => Promise<{ status: number; ms: number }>,
): Promise<Part> {
  const capacity = await measureCapacity(target)
  const rate = Math.ceil(capacity * OVERLOAD)
  say(`capacity: ${round(capacity, 1)} sign-ins a second`)
  const phases: { normal: number; loaded: number }[] = []
  const statuses = new Map<number, number>()
  let failed = 0
  for (let i = 0; i < WINDOWS[length]; i++) {
    const normal = await readFor(WINDOW_MS[length], readOne)
    const flood = floodFor(WINDOW_MS[length], rate, target, statuses)
    const loaded = await readFor(WINDOW_MS[length], readOne)
    await flood
    failed += normal.failed + loaded.failed
    phases.push({ normal: normal.p99_ms, loaded: loaded.p99_ms })
    say(`p99 ${round(normal.p99_ms, 1)} ms, with sign-ins ${round(loaded.p99_ms, 1)} ms`)
  }
  // Other programs share the machine and only add time, so the quietest window of each kind counts.
  const quietest = (kind: 'normal' | 'loaded'): number => Math.min(...phases.map((phase) => phase[kind]))
  const ratio = quietest('loaded') / quietest('normal')
  const counts = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
  const figure = `${rate} sign-ins a second (${counts}): p99 of the API ${round(ratio)} × normal, ${failed} failed`
  const findings = ratio <= MAX_SLOWDOWN[length] ? [] : [`sign-ins slow down the API: ${figure}`]
  if (failed > 0) findings.push(`${failed} API requests failed`)
  return { figure, findings }
}

/** Sign-ins a second while one follows the other. */
async function measureCapacity(target: SignInTarget): Promise<number> {
  const started = performance.now()
  let count = 0
  while (performance.now() - started < 1_500) {
    await attempt(target, { email: EMAIL, password: WRONG, from: newAddress() })
    count++
  }
  return (count * 1_000) / (performance.now() - started)
}

/** An open loop: requests start on schedule, however slow the answers are. */
async function onSchedule<T>(ms: number, rate: number, work: () => Promise<T>): Promise<T[]> {
  const started = performance.now()
  const running: Promise<T>[] = []
  for (let i = 0; i < (ms * rate) / 1_000; i++) {
    const late = started + (i * 1_000) / rate - performance.now()
    if (late > 1) await sleep(late)
    running.push(work())
  }
  return Promise.all(running)
}

async function readFor(
  ms: number,
  readOne: () => Promise<{ status: number; ms: number }>,
): Promise<{ p99_ms: number; failed: number }> {
  const answers = await onSchedule(ms, READS_PER_SECOND, readOne)
  const times = answers.map((answer) => answer.ms)
  return { p99_ms: quantile(times, 0.99), failed: answers.filter(({ status }) => status !== 200).length }
}

async function floodFor(ms: number, rate: number, target: SignInTarget, statuses: Map<number, number>): Promise<void> {
  const answers = await onSchedule(ms, rate, () =>
    attempt(target, { email: EMAIL, password: WRONG, from: newAddress() }),
  )
  for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
}
