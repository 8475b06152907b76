// How long a key or an access token that has ended is still accepted by another process.

import { change } from './lib/change.ts'
import { type Proof, type ProofOutcome, type ProofRun, quantile, round } from './lib/proof.ts'
import { openWorld } from './lib/world.ts'
import { revokedKey, rotatedKey, tokenKinds } from './revocation/credentials.ts'
import { type Cut, cutListener } from './revocation/cuts.ts'
import type { RevocationScene } from './revocation/scene.ts'
import { endCredentials, expireKeys, overlapKeys, type Trials } from './revocation/trials.ts'

const GOAL_MS = 50
const CUT_GOAL_MS = 5_000
const HEARD_GOAL_MS = 15_000
const TRIALS = { short: 60, normal: 200, long: 1_000 }
const OTHER_TRIALS = { short: 20, normal: 50, long: 200 }
/** For each way to end a token. */
const TOKEN_TRIALS = { short: 12, normal: 40, long: 200 }
const CUT_KEYS = { short: 8, normal: 20, long: 40 }

export const proof: Proof = {
  promise:
    'Every process rejects a revoked, rotated or expired key within milliseconds, and so it rejects the access tokens of a user, authorization, application or tenant that has ended; within seconds if notifications are lost.',
  goal: `first 401 on the other process: p99 <= ${GOAL_MS} ms over 200 trials, and over 200 with access tokens; with the listener cut or silent <= ${CUT_GOAL_MS} ms`,
  faults: {
    no_notification: {
      what: 'a change of a key is not told to the other processes',
      plants: [change('notifyChange', "tx.queue(NOTIFY, [uuidOf('key', id)])", 'undefined')],
    },
    silent_user: {
      what: 'a change of a user is not told to the other processes',
      plants: [change('users.store.ts', "tx.queue(NOTIFY, [uuidOf('usr', id)])", 'undefined')],
    },
    silent_grant: {
      what: 'a revoked authorization is not told to the other processes',
      plants: [change('revokeGrant', 'store.notifyChange(tx, grant.id)', 'undefined')],
    },
    long_memory: {
      what: 'a key is remembered for too long',
      plants: [change('LIFETIME_MS', 'const LIFETIME_MS = 4_500', 'const LIFETIME_MS = 8_000')],
    },
    no_heartbeat: {
      what: 'a listener whose connection went silent waits for ever',
      plants: [change('listen', 'await Promise.race([gone, watch(client)])', 'await gone')],
    },
  },
  run: prove,
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  // Refusals are counted by address, so the trials come from many, through a proxy that is trusted.
  await using world = await openWorld(run.plants, { RATE_LIMITS: 'off', TRUSTED_PROXIES: '127.0.0.1' })
  const { tenant, key } = await world.newTenant()
  const first = await world.startApi()
  const second = await world.startApi()
  const scene: RevocationScene = { world, tenant, admin: key.client(first.url), other: second.url }

  const revoked = await endCredentials(scene, TRIALS[run.length], revokedKey)
  run.say(`revoked: ${trialsText(revoked)}`)
  const isCutShort = revoked.lags.length < TRIALS[run.length]
  if (isCutShort) return { figure: `revoked: ${trialsText(revoked)}`, is_met: false }
  const tokens = await endTokens(run, scene)
  run.say(`access tokens: ${trialsText(tokens)}`)
  if (tokens.isCutShort) return { figure: `access tokens: ${trialsText(tokens)}`, is_met: false }
  const others: [string, Trials][] = [
    ['rotated', await endCredentials(scene, OTHER_TRIALS[run.length], rotatedKey)],
    ['expired', await expireKeys(scene, OTHER_TRIALS[run.length])],
    ['end of overlap', await overlapKeys(scene, OTHER_TRIALS[run.length])],
  ]
  for (const [name, trials] of others) run.say(`${name}: ${trialsText(trials)}`)
  const [cut, silent] = await Promise.all([
    cutListener(scene, CUT_KEYS[run.length], 'cut'),
    cutListener(scene, CUT_KEYS[run.length], 'silence'),
  ])
  run.say(`listener cut: ${cutText(cut)}; silent: ${cutText(silent)}`)

  const figure =
    `revoked: ${trialsText(revoked)}; access tokens: ${trialsText(tokens)}; ${others.map(([name, trials]) => `${name}: ${trialsText(trials)}`).join('; ')}; ` +
    `listener cut: ${cutText(cut)}; silent: ${cutText(silent)}`
  return {
    figure,
    is_met:
      isGood(revoked, 0.99) &&
      isGood(tokens, 0.99) &&
      others.every(([, trials]) => isGood(trials, 0.9)) &&
      [cut, silent].every(isBounded),
  }
}

async function endTokens(run: ProofRun, scene: RevocationScene): Promise<Trials & { isCutShort: boolean }> {
  const count = TOKEN_TRIALS[run.length]
  const all: Trials = { lags: [], from_sent: [], strange: 0, early: 0 }
  for (const [name, newCredential] of Object.entries(tokenKinds)) {
    const trials = await endCredentials(scene, count, newCredential)
    run.say(`  ${name}: ${trialsText(trials)}`)
    const { lags, from_sent, strange, early } = trials
    all.lags.push(...lags)
    all.from_sent.push(...from_sent)
    all.strange += strange
    all.early += early
    if (lags.length < count) return { ...all, isCutShort: true }
  }
  return { ...all, isCutShort: false }
}

const isGood = ({ lags, strange, early }: Trials, q: number): boolean =>
  quantile(lags, q) <= GOAL_MS && strange + early === 0
const isBounded = ({ max_ms, strange, heard_after_ms }: Cut): boolean =>
  max_ms <= CUT_GOAL_MS && strange === 0 && heard_after_ms <= HEARD_GOAL_MS

function trialsText({ lags, from_sent, strange, early }: Trials): string {
  const faults = strange + early === 0 ? '' : `, ${strange} strange answers, ${early} refused too early`
  const [half, p90, p99] = [0.5, 0.9, 0.99].map((q) => quantile(lags, q))
  const request = from_sent.length === 0 ? '' : ` (p99 ${quantile(from_sent, 0.99)} ms after the request)`
  return `${lags.length} trials, median ${half}, p90 ${p90}, p99 ${p99} ms${request}${faults}`
}

const cutText = ({ max_ms, strange, heard_after_ms }: Cut): string =>
  `at most ${round(max_ms, 0)} ms, heard again ${round(heard_after_ms, 0)} ms after healing${strange === 0 ? '' : `, ${strange} strange answers`}`
