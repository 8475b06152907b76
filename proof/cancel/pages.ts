// A document whose ingestion is cancelled in the middle keeps exactly the pages of the steps that were committed.

import { setTimeout as sleep } from 'node:timers/promises'
import { findUuid } from '../../server/src/lib/ids.ts'
import { asAdmin } from '../lib/admin.ts'
import type { Part } from '../lib/proof.ts'
import { ask, type CancelScene } from './scene.ts'

const DOCUMENTS = { short: 4, normal: 12, long: 100 }
const PAGES = 600
const TOGETHER = 4

/** Each page takes its time, so that there is a middle. */
const SLOW = `create function take_time() returns trigger language plpgsql as $$ begin perform pg_sleep(0.004); return new; end $$;
  create trigger pages_slow before insert on pages for each row execute function take_time()`
const FOUND = `select array(select name from job_steps where job_id = $1) as steps,
  array(select number::int from pages where document_id = $2 order by number) as pages`

/** The product's own worker must be the only one. */
export async function keepPages(scene: CancelScene): Promise<Part> {
  const { run, world } = scene
  await asAdmin(world.database.name, (client) => client.query(SLOW))
  const worker = await world.startWorker()
  const findings: string[] = []
  let middles = 0
  for (let done = 0; done < DOCUMENTS[run.length]; done += TOGETHER) {
    const results = await Promise.all(Array.from({ length: TOGETHER }, () => cancelInTheMiddle(scene)))
    for (const { isMiddle, wrong } of results) {
      if (isMiddle) middles++
      findings.push(...wrong)
    }
  }
  await worker.stop()
  if (findings.length === 0 && middles < DOCUMENTS[run.length] / 2)
    throw new Error(`only ${middles} cancels came in the middle`)
  return {
    figure: `${middles} ingestions of ${PAGES} pages cancelled in the middle: committed pages kept, the rest read when run again`,
    findings,
  }
}

async function cancelInTheMiddle(scene: CancelScene): Promise<{ isMiddle: boolean; wrong: string[] }> {
  const { key, api, random } = scene
  const client = key.client(api.url)
  const pages = Array.from({ length: PAGES }, (_, i) => ({ text: `page ${i + 1}` }))
  const { id, latest_job_id } = await client.documents.create({ title: 'Cancelled', source: { type: 'pages', pages } })
  await sleep(random.between(600, 2_000))
  await ask(scene, 'cancel', latest_job_id!)
  const job = await client.jobs.wait(latest_job_id!)
  const document = await client.documents.get(id)
  const { expected, found } = await readPages(scene, latest_job_id!, id)
  const isMiddle = expected.length > 0 && expected.length < PAGES
  const wrong: string[] = []
  const status = expected.length === PAGES ? 'ready' : expected.length > 0 ? 'partially_ready' : 'failed'
  if (job.status !== (status === 'ready' ? 'succeeded' : 'cancelled')) wrong.push(`${job.id} is ${job.status}`)
  if (document.status !== status) wrong.push(`${id} is ${document.status} with ${expected.length} pages`)
  if (found.join() !== expected.join()) wrong.push(`${id} has ${found.length} pages, ${expected.length} were committed`)
  if (document.pages_ready !== found.length)
    wrong.push(`${id} says ${document.pages_ready} pages and has ${found.length}`)
  if (isMiddle) wrong.push(...(await runAgain(scene, job.id, id)))
  return { isMiddle, wrong }
}

async function runAgain(scene: CancelScene, job_id: string, document_id: string): Promise<string[]> {
  const client = scene.key.client(scene.api.url)
  await ask(scene, 'again', job_id)
  const job = await client.jobs.wait(job_id)
  const document = await client.documents.get(document_id)
  const { found } = await readPages(scene, job_id, document_id)
  const isWhole =
    job.status === 'succeeded' &&
    document.status === 'ready' &&
    found.length === PAGES &&
    document.pages_ready === PAGES
  return isWhole
    ? []
    : [`run again, ${job_id} is ${job.status}, its document ${document.status} with ${found.length} pages`]
}

async function readPages(
  { world }: CancelScene,
  job_id: string,
  document_id: string,
): Promise<{ expected: number[]; found: number[] }> {
  const values = [findUuid('job', job_id), findUuid('doc', document_id)]
  const { rows } = await asAdmin(world.database.name, (client) =>
    client.query<{ steps: string[]; pages: number[] }>(FOUND, values),
  )
  const { steps, pages } = rows[0]!
  const expected = steps.flatMap((name) => {
    const [, first, last] = /^pages (\d+)-(\d+)$/.exec(name)!
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) => Number(first) + i)
  })
  return { expected: expected.sort((a, b) => a - b), found: pages }
}
