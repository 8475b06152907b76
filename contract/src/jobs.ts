import { type Static, Type } from 'typebox'
import { batchTypes, JobPriority, NewJob, scopesOfBatch } from './batches.ts'
import { defineResource } from './definition.ts'
import { endpoint, GetQuery, listOf } from './endpoint.ts'
import { jobEnds, outcomeCancels } from './event-types.ts'
import { Event } from './events.ts'
import { JobError, jobStatuses, jobTypes, priorities, stages, waitingReasons } from './job-words.ts'
import {
  AnyOf,
  Count,
  FilterId,
  IdOf,
  MetadataPatch,
  Nullable,
  NullableRef,
  OneOf,
  OpenEnum,
  Resource,
  Text,
  Timestamp,
} from './schema.ts'

const JobSubject = Type.Object(
  { object: Text(0, 64), id: Text(0, 64) },
  { title: 'JobSubject', description: 'The resource that the job works on.' },
)
const JobProgress = Type.Object(
  { unit: OpenEnum(['pages', 'items', 'chunks']), completed: Count(), failed: Count(), total: Nullable(Count()) },
  { title: 'JobProgress', description: 'Progress of the job.' },
)
export type JobProgress = Static<typeof JobProgress>
const JobQueue = Type.Object(
  {
    ahead: Count({ description: 'Jobs of the tenant that start before it, counted up to 10,000.' }),
    estimated_start_at: Nullable(
      Timestamp({ description: 'Estimated from the duration of recent jobs; null if unknown.' }),
    ),
  },
  { title: 'JobQueue', description: 'Position in the queue while it is waiting.' },
)
const JobAttempt = Type.Object(
  {
    number: Count(),
    started_at: Timestamp(),
    ended_at: Timestamp(),
    outcome: OpenEnum(['succeeded', 'partially_succeeded', 'failed', 'cancelled', 'interrupted'], {
      description:
        '`interrupted` means that the worker died or was stopped; this does not count toward `max_attempts`.',
    }),
    error: NullableRef(JobError),
  },
  { title: 'JobAttempt', description: 'One attempt that has ended.' },
)
export type JobAttempt = Static<typeof JobAttempt>
const JobUsage = Type.Object(
  { pages: Count(), compute_ms: Count({ description: 'Running time of all attempts.' }) },
  { title: 'JobUsage', description: 'Usage of the job.' },
)

export const jobResource = defineResource({
  title: 'Job',
  object: 'job',
  prefix: 'job',
  description: 'Background work: its progress, why it is waiting, and how it ended.',
  scopes: { 'jobs:read': 'Read background jobs', 'jobs:write': 'Create batches; cancel, retry and delete jobs' },
  events: ['queued', 'running', 'updated', 'succeeded', 'partially_succeeded', 'failed', 'cancelled', 'deleted'],
  id_members: ['job_id', 'parent_job_id', 'latest_job_id'],
})

export const Job = Resource(jobResource, {
  type: OpenEnum(jobTypes, { title: 'JobType' }),
  status: OpenEnum(jobStatuses, { title: 'JobStatus' }),
  is_terminal: Type.Boolean({ description: 'True if it has ended and will not change by itself.' }),
  stage: Nullable(OpenEnum(stages)),
  waiting_reason: Nullable(
    OpenEnum(waitingReasons, { description: 'Why it is waiting; null while it is running and after it has ended.' }),
  ),
  subject: JobSubject,
  project_id: Nullable(IdOf('proj')),
  document_id: Nullable(IdOf('doc')),
  parent_job_id: Nullable(IdOf('job', { description: 'The batch it belongs to.' })),
  priority: OpenEnum(priorities),
  progress: NullableRef(JobProgress),
  queue: NullableRef(JobQueue),
  attempt: Count({ description: 'Attempts started so far.' }),
  max_attempts: Count({ description: 'Failed attempts after which the job fails.' }),
  attempts: Type.Array(JobAttempt, { maxItems: 100, description: 'The last 100 attempts that have ended.' }),
  timeout_seconds: Count({ description: 'Maximum running time; waiting does not count.' }),
  queued_at: Timestamp(),
  started_at: Nullable(Timestamp()),
  finished_at: Nullable(Timestamp()),
  cancel_requested_at: Nullable(Timestamp()),
  usage: NullableRef(JobUsage),
  error: NullableRef(JobError),
  warnings: Type.Array(Text(0, 1000), { maxItems: 100 }),
})
export type Job = Static<typeof Job>

