import { basename } from 'node:path'
import type { Summary } from '@octavo/sdk'
import { boardLines } from '../adding/lines.ts'
import { exitOf, recordOf, showTable, showTroubles, taskRow, totalOf } from '../adding/results.ts'
import { type About, newTask, perform, type Task } from '../adding/task.ts'
import { openBoard } from '../board.ts'
import { type Explanation, explain } from '../errors.ts'
import { exits, Refusal } from '../exits.ts'
import { readLogin } from '../login.ts'
import { SELF } from '../self.ts'
import { tabLine } from '../table.ts'
import { clean } from '../width.ts'
import type { Session } from './session.ts'
import { createSummary, showSummary } from './summaries.ts'

export interface AddOptions {
  name?: string
  title?: string
  project?: string
  onDuplicate?: About['on_duplicate']
  concurrency: number
  wait: boolean
  detach?: boolean
  summary?: boolean
}

const wrong = (message: string, hint: string): Refusal => new Refusal(message, exits.wrong_usage, hint)
const idsOf = (some: readonly Task[]): Set<string> => new Set(some.flatMap(({ document }) => document?.id ?? []))

function check(paths: readonly string[], { title, name, wait, summary }: AddOptions): void {
  if (title !== undefined && paths.length > 1)
    throw wrong('--title works with one file only.', 'Remove it: each document is then named after its file.')
  if (name !== undefined && paths.length > 1)
    throw wrong('--name works with one file only.', 'Add the other files with another command.')
  if (paths.includes('-') && name === undefined)
    throw wrong(
      "'-' needs --name, because stdin has no file name.",
      `For example: ${SELF} documents add - --name lease.pdf`,
    )
  if (!wait && summary) throw wrong('--summary cannot be used with --no-wait.', 'Remove --no-wait.')
}

export async function addDocuments(session: Session, paths: readonly string[], options: AddOptions): Promise<number> {
  check(paths, options)
  const { terminal, signal, output } = session
  const login = readLogin()
  // A closed stdout, as with `| head`, must not stop the other uploads.
  output.is_needed = false
  const tasks = paths.map((path) => newTask(path, path === '-' ? (options.name ?? path) : basename(path)))
  const about: About = {
    ...(options.title !== undefined && { title: options.title }),
    ...(options.project !== undefined && { project_id: options.project }),
    ...(options.onDuplicate !== undefined && { on_duplicate: options.onDuplicate }),
  }
  const terms = {
    login,
    about,
    name: options.name,
    is_waiting: options.wait,
    is_detached: options.detach ?? false,
    signal,
  }
  const board = openBoard((columns, rows) => boardLines(tasks, { columns, rows }, signal.aborted))
  const queue = tasks.values()
  let isHopeless = false
  const work = async (): Promise<void> => {
    for (const task of queue) {
      if (signal.aborted || isHopeless) task.phase = 'unsent'
      else await perform(task, terms)
      // An unreachable server or a rejected key would fail for the next file too.
      isHopeless ||= task.trouble?.exit === exits.unreachable || task.trouble?.exit === exits.not_allowed
      if (!terminal.is_human && !options.summary && !output.is_closed) tell(session, task)
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(options.concurrency, tasks.length) }, work))
  } finally {
    board.close()
  }
  return conclude(session, tasks, options)
}

/** Prints each result immediately, so that the reader of a pipe does not wait for the other files. */
function tell({ terminal }: Session, task: Task): void {
  if (terminal.is_json) terminal.json(recordOf(task))
  else terminal.line(tabLine(taskRow(task)))
}

async function conclude(session: Session, tasks: readonly Task[], options: AddOptions): Promise<number> {
  const { terminal, signal, output } = session
  if (output.is_closed && !signal.aborted) return concludeUnread(session, tasks)
  if (terminal.is_human) {
    showTable(terminal, tasks)
    remarkOn(session, tasks)
  }
  const summaryExit = options.summary ? await summarise(session, tasks) : exits.fine
  // Without a table, each file is printed with its summary.
  if (!terminal.is_human) remarkOn(session, tasks)
  return exitOf(tasks, signal.aborted) || summaryExit
}

function remarkOn(session: Session, tasks: readonly Task[]): void {
  const { terminal, signal } = session
  showTroubles(terminal, tasks)
  if (!terminal.is_human || tasks.length > 1 || signal.aborted) terminal.remark(`\n${totalOf(tasks)}`)
  if (signal.aborted) sayInterrupted(session, tasks)
}

/** stdout is closed, so results per file cannot be shown. */
function concludeUnread({ terminal }: Session, tasks: readonly Task[]): number {
  const exit = exitOf(tasks, false)
  if (exit !== exits.fine)
    terminal.complain({ message: `${totalOf(tasks)}.`, hint: null, request_id: null, code: 'files_failed', exit })
  return exit
}

function sayInterrupted({ terminal }: Session, tasks: readonly Task[]): void {
  const cancelled = idsOf(tasks.filter(({ phase, is_new }) => phase === 'cancelled' && is_new))
  // A file that was given twice can be a single document.
  const running = idsOf(tasks.filter(({ phase }) => phase === 'sent')).difference(cancelled)
  if (cancelled.size > 0)
    terminal.remark(
      `Canceled on the server too. To delete these documents: ${SELF} documents delete ${[...cancelled].join(' ')}`,
    )
  if (running.size > 0) terminal.remark(`Still processing: ${[...running].join(' ')}`)
}

/** Summarizes each file that could be read, in order. A failure does not stop the others. */
async function summarise(session: Session, tasks: readonly Task[]): Promise<number> {
  const { terminal } = session
  let exit: number = exits.fine
  for (const task of tasks) {
    if (session.output.is_closed) break
    const { summary, trouble } = await trySummary(session, task)
    if (terminal.is_json) terminal.json({ ...recordOf(task), summary })
    else if (!terminal.is_human) terminal.line(tabLine(taskRow(task)))
    if (trouble) terminal.complain(trouble)
    if (summary && !terminal.is_json) {
      terminal.line(`\n${terminal.style('bold', `Summary of ${clean(task.document?.title ?? task.name)}`)}`)
      await showSummary(session, summary)
    }
    exit ||= trouble?.exit ?? (summary && summary.status !== 'succeeded' ? exits.failed : exits.fine)
  }
  return exit
}

async function trySummary(
  session: Session,
  { phase, document }: Task,
): Promise<{ summary: Summary | null; trouble: Explanation | null }> {
  const isReadable = phase === 'ready' || phase === 'partially_ready'
  if (!isReadable || document === null || session.signal.aborted) return { summary: null, trouble: null }
  try {
    return { summary: await createSummary(session, [document.id], {}), trouble: null }
  } catch (error) {
    return { summary: null, trouble: explain(session.signal.aborted ? session.signal.reason : error, readLogin().url) }
  }
}
