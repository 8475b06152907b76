import { type Static, Type } from 'typebox'
import { batchTypes, JobPriority, NewJob, scopesOfBatch } from './batches.ts'
import { endpoint, GetQuery, listOf } from './endpoint.ts'
import { jobEnds, outcomeCancels } from './event-types.ts'
import { Event } from './events.ts'
import { JobError, jobStatuses, jobTypes, priorities, stages, waitingReasons } from './job-words.ts'
import {
  Count,
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
  { title: 'JobSubject', description: 'What the job works on.' },
)
const JobProgress = Type.Object(
  { unit: OpenEnum(['pages', 'items', 'chunks']), completed: Count(), failed: Count(), total: Nullable(Count()) },
  { title: 'JobProgress', description: 'How far it is.' },
)
export type JobProgress = Static<typeof JobProgress>
const JobQueue = Type.Object(
  {
    ahead: Count({ description: 'Jobs of the tenant that begin before it; counted up to 10,000.' }),
    estimated_start_at: Nullable(
      Timestamp({ description: 'From how long the last jobs took; null where nothing is known.' }),
    ),
  },
  { title: 'JobQueue', description: 'Its place while it waits.' },
)
const JobAttempt = Type.Object(
  {
    number: Count(),
    started_at: Timestamp(),
    ended_at: Timestamp(),
    outcome: OpenEnum(['succeeded', 'partially_succeeded', 'failed', 'cancelled', 'interrupted'], {
      description: '`interrupted`: the worker was lost or stopped. It does not count against `max_attempts`.',
    }),
    error: NullableRef(JobError),
  },
  { title: 'JobAttempt', description: 'One run that has ended.' },
)
export type JobAttempt = Static<typeof JobAttempt>
const JobUsage = Type.Object(
  { pages: Count(), compute_ms: Count({ description: 'Running time of all attempts.' }) },
  { title: 'JobUsage', description: 'What it took.' },
)

export const Job = Resource(
  {
    title: 'Job',
    object: 'job',
    prefix: 'job',
    description: 'Work in the background: where it is, why it waits, and how it ended.',
  },
  {
    type: OpenEnum(jobTypes, { title: 'JobType' }),
    status: OpenEnum(jobStatuses, { title: 'JobStatus' }),
    is_terminal: Type.Boolean({ description: 'It has ended and will not change by itself.' }),
    stage: Nullable(OpenEnum(stages)),
    waiting_reason: Nullable(
      OpenEnum(waitingReasons, { description: 'Why it does not go on; null while it works or when it has ended.' }),
    ),
    subject: JobSubject,
    project_id: Nullable(IdOf('proj')),
    document_id: Nullable(IdOf('doc')),
    parent_job_id: Nullable(IdOf('job', { description: 'The batch that it belongs to.' })),
    priority: OpenEnum(priorities),
    progress: NullableRef(JobProgress),
    queue: NullableRef(JobQueue),
    attempt: Count({ description: 'Runs begun so far.' }),
    max_attempts: Count({ description: 'Runs that may fail before the job does.' }),
    attempts: Type.Array(JobAttempt, { maxItems: 100, description: 'Runs that have ended; the last 100.' }),
    timeout_seconds: Count({ description: 'Running time that it may take; waiting does not count.' }),
    queued_at: Timestamp(),
    started_at: Nullable(Timestamp()),
    finished_at: Nullable(Timestamp()),
    cancel_requested_at: Nullable(Timestamp()),
    usage: NullableRef(JobUsage),
    error: NullableRef(JobError),
    warnings: Type.Array(Text(0, 1000), { maxItems: 100 }),
  },
)
export type Job = Static<typeof Job>

export const JobPatch = Type.Object(
  {
    status: Type.Optional(
      OneOf(['cancelled', 'queued'], {
        title: 'JobTargetStatus',
        description: '`cancelled` stops it; `queued` runs a failed or cancelled job again.',
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
        status: Type.Optional(Type.Unsafe<string>({ ...OneOf(jobStatuses), 'x-comma-list': true })),
        type: Type.Optional(Type.Unsafe<string>({ ...OneOf(jobTypes), 'x-comma-list': true })),
        project_id: Type.Optional(IdOf('proj')),
        document_id: Type.Optional(IdOf('doc')),
        parent_job_id: Type.Optional(IdOf('job')),
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
      'One operation over 1 to 1,000 inputs, each of them a body of the POST that `type` names. It needs the scopes of that POST too. Its items are jobs with `parent_job_id`.',
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
      'A queued job is cancelled at once; a running one stops at the next safe point and keeps what it has finished. A failed or cancelled job that is queued again keeps its finished steps.',
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
      'With `Accept: text/event-stream` they come as they happen: `id` is the `seq`, and a reconnect with `Last-Event-ID` misses nothing. The stream ends with the event that ends the job, or after ten minutes.',
    is_stream: true,
    ...listOf(Event, { sorts: ['seq'], key: 'seq', filters: {} }),
  }),
}
