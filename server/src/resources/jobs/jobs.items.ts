// One input of a batch: what it names, and what is made of it.

import type {
  BatchType,
  NewAnalysisOfDocument,
  NewClassification,
  NewDocument,
  NewEmbedding,
  NewSummary,
} from '@octavo/contract'
import type { Needs } from '../../app.ts'
import type { Tx } from '../../db/database.ts'
import { objectKey } from '../../files/keys.ts'
import type { Run } from '../../jobs/types.ts'
import type { Caller } from '../../lib/caller.ts'
import type { StoredFile } from '../../lib/file-name.ts'
import { createAnalysis } from '../analysis/analysis.service.ts'
import { createClassification } from '../classifications/classifications.service.ts'
import { createDocument, prepareDocument } from '../documents/documents.service.ts'
import { createEmbedding } from '../embeddings/embeddings.service.ts'
import { createSummary } from '../summaries/summaries.service.ts'
import type { BatchInput, BatchPayload } from './jobs.jobs.ts'

export type Making = Needs<'jobs' | 'config' | 'db' | 'files' | 'readers' | 'models' | 'limiter'>
/** Options that the items' jobs get from their batch. */
type ItemOptions = Pick<Run<object>['job'], 'priority'> & { parent_job_id: string }
type Make = (app: Making, tx: Tx, input: never, given: ItemOptions) => Promise<{ job_id: string | null }>

/** Results are never made inline in a batch: each item that takes time gets a separate job. */
const outcomes: Record<Exclude<BatchType, 'documents'>, Make> = {
  analysis: (app, tx, { document_id, ...input }: NewAnalysisOfDocument, given) =>
    createAnalysis(app, tx, document_id, input, given),
  summaries: (app, tx, input: NewSummary, given) => createSummary(app, tx, input, given),
  classifications: (app, tx, input: NewClassification, given) => createClassification(app, tx, input, given),
  embeddings: (app, tx, input: NewEmbedding, given) => createEmbedding(app, tx, input, given),
}

/** Makes the item of one input, once however often the batch is begun again. */
export async function createItem(
  app: Making,
  run: Run<BatchPayload>,
  index: number,
  { input, as }: { input: BatchInput; as: Caller },
): Promise<void> {
  const { type } = run.payload
  if (type === 'documents') return createDocumentItem(app, run, index, { input: input as NewDocument, as })
  await write(run, index, as, async (tx) => {
    const { job_id } = await outcomes[type](app, tx, input as never, givenOf(run))
    // A cached result has no job that would report its end.
    if (job_id === null) await app.jobs.countDone(tx, run.job.id)
    return null
  })
}

const write = <T>(run: Run<object>, index: number, as: Caller, work: (tx: Tx) => Promise<T>): Promise<T> =>
  run.write(`input ${index}`, work, { as, is_enqueuing: true })
const givenOf = ({ job }: Run<object>): ItemOptions => ({ parent_job_id: job.id, priority: job.priority })

async function createDocumentItem(
  app: Making,
  run: Run<object>,
  index: number,
  { input, as }: { input: NewDocument; as: Caller },
): Promise<void> {
  const file = await storeInput(app, run, index, { input, as })
  const is_existing = await write(run, index, as, async (tx) => {
    const document = await createDocument(app, tx, input, { ...givenOf(run), file })
    // No job of this batch will report its end.
    if (tx.is_unchanged || document.latest_job_id === null) await app.jobs.countDone(tx, run.job.id)
    return tx.is_unchanged
  })
  // Another document has the same bytes. An upload is kept, so that it can still be used.
  if (is_existing && file && input.source?.type === 'base64')
    await app.files.remove(objectKey(run.tenant, file.object_id))
}

/** The bytes of an input are stored once, however often the batch is begun again. */
async function storeInput(
  app: Making,
  run: Run<object>,
  index: number,
  { input, as }: { input: NewDocument; as: Caller },
): Promise<StoredFile | null> {
  const { source } = input
  if (source === undefined || source.type === 'text' || source.type === 'pages') return null
  return run.step(`file ${index}`, async () => (await prepareDocument(app, app.db.for(as), input, null)).value)
}
