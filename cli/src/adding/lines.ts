// Draws the progress of uploads: one line for each active file, and one for all files.

import { bar, frame } from '../board.ts'
import { clean, cut, fit } from '../width.ts'
import { bytes } from '../words.ts'
import type { Task } from './task.ts'

const ENDING = 8
const WIDEST = 120
/** Width of the file name, and of the status text after the bar. */
const SAID = 22

const isUnderWay = ({ phase }: Task): boolean => phase === 'sending' || phase === 'queued' || phase === 'reading'
const isOver = (task: Task): boolean => task.phase !== 'waiting' && !isUnderWay(task)

const ratio = (part: number, whole: number | null | undefined): number => (whole ? Math.min(1, part / whole) : 0)
const sentPart = ({ size_bytes, sent_bytes }: Task): number => ratio(sent_bytes, size_bytes)
const readPart = ({ progress }: Task): number =>
  ratio((progress?.completed ?? 0) + (progress?.failed ?? 0), progress?.total)

/** Progress of the current phase. */
const partOf = (task: Task): number => (task.phase === 'sending' ? sentPart(task) : readPart(task))

/** Progress over all phases. Reading mostly takes longer than sending. */
function wholePartOf(task: Task): number {
  if (isOver(task)) return 1
  return task.phase === 'waiting' ? 0 : sentPart(task) * 0.2 + readPart(task) * 0.8
}

function said(task: Task): string {
  const { phase, size_bytes, progress } = task
  if (phase === 'sending') return `sent ${Math.floor(sentPart(task) * 100)}% of ${bytes(size_bytes)}`
  if (phase === 'queued') return 'waiting'
  if (!progress?.total) return 'reading'
  return `reading ${progress.completed + progress.failed}/${progress.total} ${progress.unit}`
}

export interface CliSpace {
  columns: number
  rows: number
}

export function boardLines(tasks: readonly Task[], { columns, rows }: CliSpace, is_stopping: boolean): string[] {
  const width = Math.min(columns - 1, WIDEST)
  const over = tasks.filter(isOver)
  const bad = over.filter(({ phase }) => phase === 'failed').length
  // Name, bar and words share the line; the name has the most, the bar at least ten columns.
  const said_width = Math.min(SAID + (width > 100 ? 8 : 0), Math.max(12, Math.floor(width / 3)))
  const name_width = Math.floor((width - said_width - 6) * 0.55)
  const bar_width = width - said_width - name_width - 6
  const line = (head: string, part: number, tail: string): string =>
    cut(`${fit(head, name_width + 2, { tail: ENDING })}  ${bar(part, bar_width)}  ${tail}`, width)
  const total = tasks.reduce((sum, task) => sum + wholePartOf(task), 0) / Math.max(1, tasks.length)
  const shown = tasks.filter(isUnderWay).slice(0, Math.max(0, rows - 1))
  const lines = shown.map((task) => line(`${frame()} ${clean(task.name)}`, partOf(task), said(task)))
  if (is_stopping) return [...lines, '  Stopping. Press Ctrl-C again to exit immediately.']
  if (tasks.length === 1 && lines.length === 1) return lines
  const counts = [`${over.length} of ${tasks.length}`, bad > 0 ? `${bad} failed` : ''].filter(Boolean).join(', ')
  return [...lines, line('  all files', total, counts)]
}
