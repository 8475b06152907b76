import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pdfBlob } from '@octavo/extract/testing/pdf-files.ts'
import type { Octavo, Summary } from '@octavo/sdk'
import { operator } from '../lib/caller.ts'
import { newUuid, uuidOf } from '../lib/ids.ts'
import { updateBudget } from '../tenants/tenants.service.ts'
import { startApi } from '../testing/api.ts'
import { change } from '../testing/jobs.ts'
import { writeModelsFile } from '../testing/models-file.ts'
import { startProvider } from '../testing/provider.ts'
import { readSpent, recordUsage, release, reserve } from './usage.service.ts'

const provider = await startProvider({ delay_ms: 30 })
after(() => provider.close())
/** One micro for a token. */
const price = { input: 1_000_000, output: 1_000_000 }
const MODELS_FILE = writeModelsFile(provider.url, [
  { id: 'writer', price },
  { id: 'looker', price, capabilities: ['vision'] },
])
const { app, newTenant } = await startApi({ after }, { MODELS_FILE, WORKER_SLOTS: '12' })

const TEXT = 'Rent is 1,200 a month. It is due on the third day of each month.'
const callerOf = (tenant: string) => operator(uuidOf('ten', tenant), [])
const spentOf = (tenant: string): Promise<number> => readSpent(app.db.for(callerOf(tenant)))
interface UsageEntry {
  model: string
  locality: string
  pages: number
  input_tokens: number
  cost_micros: number
  subject_object: string
}
const ledgerOf = (tenant: string): Promise<UsageEntry[]> =>
  change<UsageEntry>(
    app,
    tenant,
    'select model, locality, pages, input_tokens, cost_micros, subject_object from usage_records where tenant_id = $1 order by id',
  )

/** As one batch: its items are as many jobs, which run beside each other. */
async function summarise(client: Octavo, count: number): Promise<Summary[]> {
  const inputs = Array.from({ length: count }, (_, i) => ({
    text: `${TEXT} Number ${i}.`,
    style: 'abstract' as const,
    cache: 'bypass' as const,
  }))
  const { id } = await client.jobs.wait((await client.jobs.create({ type: 'summaries', inputs })).id)
  const jobs = new Set((await client.jobs.list({ parent_job_id: id, limit: 100 })).data.map((job) => job.id))
  return (await client.summaries.list({ limit: 100 })).data.filter(({ job_id }) => jobs.has(job_id ?? ''))
}

test('concurrent reservations never exceed the budget, and settled ones count their actual cost', async () => {
  const { tenant } = await newTenant()
  const caller = callerOf(tenant)
  await updateBudget(app.system, tenant, 1_000)
  const pay = (call: string, input_tokens: number) =>
    app.db.transaction(caller, async (tx) => {
      const of = { project_id: null, key_id: null, job_id: null, subject: { object: 'job', id: newUuid() } }
      recordUsage(tx, { id: 'writer', provider: 'stub', locality: 'remote', price }, of, {
        pages: 0,
        input_tokens,
        output_tokens: 0,
        compute_ms: 1,
      })
      release(tx, call)
    })

  const first = await Promise.all(Array.from({ length: 50 }, (_, i) => reserve(app, caller, `call ${i}`, 100)))
  const covered = first.flatMap((isCovered, i) => (isCovered ? [`call ${i}`] : []))
  const again = await reserve(app, caller, covered[0]!, 100)
  await Promise.all(covered.map((call) => pay(call, 40)))
  const second = await Promise.all(Array.from({ length: 50 }, (_, i) => reserve(app, caller, `later ${i}`, 100)))

  assert.equal(covered.length, 10)
  assert.equal(again, true, 'the same call after a crash takes its own place')
  assert.equal(await spentOf(tenant), 400)
  assert.equal(second.filter(Boolean).length, 6)
})

test('fifty concurrent jobs do not overspend the daily budget and report the reason', async () => {
  const { client, tenant } = await newTenant()
  const [probe] = await summarise(client, 1)
  const { cost_micros } = probe!.usage!
  // Each call first reserves the cost of its longest possible answer. The budget has room for one such reservation and
  // for ten calls at their actual cost.
  const budget = (await spentOf(tenant)) + 3_000 + 10 * cost_micros
  await updateBudget(app.system, tenant, budget)
  const before = provider.calls('writer')

  const made = await summarise(client, 50)

  const done = made.filter(({ status }) => status === 'succeeded')
  const refused = made.filter(({ error }) => error?.code === 'budget_exceeded')
  const [left] = await change<{ count: number }>(
    app,
    tenant,
    'select count(*) from budget_reservations where tenant_id = $1',
  )
  assert.ok(cost_micros > 0 && left!.count === 0, 'nothing stays reserved')
  assert.equal(done.length + refused.length, 50)
  assert.ok(done.length > 0 && refused.length > 0, `${done.length} were made, ${refused.length} refused`)
  assert.ok((await spentOf(tenant)) <= budget, 'never more than the budget')
  assert.equal(provider.calls('writer') - before, done.length, 'who is refused asks nobody')
  const ledger = await ledgerOf(tenant)
  const total = ledger.reduce((sum, entry) => sum + entry.cost_micros, 0)
  assert.equal(total, await spentOf(tenant), 'the ledger says what was spent')
})

test('the usage ledger records the ingestion of a document and its reader', async () => {
  const { client, tenant } = await newTenant()
  await client.documents.createAndWait(pdfBlob(['This is page one.'], ['This is page two.'], ['This is page three.']))
  await client.documents.createAndWait(pdfBlob(['This is the lease.']), {
    document: { processing: { reader: 'looker' } },
  })

  const [plain, seen] = await Promise.all(
    ['built_in', 'looker'].map(async (model) => (await ledgerOf(tenant)).filter((entry) => entry.model === model)),
  )

  assert.equal(
    plain!.reduce((sum, { pages }) => sum + pages, 0),
    3,
  )
  assert.deepEqual([plain![0]!.locality, plain![0]!.cost_micros, plain![0]!.subject_object], ['local', 0, 'document'])
  assert.deepEqual([seen!.length, seen![0]!.locality, seen![0]!.pages], [1, 'remote', 1])
  assert.ok(seen![0]!.input_tokens > 0 && seen![0]!.cost_micros > 0)
})

test('a paid reader respects the budget', async () => {
  const { client, tenant } = await newTenant()
  await updateBudget(app.system, tenant, 5)
  const before = provider.calls('looker')

  const document = await client.documents.createAndWait(pdfBlob(['This is the lease.']), {
    document: { processing: { reader: 'looker' } },
  })

  assert.deepEqual(
    [document.status, document.error?.code, provider.calls('looker')],
    ['failed', 'budget_exceeded', before],
  )
})
