// Every kind of trouble becomes the state that is documented for it, in time; each call is paid for once; memory stays flat.

import { setTimeout as sleep } from 'node:timers/promises'
import { findUuid } from '../../server/src/lib/ids.ts'
import type { Behaviour } from '../../server/src/testing/provider-answers.ts'
import { asAdmin } from '../lib/admin.ts'
import { residentOf } from '../lib/processes.ts'
import { type Part, round } from '../lib/proof.ts'
import {
  askSummary,
  MODEL_TIMEOUT_SECONDS,
  type ProvidersJob,
  type ProvidersScene,
  type ProvidersSummary,
  readJob,
  readSummary,
  removeSummary,
} from './scene.ts'

interface ProvidersExpectation {
  /** A status, or why it waits; a failure with its code. */
  state: string
  /** Records of the ledger with tokens. */
  paid: number
}

const EXPECTED: Partial<Record<Behaviour, ProvidersExpectation>> = {
  well: { state: 'succeeded', paid: 1 },
  fences_json: { state: 'succeeded', paid: 1 },
  lies: { state: 'succeeded', paid: 1 },
  says_no_usage: { state: 'succeeded', paid: 1 },
  throttles: { state: 'waits: provider_throttled', paid: 0 },
  throttles_until: { state: 'waits: provider_throttled', paid: 0 },
  fails: { state: 'waits: retry_backoff', paid: 0 },
  closes: { state: 'waits: retry_backoff', paid: 0 },
  hangs: { state: 'waits: retry_backoff', paid: 0 },
  drips: { state: 'waits: retry_backoff', paid: 0 },
  is_huge: { state: 'failed: model_output_invalid', paid: 1 },
  breaks_json: { state: 'failed: model_output_invalid', paid: 1 },
  ignores_schema: { state: 'failed: model_output_invalid', paid: 1 },
  is_garbled: { state: 'failed: model_output_invalid', paid: 1 },
  refuses: { state: 'failed: content_refused', paid: 1 },
  filters: { state: 'failed: content_refused', paid: 1 },
}
/** The deadline of one answer, twice where it is asked for again, and time for the worker to take the job. */
const DEADLINE_MS = 2 * MODEL_TIMEOUT_SECONDS * 1_000 + 6_000
const LOOK_MS = 100
const MOST_GROWTH_MB = 120
/** More than any of these answers can have cost. */
const MOST_TOKENS = 20_000
const ROUNDS = { short: 1, normal: 3, long: 10 }

export async function reachStates(scene: ProvidersScene): Promise<Part> {
  const findings: string[] = []
  const cases = Object.entries(EXPECTED) as [Behaviour, ProvidersExpectation][]
  // The first answers load what every later one needs.
  await Promise.all([reach(scene, 'well', EXPECTED.well!), reach(scene, 'lies', EXPECTED.lies!)])
  const watch = watchMemory(scene.worker.pid)
  let slowest = 0
  for (let i = 0; i < ROUNDS[scene.run.length]; i++) {
    const reached = await Promise.all(cases.map(([behaviour, expected]) => reach(scene, behaviour, expected)))
    for (const { finding, took_ms } of reached) {
      slowest = Math.max(slowest, took_ms)
      if (finding) findings.push(finding)
    }
  }
  const growth = watch.stop()
  if (growth > MOST_GROWTH_MB) findings.push(`the worker grew by ${round(growth, 0)} MB`)
  const figure = `${cases.length} kinds of trouble × ${ROUNDS[scene.run.length]}, slowest state after ${round(slowest / 1_000, 1)} s, worker at most ${round(growth, 0)} MB larger`
  return { figure, findings }
}

async function reach(
  scene: ProvidersScene,
  behaviour: Behaviour,
  expected: ProvidersExpectation,
): Promise<{ finding: string | null; took_ms: number }> {
  const began = performance.now()
  const summary = await askSummary(scene, behaviour)
  let state = ''
  while (performance.now() - began < DEADLINE_MS) {
    state = stateOf(await readJob(scene, summary.job_id))
    if (state === expected.state) break
    await sleep(LOOK_MS)
  }
  const took_ms = performance.now() - began
  const wrong =
    state === expected.state ? await wrongBill(scene, summary, expected) : `is '${state}' and not '${expected.state}'`
  // A waiting summary would be retried and disturb the next round.
  await removeSummary(scene, summary.id)
  return { finding: wrong && `${behaviour}: ${wrong}`, took_ms }
}

function stateOf({ status, waiting_reason, error }: ProvidersJob): string {
  if (status === 'failed') return `failed: ${error?.code ?? 'without a code'}`
  const is_waiting = waiting_reason === 'provider_throttled' || waiting_reason === 'retry_backoff'
  return is_waiting ? `waits: ${waiting_reason}` : status
}

interface ProvidersBill {
  records: number
  input: string
  output: string
  cost: string
}

const BILL = `select count(*)::int as records, coalesce(sum(input_tokens), 0) as input, coalesce(sum(output_tokens), 0) as output,
  coalesce(sum(cost_micros), 0) as cost from usage_records where job_id = $1 and input_tokens + output_tokens > 0`

async function wrongBill(
  scene: ProvidersScene,
  { id, job_id }: ProvidersSummary,
  { paid, state }: ProvidersExpectation,
): Promise<string | null> {
  const bill = await asAdmin(
    scene.world.database.name,
    async (client) => (await client.query<ProvidersBill>(BILL, [findUuid('job', job_id)])).rows[0]!,
  )
  const tokens = Number(bill.input) + Number(bill.output)
  if (bill.records !== paid) return `was paid ${bill.records} times and not ${paid}`
  if (tokens < 0 || tokens > MOST_TOKENS) return `was paid ${tokens} tokens`
  if (state !== 'succeeded') return null
  const { usage } = await readSummary(scene, id)
  const is_same =
    usage?.input_tokens === Number(bill.input) &&
    usage.output_tokens === Number(bill.output) &&
    usage.cost_micros === Number(bill.cost)
  return is_same ? null : `says ${JSON.stringify(usage)} and was paid ${JSON.stringify(bill)}`
}

function watchMemory(pid: number): { stop(): number } {
  const before = residentOf(pid)
  let most = before
  const timer = setInterval(() => (most = Math.max(most, residentOf(pid))), 50)
  return {
    stop() {
      clearInterval(timer)
      return most - before
    },
  }
}
