// Removes the data of a deleted document in the background.

import type { Needs } from '../../app.ts'
import type { Tx } from '../../db/database.ts'
import type { JobEnd, Run } from '../../jobs/types.ts'
import { removeBytes, removeFiles } from '../files/files.service.ts'
import { removePages } from '../pages/pages.service.ts'
import * as store from './documents.store.ts'

const PAGES_OF_A_STEP = 200
/**
 * The largest pages take 2 ms each with their chunks, so even on a slow disk a statement stays far below its timeout.
 */
const PAGES_OF_A_STATEMENT = 20

/** Can be repeated: data that is already gone is skipped. */
export async function purgeDocument(app: Needs<'jobs' | 'files'>, run: Run<object>): Promise<JobEnd> {
  const document_id = run.job.subject.id
  let completed = 0
  for (let part = 1; ; part++) {
    const deleted = await run.write(`pages ${part}`, (tx) => purgePages(tx, document_id))
    completed += deleted
    run.progress({ unit: 'pages', completed, failed: 0, total: null }, 'writing')
    if (deleted < PAGES_OF_A_STEP) break
  }
  await purgeFiles(app, run, document_id)
  await run.write('document', (tx) => {
    app.jobs.forgetPayloads(tx, document_id)
    return store.purgeDocument(tx, document_id)
  })
  return { status: 'succeeded', usage: { pages: completed } }
}

/** Bytes are removed before their rows, so that an interrupted run finds the rows again. */
async function purgeFiles(app: Needs<'files'>, run: Run<object>, document_id: string): Promise<void> {
  for (let part = 1; ; part++) {
    const removed = await run.step(`bytes ${part}`, () => removeBytes(app, run.db, document_id))
    if (removed.length === 0) return
    await run.write(`files ${part}`, async (tx) => {
      removeFiles(tx, document_id, removed)
      return null
    })
  }
}

async function purgePages(tx: Tx, document_id: string): Promise<number> {
  if (!(await store.isDeleted(tx, document_id))) return 0
  let deleted = 0
  while (deleted < PAGES_OF_A_STEP) {
    const some = await removePages(tx, document_id, PAGES_OF_A_STATEMENT)
    deleted += some
    if (some < PAGES_OF_A_STATEMENT) break
  }
  return deleted
}
