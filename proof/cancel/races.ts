// Cancels that race with a job's end, its retry, its timeout, its deletion and its being run again.

import { setTimeout as sleep } from 'node:timers/promises'
import { eachOf, parse } from '../lib/call.ts'
import { contradictionsOf, type History, isEnd, readHistories, readRest } from '../lib/histories.ts'
import type { Part } from '../lib/proof.ts'
import type { Random } from '../lib/random.ts'
import { enqueueScripts, type Script } from '../lib/scripts.ts'
import { overlapsIn } from './overlaps.ts'
import { ask, type CancelScene, type Wish } from './scene.ts'

const JOBS = { short: 250, normal: 1_200, long: 10_000 }
const LANES = 20
const QUIET_MS = 20_000
/** About how long a job takes to begin. */
const START_MS = 40
const TIMEOUT_SECONDS = 1

interface CancelRequest {
  wish: Wish
  sent_at: number
  answered_at: number
  status: number
  /** The status of the job that the answer shows, or the code of the error. */
  shown: string
}

interface CancelPlan {
  against: 'finish' | 'retry' | 'timeout'
  script: Script
  timeout_seconds?: number
  wishes: { wish: Wish; after_ms: number }[]
}

/** Half of the requests come about when something happens to the job, half at any time. */
function newPlan(random: Random): CancelPlan {
  const against = random.weighted({ finish: 6, retry: 2, timeout: 2 })
  const [steps, step_ms] = [random.whole(1, 3), random.whole(0, 60)]
  const event_ms =
    against === 'timeout' ? TIMEOUT_SECONDS * 1_000 : START_MS + (against === 'finish' ? steps : 1) * (step_ms + 10)
  const isLate = against === 'retry' && random.next() < 0.2
  const when = (): number => {
    // When the time to try again comes.
    if (isLate) return random.between(4_000, 6_500)
    return random.next() < 0.5 ? random.between(0, event_ms * 1.5) : Math.max(0, event_ms + random.between(-60, 60))
  }
  const wishes = [{ wish: 'cancel' as Wish, after_ms: when() }]
  if (random.next() < 0.3) wishes.push({ wish: 'cancel', after_ms: when() })
  if (random.next() < 0.4) wishes.push({ wish: 'again', after_ms: when() + random.between(0, 60) })
  if (random.next() < 0.4) wishes.push({ wish: 'delete', after_ms: when() + random.between(0, 60) })
  const script =
    against === 'timeout' ? { steps: 1, step_ms: 3_000 } : { steps, step_ms, fails: against === 'retry' ? 1 : 0 }
  return { against, script, wishes, ...(against === 'timeout' ? { timeout_seconds: TIMEOUT_SECONDS } : {}) }
}

export async function raceCancels(scene: CancelScene): Promise<Part> {
  const { world, run, tenant } = scene
  const random = scene.random.fork('races')
  const plans = Array.from({ length: JOBS[run.length] }, () => newPlan(random))
  const asked = new Map<string, CancelRequest[]>()
  const late: Promise<unknown>[] = []
  await eachOf(plans, LANES, async ({ script, wishes, timeout_seconds }) => {
    const [id] = await enqueueScripts(world, tenant, script, timeout_seconds ? { timeout_seconds } : {})
    asked.set(id!, [])
    const racing = Promise.all(
      wishes.map(({ wish, after_ms }) => sleep(after_ms).then(() => put(scene, asked, wish, id!))),
    )
    if (wishes[0]!.after_ms < 3_000) await racing
    else late.push(racing)
  })
  await Promise.all(late)
  const findings = await quieten(scene, asked)
  const histories = await readHistories(world.database.name)
  const tally = new Map<string, number>()
  let ends = 0
  for (const [id, requests] of asked) {
    const history = histories.get(id)
    if (!history) {
      findings.push(`${id}: no trace is left of it`)
      continue
    }
    findings.push(...contradictionsOf(history), ...inconsistencies(history, requests))
    const words = history.events.map(({ word }) => word).filter(isEnd)
    ends += words.length
    for (const word of words) tally.set(word, (tally.get(word) ?? 0) + 1)
  }
  findings.push(...(await overlapsIn(scene, [...asked.keys()])))
  const requests = [...asked.values()].flat()
  const refused = requests.filter(({ status }) => status >= 400).length
  const kinds = [...tally].map(([word, count]) => `${count} ${word}`).join(', ')
  return {
    figure: `${asked.size} races, ${requests.length} requests (${refused} refused), ${ends} ends (${kinds}): ${findings.length} wrong`,
    findings,
  }
}

