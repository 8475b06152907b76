// Processes that die with SIGKILL: right after the commit and before the answer, and at any time.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConnectionError } from '@octavo/sdk'
import { change } from '../lib/change.ts'
import type { Plant } from '../lib/proof.ts'
import type { ApiProcess, World, WorldKey } from '../lib/world.ts'
import { countByKey, type IdempotencyPostResult, persist, postDocument } from './posts.ts'

/** The process ends itself between execution and answer; it still replays what another one has executed. */
const DIE_BEFORE_ANSWER: Plant = change(
  'answerWrite',
  'return replyWithStored(route, request, reply, await waitForAnswer(route, request, reply, answer))',
  "if (!answer.is_replayed) process.kill(process.pid, 'SIGKILL')\n  return replyWithStored(route, request, reply, await waitForAnswer(route, request, reply, answer))",
)
const IN_FLIGHT = 12

export interface Kills {
  kills: number
  /** Requests that were answered before the kill. */
  answered: number
  /** Retries that got what the dead process had executed. */
  replayed: number
  /** Retries that executed, since the dead process had not. */
  executed: number
  faulty: number
}
const newKills = (): Kills => ({ kills: 0, answered: 0, replayed: 0, executed: 0, faulty: 0 })

export interface IdempotencyScene {
  world: World
  tenant: string
  key: WorldKey
  plants: readonly Plant[]
  survivor: ApiProcess
}

/** The next victim starts while the current one dies; every second retry goes to it, the others to the survivor. */
export async function killBeforeAnswers(
  scene: IdempotencyScene,
  count: number,
): Promise<{ kills: Kills; keys: string[] }> {
  const { world, tenant, key } = scene
  const env = { OCTAVO_PLANTS: JSON.stringify([...scene.plants, DIE_BEFORE_ANSWER]) }
  const kills = newKills()
  const keys: string[] = []
  let starting = world.startApi(env)
  for (let i = 0; i < count; i++) {
    const victim = await starting
    starting = world.startApi(env)
    const name = randomUUID()
    keys.push(name)
    const isLost = await postDocument(key.client(victim.url), name).then(
      () => false,
      (error: unknown) => error instanceof ConnectionError,
    )
    const executed = (await countByKey(world, tenant)).get(name)
    const { url } = i % 2 === 0 ? scene.survivor : await starting
    const retry = await persist(() => postDocument(key.client(url), name))
    kills.kills++
    if (retry.is_replayed) kills.replayed++
    if (!isLost || executed !== 1 || !retry.is_replayed) kills.faulty++
  }
  await (await starting).kill()
  return { kills, keys }
}

/** Several requests are under way, each with its own key; whatever was answered must be answered the same again. */
export async function killAnyTime(scene: IdempotencyScene, count: number): Promise<{ kills: Kills; keys: string[] }> {
  const { world, key } = scene
  const kills = newKills()
  const keys: string[] = []
  const newNames = (): string[] => {
    const names = Array.from({ length: IN_FLIGHT }, () => randomUUID())
    keys.push(...names)
    return names
  }
  let starting = world.startApi()
  for (let i = 0; i < count; i++) {
    const victim = await starting
    const client = key.client(victim.url)
    // Connections are open and code is warm, so that the kill falls into the work; how long that takes is known then.
    await Promise.all(newNames().map((name) => postDocument(client, name)))
    const begun_ms = performance.now()
    await Promise.all(newNames().map((name) => postDocument(client, name)))
    const took_ms = performance.now() - begun_ms

    const names = newNames()
    const first = names.map((name) => postDocument(client, name).catch(() => null))
    await sleep(Math.random() * took_ms)
    await victim.kill()
    starting = world.startApi()
    const before = await Promise.all(first)
    const after = await Promise.all(
      names.map((name) => persist(() => postDocument(key.client(scene.survivor.url), name))),
    )
    kills.kills++
    for (const [n, posted] of after.entries()) judge(kills, before[n] ?? null, posted)
  }
  await (await starting).kill()
  return { kills, keys }
}

function judge(kills: Kills, before: IdempotencyPostResult | null, after: IdempotencyPostResult): void {
  if (before) {
    kills.answered++
    if (!after.is_replayed || before.answer !== after.answer) kills.faulty++
  } else if (after.is_replayed) kills.replayed++
  else kills.executed++
}
