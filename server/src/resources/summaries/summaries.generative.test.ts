import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openPool } from '../../db/database.ts'
import { uuidOf } from '../../lib/ids.ts'
import { startApi } from '../../testing/api.ts'
import { until } from '../../testing/jobs.ts'
import { startProvider } from '../../testing/provider.ts'

const provider = await startProvider()
after(() => provider.close())
const models_file = join(tmpdir(), `octavo-models-${process.pid}.json`)
writeFileSync(
  models_file,
  JSON.stringify({
    providers: [{ id: 'stub', base_url: provider.url, locality: 'remote' }],
    models: [
      {
        id: 'writer',
        provider: 'stub',
        model: 'writer',
        kind: 'generator',
        context_tokens: 4096,
        price: { input: 2_000_000, output: 8_000_000 },
      },
      { id: 'busy', provider: 'stub', model: 'busy', kind: 'generator', context_tokens: 4096 },
      { id: 'slow', provider: 'stub', model: 'slow', kind: 'generator', context_tokens: 4096 },
    ],
    defaults: { generator: 'writer' },
  }),
)
const api = await startApi({ after }, { MODELS_FILE: models_file })
const { owner, database } = api

const TEXT = 'Rent is 1,200 a month. It is due on the third day of each month, in advance.'
const say = (value: unknown): void => provider.say('writer', () => JSON.stringify(value))
const sentence = (text: string, ...quotes: string[]) => ({ text, quotes })
interface SummaryGenerativeUsage {
  model: string
  input_tokens: number
  output_tokens: number
  cost_micros: number
}
const pool = openPool(database.admin_url!, 1)
after(() => pool.end())
async function usageOf(id: string): Promise<SummaryGenerativeUsage[]> {
  const { rows } = await pool.query<SummaryGenerativeUsage>(
    `select u.model, u.input_tokens::int, u.output_tokens::int, u.cost_micros::int from usage_records u join outcomes o on o.id = u.subject_id
    where o.tenant_id = u.tenant_id and o.job_id = $1 order by u.id`,
    [uuidOf('job', id)],
  )
  return rows
}

test('a model writes the summary, its quotes are verified, and its cost is recorded', async () => {
  say({
    sentences: [
      sentence('The tenant pays 1,200.', 'Rent is 1,200 a month'),
      sentence('In gold.', 'payable in gold coins only'),
    ],
  })

  const summary = await owner.summaries.create({ text: TEXT, style: 'abstract' })

  assert.deepEqual(
    [summary.status, summary.method, summary.text],
    ['succeeded', 'generative', 'The tenant pays 1,200. In gold.'],
  )
  assert.deepEqual(
    [summary.sentences[0]?.citations[0]?.quote, summary.sentences[1]?.citations],
    ['Rent is 1,200 a month', []],
  )
  assert.deepEqual(summary.warnings, ['1 quote was dropped: not found on the pages.'])
  const { input_tokens, output_tokens, cost_micros } = summary.usage!
  assert.ok(input_tokens > 0 && output_tokens > 0)
  assert.equal(cost_micros, Math.ceil((input_tokens * 2_000_000 + output_tokens * 8_000_000) / 1e6))
})

test('a repeated summary request costs nothing unless the cache is bypassed', async () => {
  say({ sentences: [sentence('Rent is due.', 'due on the third day')] })
  const body = { text: `${TEXT} Or so.`, style: 'headline' } as const
  const first = await owner.summaries.create(body)
  const before = provider.calls('writer')

  const second = await owner.summaries.create(body)
  const other = await owner.summaries.create({ ...body, focus: 'money' })
  const anew = await owner.summaries.create({ ...body, cache: 'bypass' })

  assert.deepEqual([first.cache, second.cache, other.cache, anew.cache], ['miss', 'hit', 'miss', 'bypass'])
  assert.deepEqual([second.text, second.fingerprint, second.usage?.cost_micros], [first.text, first.fingerprint, 0])
  assert.notEqual(second.id, first.id)
  assert.equal(provider.calls('writer') - before, 2)
})

test('summarizes a long document in parts, and sentences cite the pages of their notes', async () => {
  const pages = Array.from({ length: 30 }, (_, i) => ({
    text: `Page ${i + 1} speaks of lot ${1000 + i}. ${'It goes on about the house and the garden for a while. '.repeat(20)}`,
  }))
  const document = await owner.documents.createAndWait({ title: 'Long', source: { type: 'pages', pages } })
  provider.say('writer', ({ body }) => {
    const text = body.messages!.at(-1)!.content as string
    if (text.includes('numbered notes')) return JSON.stringify({ sentences: [{ text: 'All lots.', notes: [1, 2] }] })
    const lots = [...text.matchAll(/speaks of (lot \d+)/g)].map(([, lot]) =>
      sentence(`There is ${lot}.`, `speaks of ${lot}`),
    )
    return JSON.stringify({ sentences: lots.slice(0, 6) })
  })

  const summary = await owner.summaries.create({ document_ids: [document.id], style: 'abstract' })

  assert.deepEqual([summary.status, summary.usage?.pages], ['succeeded', 30])
  assert.deepEqual(
    summary.sentences[0]?.citations.map(({ page_number, quote }) => [page_number, quote]),
    [
      [1, 'speaks of lot 1000'],
      [2, 'speaks of lot 1001'],
    ],
  )
})

test('the job waits for a busy provider and shows the reason', async () => {
  provider.behave('busy', 'throttles_until', 'well')
  const summary = await owner.summaries.create({ text: TEXT, model: 'busy', style: 'abstract' }, { wait_seconds: 0 })

  await until(async () => (await owner.jobs.get(summary.job_id!)).waiting_reason === 'provider_throttled')
  const job = await owner.jobs.get(summary.job_id!)

  assert.deepEqual([job.status, job.error, (await owner.summaries.get(summary.id)).status], ['queued', null, 'queued'])
  await owner.jobs.update(job.id, { status: 'cancelled' })
  assert.deepEqual([(await owner.summaries.get(summary.id)).status], ['cancelled'])
})

test('an outcome shows the status running', async () => {
  provider.behave('slow', 'hangs')
  const summary = await owner.summaries.create({ text: TEXT, model: 'slow', style: 'bullets' }, { wait_seconds: 0 })

  await until(async () => (await owner.summaries.get(summary.id)).status === 'running')
  await owner.summaries.remove(summary.id)

  await until(async () => (await owner.jobs.get(summary.job_id!)).status === 'cancelled')
  await assert.rejects(owner.summaries.get(summary.id), { code: 'not_found' })
})

test('invalid model output is charged once', async () => {
  provider.behave('writer', 'ignores_schema')
  const summary = await owner.summaries.create({ text: `${TEXT} Really.`, style: 'abstract' })
  provider.behave('writer', 'well')

  assert.deepEqual([summary.status, summary.error?.code], ['failed', 'model_output_invalid'])
  const records = (await usageOf(summary.job_id!)).filter(({ input_tokens }) => input_tokens > 0)
  assert.equal(records.length, 1)
})