async function put(scene: CancelScene, asked: Map<string, CancelRequest[]>, wish: Wish, id: string): Promise<void> {
  const sent_at = Date.now()
  const answer = await ask(scene, wish, id)
  const body = answer.status === 204 ? null : parse<{ status?: string; code?: string }>(answer)
  const shown = (answer.status === 200 ? body?.status : body?.code) ?? ''
  asked.get(id)!.push({ wish, sent_at, answered_at: Date.now(), status: answer.status, shown })
}

/** Cancels what still waits for another try, and waits until nothing is left. */
async function quieten(scene: CancelScene, asked: Map<string, CancelRequest[]>): Promise<string[]> {
  const { world, key, api } = scene
  for await (const job of key.client(api.url).jobs.list({ status: ['queued'] }))
    await put(scene, asked, 'cancel', job.id)
  for (const until = Date.now() + QUIET_MS; ; await sleep(100)) {
    const { live, used, waiting, tickets } = await readRest(world.database.name)
    if (live + used + waiting + tickets === 0) return []
    if (Date.now() > until) return [`left: ${live} jobs, ${used} slots, ${waiting} in line, ${tickets} tickets`]
  }
}

const ALLOWED: Record<Wish, readonly string[]> = {
  cancel: ['200 cancelled', '200 running', '409 invalid_state', '404 not_found'],
  again: ['200 queued', '409 invalid_state', '404 not_found'],
  delete: ['204 ', '409 invalid_state', '404 not_found'],
}

/** Answers that the job's story does not bear out. */
function inconsistencies({ id, events, row }: History, requests: readonly CancelRequest[]): string[] {
  const found: string[] = []
  if (row?.outcomes.includes('interrupted')) found.push(`${id}: an attempt was interrupted, but no worker was lost`)
  const told = requests.map(({ wish, status, shown }) => `${wish} ${status} ${shown}`)
  const count = (answer: string): number => told.filter((one) => one === answer).length
  const states = events.filter(({ word }) => word !== 'updated').map(({ word }) => word)
  const pairs = (isFirst: (word: string) => boolean, second: string): number =>
    states.filter((word, index) => word === second && index > 0 && isFirst(states[index - 1]!)).length
  const equal = (what: string, answers: number, times: number): void => {
    if (answers !== times) found.push(`${id}: ${answers} × ${what} answered, ${times} × done`)
  }
  for (const { wish, status, shown } of requests)
    if (!ALLOWED[wish].includes(`${status} ${shown}`)) found.push(`${id}: ${wish} was answered with ${status} ${shown}`)
  equal(
    'cancelled at once',
    count('cancel 200 cancelled'),
    pairs((word) => word === 'queued', 'cancelled'),
  )
  equal('run again', count('again 200 queued'), pairs(isEnd, 'queued'))
  equal('deleted', count('delete 204 '), pairs(isEnd, 'deleted'))
  if (pairs((word) => word === 'running', 'cancelled') > count('cancel 200 running'))
    found.push(`${id}: cancelled while running, unasked`)
  for (const { wish, shown, answered_at, status } of requests) {
    if (status === 404 && states.at(-1) !== 'deleted') found.push(`${id}: ${wish} found nothing, but it is there`)
    if (
      wish === 'cancel' &&
      shown === 'invalid_state' &&
      !events.some(({ word, at }) => isEnd(word) && at <= answered_at + 5)
    )
      found.push(`${id}: a cancel was refused before the end`)
  }
  return found
}