export const JobPatch = Type.Object(
  {
    status: Type.Optional(
      OneOf(['cancelled', 'queued'], {
        title: 'JobTargetStatus',
        description: '`cancelled` stops the job; `queued` runs a failed or canceled job again.',
      }),
    ),
    priority: Type.Optional(JobPriority),
    metadata: Type.Optional(MetadataPatch),
  },
  { title: 'JobPatch' },
)
export type JobPatch = Static<typeof JobPatch>

export const jobs = {
  list: endpoint({
    method: 'GET',
    path: '/jobs',
    scope: 'jobs:read',
    summary: 'List jobs',
    ...listOf(Job, {
      sorts: ['-created_at'],
      filters: {
        status: Type.Optional(AnyOf(OneOf(jobStatuses))),
        type: Type.Optional(AnyOf(OneOf(jobTypes))),
        project_id: FilterId('proj'),
        document_id: FilterId('doc'),
        parent_job_id: FilterId('job'),
      },
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/jobs',
    scope: 'jobs:write',
    may_need: [...new Set(batchTypes.flatMap(scopesOfBatch))],
    summary: 'Create a batch',
    description:
      'Runs one operation over 1 to 1,000 inputs. Each input is a request body for the resource that `type` names; you also need the scopes to create it. Its items are jobs with `parent_job_id`.',
    is_large: true,
    body: NewJob,
    success: { 201: Job },
    fails: ['rate_limit_exceeded'],
    events: ['job.queued'],
    waits: { member: 'is_terminal', while: [false], job: 'id' },
    example: {
      type: 'documents',
      inputs: [
        {
          title: 'Lease, 12 Elm Street',
          project_id: '{project_id}',
          source: { type: 'text', text: 'Lease between …' },
        },
      ],
      metadata: { import: '2026' },
    },
  }),
  get: endpoint({
    method: 'GET',
    path: '/jobs/{job_id}',
    scope: 'jobs:read',
    summary: 'Get a job',
    query: GetQuery,
    success: { 200: Job },
    waits: { member: 'is_terminal', while: [false], job: 'id' },
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/jobs/{job_id}',
    scope: 'jobs:write',
    summary: 'Cancel a job, run it again, or change its priority',
    description:
      'A queued job is canceled immediately. A running job stops at the next safe point and keeps its finished work. A failed or canceled job that you queue again keeps its finished steps.',
    body: JobPatch,
    success: { 200: Job },
    fails: ['invalid_state'],
    events: ['job.updated'],
    may_record: [...jobEnds, 'job.queued', 'document.updated', ...outcomeCancels],
    example: { metadata: { note: 'checked' } },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/jobs/{job_id}',
    scope: 'jobs:write',
    summary: 'Delete a job that has ended',
    success: { 204: null },
    fails: ['invalid_state'],
    events: ['job.deleted'],
  }),
}

export const job_events = {
  list: endpoint({
    method: 'GET',
    path: '/jobs/{job_id}/events',
    scope: 'jobs:read',
    summary: 'List the events of a job',
    description:
      'With `Accept: text/event-stream` the events are streamed as they happen. `id` is the `seq`; reconnect with `Last-Event-ID` to miss nothing. The stream closes when the job ends, or after ten minutes.',
    is_stream: true,
    ...listOf(Event, { sorts: ['seq'], key: 'seq', filters: {} }),
  }),
}
