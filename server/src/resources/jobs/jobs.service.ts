import type { Job, JobPatch } from '@octavo/contract'
import type { Needs } from '../../app.ts'
import type { Db, Reader, Tx } from '../../db/database.ts'
import type { PageRequest } from '../../db/listing.ts'
import { record } from '../../events/record.ts'
import { hasSameFields, mergeMetadata } from '../../lib/changes.ts'
import { Failure, notFound } from '../../lib/failure.ts'
import * as events from '../events/events.service.ts'
import { placeInQueue } from './jobs.rules.ts'
import * as store from './jobs.store.ts'

type JobNeeds = Needs<'jobs' | 'config'>
type LockedJob = NonNullable<Awaited<ReturnType<JobNeeds['jobs']['lock']>>>

export async function listJobs(
  app: JobNeeds,
  db: Db,
  filters: store.JobFilters,
  page: PageRequest,
): Promise<store.ApiJobRow[]> {
  return withQueue(app, db, await store.listJobs(db, filters, page))
}

export async function readJob(app: JobNeeds, db: Reader, id: string): Promise<store.ApiJobRow> {
  return (await withQueue(app, db, [await findVisible(db, id)]))[0]!
}

async function findVisible(db: Reader, id: string): Promise<store.ApiJobRow> {
  const job = await store.findJob(db, id)
  if (!job) throw notFound()
  return job
}

/** The place in line is counted among the whole tenant: a caller of one project waits behind the others too. */
async function withQueue(app: JobNeeds, db: Reader, jobs: store.ApiJobRow[]): Promise<store.ApiJobRow[]> {
  const line = jobs.filter(({ place }) => place === 'line').map(({ id }) => id)
  const places = line.length === 0 ? [] : await db.allProjects((reader) => store.listQueuePlaces(reader, line))
  const byId = new Map(places.map((place) => [place.id, place]))
  const slots = app.config.tiers[db.caller.tier].running_jobs
  return jobs.map((job) => ({ ...job, queue: placeInQueue(job, byId.get(job.id) ?? null, slots) }))
}

export async function listJobEvents(db: Db, id: string, page: PageRequest): ReturnType<typeof events.listEventsOf> {
  return events.listEventsOf(db, await findVisible(db, id), page)
}

export async function updateJob(app: JobNeeds, tx: Tx, id: string, patch: JobPatch): Promise<store.ApiJobRow> {
  const { job, metadata: current } = await lockJob(app, tx, id)
  const isLive = job.place !== null
  const isAgain = patch.status === 'queued'
  // A cancel that is repeated, since its answer was lost, has what it wants.
  const isCancel = patch.status === 'cancelled' && job.status !== 'cancelled'
  if (isCancel && !isLive) throw wrongState(job, 'The job has ended and cannot be canceled.')
  if (isAgain && job.status !== 'failed' && job.status !== 'cancelled')
    throw wrongState(job, 'Only a failed or canceled job can run again.')
  if ((patch.priority ?? job.priority) !== job.priority && !isLive && !isAgain)
    throw wrongState(job, 'The job has ended, so its priority cannot be changed.')
  const metadata = mergeMetadata(current, patch.metadata)
  const priority = patch.priority ?? job.priority
  const before = tx.recorded.length
  if (!hasSameFields({ priority: job.priority, metadata: current }, { priority, metadata })) {
    const seq = await store.updateJob(tx, id, { priority, metadata })
    record(tx, 'job.updated', { ...job, seq })
  }
  if (isCancel) await app.jobs.cancel(tx, [job])
  if (isAgain) await app.jobs.requeue(tx, job)
  if (tx.recorded.length === before) tx.is_unchanged = true
  return readJob(app, tx, id)
}

export async function removeJob(app: JobNeeds, tx: Tx, id: string): Promise<null> {
  const { job } = await lockJob(app, tx, id)
  if (job.place !== null)
    throw wrongState(job, 'The job has not ended. Cancel it or wait until it ends, then delete it.')
  store.deleteJob(tx, id)
  record(tx, 'job.deleted', { ...job, seq: job.seq + 1 })
  return null
}

async function lockJob(app: JobNeeds, tx: Tx, id: string): Promise<{ job: LockedJob; metadata: Job['metadata'] }> {
  const shown = await findVisible(tx, id)
  const job = await app.jobs.lock(tx, shown)
  if (!job) throw notFound()
  tx.precondition.check(job)
  return { job, metadata: shown.metadata }
}

function wrongState(job: { id: string; status: Job['status'] }, advice: string): Failure {
  return new Failure('invalid_state', `Job '${job.id}' is ${job.status}. ${advice}`)
}
