// One Idempotency-Key, one effect: with forty requests at once, and when the process dies before it answers.

import { lookUpThenInsert } from './idempotency/faults.ts'
import { type IdempotencyScene, killAnyTime, killBeforeAnswers } from './idempotency/kills.ts'
import { countByKey, countRest, postApiKey, postDocument } from './idempotency/posts.ts'
import { type IdempotencyRounds, PARALLEL, runRound } from './idempotency/rounds.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'
import { openWorld } from './lib/world.ts'

const ROUNDS = { short: 10, normal: 50, long: 500 }
const SEALED_ROUNDS = { short: 1, normal: 5, long: 50 }
const KILLS = { short: 2, normal: 50, long: 200 }

export const proof: Proof = {
  promise: 'A POST with an Idempotency-Key takes effect once, and every repetition gets the same response.',
  goal: `${PARALLEL} parallel POSTs: 1 execution, ${PARALLEL - 1} equal replays, 50 rounds; killed with -9 before the response, 50 times: the retry gets the same document`,
  faults: {
    look_up_then_insert: {
      what: 'the key is looked up first and inserted at the end',
      plants: lookUpThenInsert,
    },
  },
  run: prove,
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  await using world = await openWorld(run.plants, { RATE_LIMITS: 'off' })
  const { tenant, key } = await world.newTenant()
  const survivor = await world.startApi()
  const second = await world.startApi()
  const scene: IdempotencyScene = { world, tenant, key, plants: run.plants, survivor }
  const clients = [key.client(survivor.url), key.client(second.url)]

  const rounds: IdempotencyRounds = { rounds: 0, replays: 0, faulty: 0 }
  const keys: string[] = []
  for (let i = 0; i < ROUNDS[run.length]; i++) keys.push(await runRound(clients, postDocument, rounds))
  const documents = keys.length
  for (let i = 0; i < SEALED_ROUNDS[run.length]; i++) keys.push(await runRound(clients, postApiKey, rounds))
  run.say(`${rounds.rounds} rounds (${documents} of documents, the rest of keys with secrets): ${rounds.faulty} faulty`)

  const exact = await killBeforeAnswers(scene, KILLS[run.length])
  run.say(`${exact.kills.kills} kills between commit and answer: ${exact.kills.faulty} faulty`)
  const any = await killAnyTime(scene, KILLS[run.length])
  run.say(
    `${any.kills.kills} kills at any time: ${any.kills.answered} answered before, retries ${any.kills.replayed} replayed, ${any.kills.executed} executed`,
  )

  const all = [...keys, ...exact.keys, ...any.keys]
  const counts = await countByKey(world, tenant)
  const notOne = all.filter((name) => counts.get(name) !== 1).length
  const { jobs, events } = await countRest(world, tenant)
  const expected = documents + exact.keys.length + any.keys.length
  const strays = Math.abs(jobs - expected) + Math.abs(events - expected)

  const faulty = rounds.faulty + exact.kills.faulty + any.kills.faulty
  const figure =
    `${rounds.rounds} rounds of ${PARALLEL}: ${rounds.replays} replays, ${rounds.faulty} faulty; ` +
    `killed before the answer ${exact.kills.kills} times: ${exact.kills.replayed} retries got the document; ` +
    `at any time ${any.kills.kills} times: ${any.kills.answered} answered, ${any.kills.replayed} replayed, ${any.kills.executed} executed, ${any.kills.faulty} faulty; ` +
    `${all.length} keys: ${notOne} without exactly one row, ${strays} stray jobs or events`
  return { figure, is_met: faulty + notOne + strays === 0 && exact.kills.replayed === exact.kills.kills }
}
