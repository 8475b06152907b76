// Many jobs at once against a budget of few calls: what is not covered is never asked, however many ask together.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Octavo, Summary } from '@octavo/sdk'
import { updateBudget } from '../server/src/tenants/tenants.service.ts'
import { startProvider, type TestProvider } from '../server/src/testing/provider.ts'
import { faults } from './budget/faults.ts'
import { asAdmin } from './lib/admin.ts'
import { writeCatalogue } from './lib/catalogue.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'
import { defer, owned } from './lib/scope.ts'
import { openWorld, type World } from './lib/world.ts'

const MODEL = 'priced'
const JOBS = 50
const CALLS = 10
const ROUNDS = { short: 1, normal: 3, long: 10 }
/** Long enough that whatever is allowed is under way at the same time. */
const ANSWER_MS = 300
const SLOTS = '60'
/**
 * Maximum cost of a question, in multiples of its price: an unusable first answer is retried once, and token estimates
 * vary.
 */
const MOST_RESERVED = 3

export const proof: Proof = {
  promise: 'Concurrent jobs cannot exceed a daily budget.',
  goal: '50 parallel jobs against a budget of 10 calls, with one worker and with two: ≤ 10 calls, all others budget_exceeded, spent ≤ budget; the rest of the budget stays usable, one call after another',
  faults,
  run: prove,
}

interface BudgetScene {
  run: ProofRun
  world: World
  stub: TestProvider
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  await using stub = owned(await startProvider({ delay_ms: ANSWER_MS }))
  // Only what is read has a price: every call costs the same.
  const catalogue = writeCatalogue([{ model: MODEL, base_url: stub.url, price: { input: 1_000_000, output: 0 } }])
  await using _catalogue = defer(() => catalogue.remove())
  const env = { MODELS_FILE: catalogue.path, RATE_LIMITS: 'off', WORKER_SLOTS: SLOTS, JOB_SLOTS: SLOTS }
  await using world = await openWorld(run.plants, env)
  await world.startApi()
  const scene: BudgetScene = { run, world, stub }
  const rounds: BudgetRound[] = []
  for (const workers of [1, 2]) {
    await world.startWorker()
    for (let i = 0; i < ROUNDS[run.length]; i++) rounds.push(await rush(scene, workers))
  }
  return judge(run, rounds)
}

function judge(run: ProofRun, rounds: readonly BudgetRound[]): ProofOutcome {
  const found = rounds.flatMap(({ findings }) => findings)
  for (const finding of found.slice(0, 10)) run.say(finding)
  const numbers = (of: (one: BudgetRound) => number): string => rounds.map(of).join(', ')
  const figure = `${JOBS} parallel jobs, ${rounds.length} times: ${numbers(({ calls }) => calls)} calls of ${CALLS}, with what was left ${numbers(({ all }) => all)}; most spent ${Math.max(...rounds.map(({ share }) => share))}% of the budget; ${found.length} findings`
  return { figure, is_met: found.length === 0 }
}

interface BudgetRound {
  /** `calls` counts the parallel jobs only; `all` includes the later jobs that ran one at a time. */
  calls: number
  all: number
  /** Spending as a percentage of the budget. */
  share: number
  findings: string[]
}

const PAGE =
  'The landlord lets the workshop at 4 Quay Street to the tenant, who keeps it clean and pays the rent in advance. '

let count = 0
const ask = (client: Octavo, wait_seconds: number): Promise<Summary> =>
  client.summaries.create(
    {
      text: `Lease ${String(++count).padStart(6, '0')}. ${PAGE.repeat(20)}`,
      style: 'headline',
      model: MODEL,
      cache: 'bypass',
    },
    { wait_seconds },
  )

async function rush({ world, stub }: BudgetScene, workers: number): Promise<BudgetRound> {
  const { tenant, key } = await world.newTenant()
  const client = key.client(undefined, { timeout_ms: 120_000 })
  const first = await finish(client, await ask(client, 30))
  const price = first.usage?.cost_micros ?? 0
  if (first.status !== 'succeeded' || price === 0) throw new Error(`a summary is ${first.status} and costs ${price}`)
  const budget = price * (CALLS + 1)
  await updateBudget(world.app.system, tenant, budget)

  const before = stub.calls(MODEL)
  const asked = await Promise.all(Array.from({ length: JOBS }, () => ask(client, 0)))
  const ended = await Promise.all(asked.map((one) => finish(client, one)))
  const calls = stub.calls(MODEL) - before
  const findings = endingsOf(ended, calls)
  while ((await finish(client, await ask(client, 30))).status === 'succeeded' && stub.calls(MODEL) - before <= CALLS);
  const all = stub.calls(MODEL) - before
  const spent = await readSpent(world)
  if (all > CALLS) findings.push(`${all} calls were made`)
  if (spent.micros > budget) findings.push(`${spent.micros} was spent of ${budget}`)
  if (spent.micros !== price * (all + 1))
    findings.push(`${spent.micros} was spent, and ${all + 1} calls cost ${price * (all + 1)}`)
  if (spent.micros !== spent.ledger) findings.push(`${spent.micros} was spent, and the ledger says ${spent.ledger}`)
  if (spent.reserved > 0) findings.push(`${spent.reserved} is set aside when all has ended`)
  if (budget - spent.micros > MOST_RESERVED * price)
    findings.push(`${budget - spent.micros} of ${budget} was left and could not be used`)
  const share = Math.round((100 * spent.micros) / budget)
  return {
    calls,
    all,
    share,
    findings: findings.map((one) => `${workers} ${workers === 1 ? 'worker' : 'workers'}: ${one}`),
  }
}

async function finish(client: Octavo, summary: Summary): Promise<Summary> {
  let seen = summary
  for (const deadline = Date.now() + 120_000; !seen.is_terminal && Date.now() < deadline; await sleep(50))
    seen = await client.summaries.get(summary.id, {}, { wait_seconds: 20 })
  return seen
}

function endingsOf(ended: readonly Summary[], calls: number): string[] {
  const findings: string[] = []
  const succeeded = ended.filter(({ status }) => status === 'succeeded').length
  const refused = ended.filter(({ status, error }) => status === 'failed' && error?.code === 'budget_exceeded').length
  const other = ended.find(({ status, error }) => status !== 'succeeded' && error?.code !== 'budget_exceeded')
  if (other) findings.push(`a job is ${other.status}: ${other.error?.code}`)
  if (calls > CALLS) findings.push(`${calls} calls were made at once`)
  if (succeeded !== calls || succeeded === 0) findings.push(`${succeeded} jobs succeeded by ${calls} calls`)
  if (succeeded + refused !== ended.length)
    findings.push(`${refused} jobs were refused and ${succeeded} succeeded of ${ended.length}`)
  return findings
}

interface BudgetSpending {
  micros: number
  ledger: number
  reserved: number
}

/** Reads the most recently created tenant. */
const SPENT = `select coalesce(d.spent_micros, 0)::int as micros,
    (select coalesce(sum(cost_micros), 0)::int from usage_records u where u.tenant_id = t.id) as ledger,
    (select coalesce(sum(micros), 0)::int from budget_reservations r where r.tenant_id = t.id) as reserved
  from tenants t left join budget_days d on d.tenant_id = t.id order by t.id desc limit 1`

const readSpent = ({ database }: World): Promise<BudgetSpending> =>
  asAdmin(database.name, async (client) => (await client.query<BudgetSpending>(SPENT)).rows[0]!)
