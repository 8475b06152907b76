import type { Event, Job, JobProgress, JobsListQuery } from '@octavo/sdk'
import { type Board, bar, frame, mayDraw, openBoard } from '../board.ts'
import { exits } from '../exits.ts'
import { exitOfStatus, isPartial } from '../outcomes.ts'
import { clean, fit } from '../width.ts'
import { ago, spoken } from '../words.ts'
import { removeEach } from './documents.ts'
import { type ListOptions, pageSize, showList } from './lists.ts'
import type { Session } from './session.ts'

export interface JobsListOptions extends ListOptions {
  status?: JobsListQuery['status']
  type?: JobsListQuery['type']
  document?: string
}

const far = (progress: JobProgress | null): string =>
  progress === null
    ? ''
    : `${progress.completed + progress.failed}${progress.total === null ? '' : `/${progress.total}`} ${progress.unit}`

export async function listJobs({ terminal, signal, client }: Session, options: JobsListOptions): Promise<number> {
  const { status, type, document } = options
  const query = {
    limit: pageSize(options),
    ...(status && { status }),
    ...(type && { type }),
    ...(document && { document_id: document }),
  }
  return showList(terminal, client().jobs.list(query, { signal }), options, {
    columns: [
      { title: 'JOB' },
      { title: 'TYPE' },
      { title: 'STATUS', shrinks_to: 8 },
      { title: 'PROGRESS', shrinks_to: 8 },
      { title: 'BEGUN' },
    ],
    cellsOf: ({ id, type, status, progress, created_at }) => [
      id,
      type,
      spoken(status),
      far(progress),
      terminal.is_human ? ago(created_at) : created_at,
    ],
    none: 'There are no jobs.',
  })
}

export async function getJob({ terminal, signal, client }: Session, id: string): Promise<number> {
  const job = await client().jobs.get(id, {}, { signal })
  if (terminal.is_json) terminal.json(job)
  else showJob({ terminal }, job)
  return exits.fine
}

function showJob({ terminal }: Pick<Session, 'terminal'>, job: Job): void {
  const { queue, attempt, max_attempts } = job
  terminal.facts({
    id: job.id,
    type: job.type,
    status: spoken(job.status),
    'waits for': job.waiting_reason && spoken(job.waiting_reason),
    ahead: queue?.ahead,
    doing: job.stage,
    progress: far(job.progress),
    attempts: attempt > 0 ? `${attempt} of ${max_attempts}` : null,
    document: job.document_id,
    batch: job.parent_job_id,
    queued: job.queued_at,
    started: job.started_at,
    finished: job.finished_at,
    error: job.error && [job.error.message, ...job.error.details.map(({ message }) => message)].join(' '),
    warnings: job.warnings.join(' '),
  })
}

interface CliObservation {
  status: string
  progress: JobProgress | null
}

function note(seen: CliObservation, { data }: Event): void {
  if (typeof data['status'] === 'string') seen.status = data['status']
  const { progress } = data
  if (progress !== null && typeof progress === 'object') seen.progress = progress as JobProgress
}

function watchLine({ status, progress }: CliObservation, columns: number): string {
  const width = Math.min(40, Math.max(10, columns - 50))
  const part = progress?.total ? (progress.completed + progress.failed) / progress.total : 0
  return `${frame()} ${fit(spoken(status), 10)} ${bar(part, width)} ${far(progress)}`
}

export async function watchJob({ terminal, signal, client: open }: Session, id: string): Promise<number> {
  const client = open()
  const seen: CliObservation = { status: 'queued', progress: null }
  const isDrawn = mayDraw() && !terminal.is_json && terminal.is_human
  const board: Board | null = isDrawn ? openBoard((columns) => [watchLine(seen, columns)]) : null
  try {
    for await (const event of client.jobs.follow(id, { signal })) {
      note(seen, event)
      if (terminal.is_json) terminal.json(event)
      else if (!isDrawn)
        terminal.line([event.created_at, event.type, far(seen.progress)].map(clean).join('\t').trimEnd())
    }
  } finally {
    board?.close()
  }
  const job = await client.jobs.get(id, {}, { signal })
  if (isDrawn) showJob({ terminal }, job)
  if (isPartial(job)) terminal.remark('Note: part of the job failed.')
  return exitOfStatus(job.status)
}

export async function cancelJobs(session: Session, ids: readonly string[]): Promise<number> {
  const { signal } = session
  const client = session.client()
  return removeEach(session, ids, {
    remove: (id) => client.jobs.update(id, { status: 'cancelled' }, { signal }),
    done: 'cancelled',
  })
}
