// One file, from the disk to a document that can be searched.

import { type Document, type JobProgress, type Octavo, OctavoError } from '@octavo/sdk'
import { openClient } from '../client.ts'
import { type Explanation, explain } from '../errors.ts'
import { exits, Refusal } from '../exits.ts'
import type { Login } from '../login.ts'
import { countingFetch, openFile } from './sending.ts'

export interface About {
  title?: string
  project_id?: string
  on_duplicate?: 'allow' | 'reject' | 'return_existing'
}

/**
 * `sent`: not waited for, or the connection failed, so the result of reading is unknown; `unsent`: not started, or
 * stopped while sending.
 */
export type Phase =
  | 'waiting'
  | 'sending'
  | 'queued'
  | 'reading'
  | 'sent'
  | 'ready'
  | 'partially_ready'
  | 'failed'
  | 'cancelled'
  | 'unsent'

export interface Task {
  path: string
  name: string
  phase: Phase
  size_bytes: number
  sent_bytes: number
  progress: JobProgress | null
  document: Document | null
  /** False if the document already existed: someone else created it, so it is never canceled. */
  is_new: boolean
  trouble: Explanation | null
}

export interface Terms {
  login: Login
  about: About
  name: string | undefined
  is_waiting: boolean
  is_detached: boolean
  signal: AbortSignal
}

const RETRIES = 5
const HOLD_SECONDS = 30
/** After a file is fully sent, wait briefly for the response: without it the job to cancel is unknown. */
const LAST_ANSWER_MS = 10_000
const CANCEL_MS = 5_000

const isSettled = ({ status }: Document): boolean => status !== 'processing'

export const newTask = (path: string, name: string): Task => ({
  path,
  name,
  phase: 'waiting',
  size_bytes: 0,
  sent_bytes: 0,
  progress: null,
  document: null,
  is_new: false,
  trouble: null,
})

/** Never rejects: a failure is stored in the task. */
export async function perform(task: Task, terms: Terms): Promise<void> {
  const { login, signal } = terms
  try {
    await send(task, terms)
    if (!terms.is_waiting) settle(task, 'sent')
    else await watch(task, terms)
  } catch (error) {
    if (signal.aborted) await abandon(task, terms)
    else {
      task.trouble = explain(error, login.url)
      // If the server can no longer be reached, it still has the file and reads it.
      settle(task, task.document === null || task.trouble.exit === exits.not_found ? 'failed' : 'sent')
    }
  }
}

async function send(task: Task, { login, about, name, signal }: Terms): Promise<void> {
  const { file, file_name } = await openFile(task.path, name, signal)
  if (file.size === 0) throw new Refusal('The file is empty.', exits.failed, 'Add a file that has content.')
  const client = openClient({
    login,
    max_retries: RETRIES,
    fetch: countingFetch((sent_bytes) => (task.sent_bytes = sent_bytes)),
  })
  Object.assign(task, { phase: 'sending', size_bytes: file.size })
  const sending = new AbortController()
  const stop = (): void => {
    const hasLeft = task.sent_bytes >= task.size_bytes
    setTimeout(() => sending.abort(signal.reason), hasLeft ? LAST_ANSWER_MS : 0).unref()
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    signal.throwIfAborted()
    const { data, response } = await client.documents
      .createFromFile(
        file,
        { ...about, file_name },
        { signal: sending.signal, onUpload: ({ sent_bytes }) => (task.sent_bytes = sent_bytes) },
      )
      .withResponse()
    Object.assign(task, { document: data, is_new: response.status === 201 })
  } finally {
    signal.removeEventListener('abort', stop)
  }
  signal.throwIfAborted()
}

async function watch(task: Task, { login, signal }: Terms): Promise<void> {
  const client = openClient({ login, max_retries: RETRIES })
  let { document } = task
  if (document === null) return
  const { id, latest_job_id } = document
  if (!isSettled(document) && latest_job_id !== null) {
    task.phase = 'queued'
    try {
      for await (const { data } of client.jobs.follow(latest_job_id, { signal })) note(task, data)
    } catch (error) {
      // The key lacks jobs:read or has too many streams, so the document is polled instead.
      if (!(error instanceof OctavoError)) throw error
    }
  }
  while (!isSettled(document)) {
    document = await client.documents.get(id, {}, { signal, wait_seconds: HOLD_SECONDS })
    task.document = document
  }
  settle(task, phaseOf(document))
}

function note(task: Task, { status, progress }: Record<string, unknown>): void {
  if (status === 'running') task.phase = 'reading'
  if (status === 'queued') task.phase = 'queued'
  if (progress !== null && typeof progress === 'object') task.progress = progress as JobProgress
}

function phaseOf({ status, error }: Document): Phase {
  if (error?.code === 'cancelled') return 'cancelled'
  if (status === 'ready') return 'ready'
  return status === 'partially_ready' ? 'partially_ready' : 'failed'
}

/** After an interrupt, also cancels the jobs that this command started on the server, except with `--detach`. */
async function abandon(task: Task, { login, is_detached }: Terms): Promise<void> {
  const { document, is_new } = task
  if (document === null) return settle(task, 'unsent')
  if (isSettled(document)) return settle(task, phaseOf(document))
  if (is_detached || !is_new) return settle(task, 'sent')
  const client = openClient({ login, max_retries: 1 })
  const isCancelled = await cancelJob(client, document.latest_job_id)
  const latest = await client.documents.get(document.id, {}, { wait_seconds: 5 }).catch(() => document)
  task.document = latest
  if (isSettled(latest)) return settle(task, phaseOf(latest))
  return settle(task, isCancelled ? 'cancelled' : 'sent')
}

/** Whether the job was canceled before its work was done; a finished job does not change. */
async function cancelJob(client: Octavo, job_id: string | null): Promise<boolean> {
  if (job_id === null) return false
  return client.jobs.update(job_id, { status: 'cancelled' }, { max_retries: 1, timeout_ms: CANCEL_MS }).then(
    () => true,
    () => false,
  )
}

function settle(task: Task, phase: Phase): void {
  task.phase = phase
  const { document } = task
  if ((phase === 'failed' || phase === 'partially_ready') && task.trouble === null && document?.error)
    task.trouble = { message: document.error.message, hint: null, request_id: null, code: document.error.code, exit: 1 }
}
