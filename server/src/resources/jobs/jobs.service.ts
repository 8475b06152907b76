import type { Job, JobPatch, NewJob } from '@octavo/contract'
import type { Needs } from '../../app.ts'
import type { Db, Reader, Tx } from '../../db/database.ts'
import type { PageRequest } from '../../db/listing.ts'
import { record } from '../../events/record.ts'
import { keyOf } from '../../files/keys.ts'
import type { Run } from '../../jobs/types.ts'
import { type Caller, operator } from '../../lib/caller.ts'
import { mergeMetadata } from '../../lib/changes.ts'
import { Failure, invalidValue, notFound } from '../../lib/failure.ts'
import { uuid } from '../../lib/ids.ts'
import { createDocument, type GivenFile, prepareDocument } from '../documents/documents.service.ts'
import * as events from '../events/events.service.ts'
import { findMissingProjects } from '../projects/projects.service.ts'
import { findMissingUploads, noSuchUpload } from '../uploads/uploads.service.ts'
import { type BatchPayload, batch } from './jobs.jobs.ts'
import { placeInQueue } from './jobs.rules.ts'
import * as store from './jobs.store.ts'

type App = Needs<'jobs' | 'config'>
/** What a batch needs besides, to make documents. */
type Making = Needs<'jobs' | 'config' | 'db' | 'files' | 'readers'>
type LockedJob = NonNullable<Awaited<ReturnType<App['jobs']['lock']>>>

export async function listJobs(app: App, db: Db, filters: store.JobFilters, page: PageRequest): Promise<store.JobRow[]> {
  return withQueue(app, db, await store.listJobs(db, filters, page))
}

export async function readJob(app: App, db: Reader, id: string): Promise<store.JobRow> {
  return (await withQueue(app, db, [await findVisible(db, id)]))[0]!
}

async function findVisible(db: Reader, id: string): Promise<store.JobRow> {
  const job = await store.findJob(db, id)
  if (!job) throw notFound()
  return job
}

/** The place in line is counted among the whole tenant: a caller of one project waits behind the others too. */
async function withQueue(app: App, db: Reader, jobs: store.JobRow[]): Promise<store.JobRow[]> {
  const line = jobs.filter(({ place }) => place === 'line').map(({ id }) => id)
  const places = line.length === 0 ? [] : await db.whole((reader) => store.listQueuePlaces(reader, line))
  const byId = new Map(places.map((place) => [place.id, place]))
  const slots = app.config.tiers[db.caller.tier].running_jobs
  return jobs.map((job) => ({ ...job, queue: placeInQueue(job, byId.get(job.id) ?? null, slots) }))
}

export async function listJobEvents(db: Db, id: string, page: PageRequest): ReturnType<typeof events.listEventsOf> {
  return events.listEventsOf(db, await findVisible(db, id), page)
}

export async function createBatch(app: App, tx: Tx, input: NewJob): Promise<store.JobRow> {
  const { caller } = tx
  if (!caller.scopes.has('documents:write'))
    throw new Failure('insufficient_scope', "A batch of documents needs the scope 'documents:write' too. Use a key that has it.", {
      headers: { 'www-authenticate': 'Bearer error="insufficient_scope", scope="documents:write"' },
    })
  const projects = new Set(input.inputs.map(({ project_id }) => project_id ?? null))
  if (caller.projects !== null && projects.size > 1)
    throw invalidValue('inputs', 'inconsistent', 'All inputs must name one project, since your key sees only some.')
  const project_id = projects.size === 1 ? [...projects][0]! : null
  if (caller.projects !== null && (project_id === null || !caller.projects.includes(uuid(project_id)))) throw noSuchProject(0)
  const named = [...projects].flatMap((id) => id ?? [])
  const missing = new Set<string>(await findMissingProjects(tx, named))
  const index = input.inputs.findIndex((one) => one.project_id && missing.has(one.project_id))
  if (index >= 0) throw noSuchProject(index)
  await checkUploads(tx, input)
  const jobs_to_come = input.inputs.filter(({ source }) => source !== undefined).length
  const most = app.config.tiers[caller.tier].queued_jobs
  if (jobs_to_come > most)
    throw invalidValue('inputs', 'too_many_items', `At most ${most} inputs with a source fit into the queue of your tier.`)
  const payload: BatchPayload = {
    type: input.type,
    inputs: input.inputs,
    caller: { projects: caller.projects && [...caller.projects], actor: { ...caller.actor }, tier: caller.tier },
  }
  const { id } = await app.jobs.enqueue(tx, {
    type: batch,
    payload,
    subject: { object: 'job', id: '' },
    project_id,
    items_total: input.inputs.length,
    jobs_to_come,
    ...(input.priority === undefined ? {} : { priority: input.priority }),
    ...(input.timeout_seconds === undefined ? {} : { timeout_seconds: input.timeout_seconds }),
    metadata: input.metadata ?? {},
  })
  return readJob(app, tx, id)
}

async function checkUploads(tx: Tx, { inputs }: NewJob): Promise<void> {
  const named = inputs.map(({ source }) => (source?.type === 'upload' ? source.upload_id : null))
  const missing = new Set<string | null>(
    await findMissingUploads(
      tx,
      [...new Set(named)].flatMap((id) => id ?? []),
    ),
  )
  const index = named.findIndex((id) => missing.has(id))
  if (index >= 0) throw noSuchUpload(`inputs[${index}].source.upload_id`)
}

