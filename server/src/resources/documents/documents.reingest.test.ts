// A reading that was cancelled runs again after people have changed the pages that it had left.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApi } from '../../testing/api.ts'
import { until } from '../../testing/jobs.ts'

const { app, owner } = await startApi({ after })
const data = Buffer.from('one\ftwo\fthree\ffour').toString('base64')

/** The third page takes for ever, until the job is cancelled. */
async function readHalf() {
  const open = app.extract.open.bind(app.extract)
  app.extract.open = async (bytes, given) => {
    const reading = await open(bytes, given)
    const never = new Promise<never>((_, reject) =>
      given.signal.addEventListener('abort', () => reject(given.signal.reason as Error)),
    )
    never.catch(() => {})
    return { ...reading, page: (number) => (number < 3 ? reading.page(number) : never) }
  }
  const source = { type: 'base64', media_type: 'text/plain', data } as const
  const { id, latest_job_id } = await owner.documents.create({ title: 'Half', source })
  await until(async () => (await owner.documents.get(id)).pages_ready === 2, 'two pages')
  await owner.jobs.update(latest_job_id!, { status: 'cancelled' })
  await owner.jobs.wait(latest_job_id!)
  app.extract.open = open
  return { id, job_id: latest_job_id! }
}

async function readAgain({ id, job_id }: { id: string; job_id: string }) {
  await owner.jobs.update(job_id, { status: 'queued' })
  await owner.jobs.wait(job_id)
  const { status, page_count, pages_ready } = await owner.documents.get(id)
  const { data: pages } = await owner.pages.list(id)
  return { status, page_count, pages_ready, texts: pages.map(({ text }) => text) }
}

test('ingesting a document again restores a removed page', async () => {
  const half = await readHalf()
  const { data: pages } = await owner.pages.list(half.id)
  for (const { id } of pages) await owner.pages.remove(half.id, id)

  assert.deepEqual(await readAgain(half), {
    status: 'ready',
    page_count: 4,
    pages_ready: 4,
    texts: ['one', 'two', 'three', 'four'],
  })
})

test('keeps pages that users added and counts each once', async () => {
  const half = await readHalf()
  await owner.pages.create(half.id, { number: 3, text: 'Typed' })
  await owner.pages.create(half.id, { number: 9, text: 'Appended' })

  const texts = ['one', 'two', 'Typed', 'four', 'Appended']
  assert.deepEqual(await readAgain(half), { status: 'ready', page_count: 5, pages_ready: 5, texts })
})

test('a cancelled ingestion does not block another one of the same bytes', async () => {
  const half = await readHalf()
  const source = { type: 'base64', media_type: 'text/plain', data } as const

  const { id } = await owner.documents.createAndWait({ title: 'Whole', source, on_duplicate: 'return_existing' })
  const same = await owner.documents.create({ title: 'Whole', source, on_duplicate: 'return_existing' })

  assert.notEqual(id, half.id)
  assert.equal(same.id, id)
})