const noSuchProject = (index: number): Failure =>
  invalidValue(`inputs[${index}].project_id`, 'reference_not_found', 'Must name a project that exists and that you may see.')

/**
 * Each input becomes a document in a transaction of its own, and a document's own rules are looked at then: those that
 * are refused are told, the others go on. Only they are kept for when the batch runs again.
 */
export async function createItems(app: Making, run: Run<BatchPayload>) {
  const { inputs, caller } = run.payload
  const as = callerOf(run, caller)
  const left: BatchPayload['inputs'] = []
  const refused: { field: string; code: string; message: string }[] = []
  for (const [index, input] of inputs.entries()) {
    left.push(null)
    if (input === null) continue
    try {
      const file = await storeInput(app, run, index, { input, as })
      const made = await run.write(`input ${index}`, (tx) => createItem(app, tx, run.job, { input, file }), { as, is_enqueuing: true })
      // Another document has the same bytes; an upload stays for whoever wants it.
      if (made.is_existing && file && input.source?.type === 'base64') await app.files.remove(keyOf(run.tenant, file.object_id))
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      left[index] = input
      const [detail] = error.details
      refused.push({
        field: `inputs[${index}]${detail ? `.${detail.field}` : ''}`,
        code: detail?.code ?? error.code,
        message: detail?.message ?? error.message,
      })
    }
  }
  const message = `${refused.length} of ${inputs.length} inputs ${refused.length === 1 ? 'was' : 'were'} refused: see details.`
  const error = { code: 'inputs_refused', message, details: refused.slice(0, 100) }
  return {
    status: 'succeeded' as const,
    is_waiting_for_items: true,
    items_failed: refused.length,
    payload: { ...run.payload, inputs: left },
    ...(refused.length > 0 ? { error } : {}),
  }
}

type Input = NewJob['inputs'][number]

/** The bytes of an input are stored once, however often the batch is begun again. */
async function storeInput(
  app: Making,
  run: Run<BatchPayload>,
  index: number,
  { input, as }: { input: Input; as: Caller },
): Promise<GivenFile | null> {
  const { source } = input
  if (source === undefined || source.type === 'text' || source.type === 'pages') return null
  return run.step(`file ${index}`, async () => (await prepareDocument(app, app.db.for(as), input, null)).value)
}

async function createItem(
  app: Making,
  tx: Tx,
  job: Run<object>['job'],
  { input, file }: { input: Input; file: GivenFile | null },
): Promise<{ id: string; is_existing: boolean }> {
  const document = await createDocument(app, tx, input, { parent_job_id: job.id, priority: job.priority, file })
  const is_existing = tx.is_unchanged
  // No job of this batch will tell of its end.
  if (is_existing || document.latest_job_id === null) await app.jobs.countDone(tx, job.id)
  return { id: document.id, is_existing }
}

function callerOf(run: Run<object>, { projects, actor, tier }: BatchPayload['caller']): Caller {
  return { ...operator(run.tenant, []), projects, actor, tier }
}

export async function updateJob(app: App, tx: Tx, id: string, patch: JobPatch): Promise<store.JobRow> {
  const { job, metadata: current } = await lockJob(app, tx, id)
  const isLive = job.place !== null
  const isAgain = patch.status === 'queued'
  // A cancel that is repeated, since its answer was lost, has what it wants.
  const isCancel = patch.status === 'cancelled' && job.status !== 'cancelled'
  if (isCancel && !isLive) throw wrongState(job, 'Only a job that has not ended can be cancelled.')
  if (isAgain && job.status !== 'failed' && job.status !== 'cancelled')
    throw wrongState(job, 'Only a failed or cancelled job can run again.')
  if ((patch.priority ?? job.priority) !== job.priority && !isLive && !isAgain)
    throw wrongState(job, 'It has ended, so its priority means nothing any more.')
  const metadata = mergeMetadata(current, patch.metadata)
  const priority = patch.priority ?? job.priority
  const before = tx.recorded.length
  if (patch.metadata !== undefined || priority !== job.priority) {
    const seq = await store.updateJob(tx, id, { priority, metadata })
    record(tx, 'job.updated', { ...job, seq })
  }
  if (isCancel) await app.jobs.cancel(tx, [job])
  if (isAgain) await app.jobs.requeue(tx, job)
  if (tx.recorded.length === before) tx.is_unchanged = true
  return readJob(app, tx, id)
}

export async function removeJob(app: App, tx: Tx, id: string): Promise<null> {
  const { job } = await lockJob(app, tx, id)
  if (job.place !== null) throw wrongState(job, 'Cancel it, or wait for its end, before you delete it.')
  store.deleteJob(tx, id)
  record(tx, 'job.deleted', { ...job, seq: job.seq + 1 })
  return null
}

async function lockJob(app: App, tx: Tx, id: string): Promise<{ job: LockedJob; metadata: Job['metadata'] }> {
  const shown = await findVisible(tx, id)
  const job = await app.jobs.lock(tx, shown)
  if (!job) throw notFound()
  tx.precondition.check(job)
  return { job, metadata: shown.metadata }
}

function wrongState(job: { id: string; status: Job['status'] }, advice: string): Failure {
  return new Failure('invalid_state', `Job '${job.id}' is ${job.status}. ${advice}`)
}
