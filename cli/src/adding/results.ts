// The results per file: a table, and for failed files the reason and what to do.

import { hang } from '../citations.ts'
import { exits } from '../exits.ts'
import type { CliColumn } from '../table.ts'
import type { CliStyle, Terminal } from '../terminal.ts'
import { clean } from '../width.ts'
import { pageCountText, plural, spoken } from '../words.ts'
import type { Phase, Task } from './task.ts'

const columns: readonly CliColumn[] = [
  { title: 'FILE', shrinks_to: 12, tail: 8 },
  { title: 'STATUS' },
  { title: 'PAGES', is_right: true },
  { title: 'DOCUMENT' },
]

const styles: Partial<Record<Phase, CliStyle>> = { failed: 'red', partially_ready: 'yellow', cancelled: 'yellow' }

const cellsOf = ({ name, phase, document }: Task): string[] => [
  clean(name),
  phase === 'unsent' ? 'not sent' : spoken(phase),
  document && phase !== 'sent' ? pageCountText(document) : '',
  document?.id ?? '',
]

/** For programs: the same cells, and the reason. */
export const taskRow = (task: Task): string[] => [...cellsOf(task), task.trouble?.message ?? '']

export const recordOf = ({ path, phase, document, trouble }: Task): object => ({
  file: path,
  status: phase,
  document,
  error: trouble && {
    code: trouble.code,
    message: trouble.message,
    hint: trouble.hint,
    request_id: trouble.request_id,
  },
})

function fateOf({ phase, document }: Task): string {
  if (phase === 'sent') return 'was uploaded, but the result is not known'
  if (phase === 'partially_ready') return 'could be read only partially'
  return document ? 'could not be read' : 'could not be added'
}

/** Groups files that failed for the same reason. */
export function showTroubles(terminal: Terminal, tasks: readonly Task[]): void {
  const troubled = tasks.flatMap((task) => (task.trouble ? [{ task, trouble: task.trouble }] : []))
  const groups = Map.groupBy(troubled, ({ task, trouble }) => `${task.phase} ${trouble.message} ${trouble.hint ?? ''}`)
  for (const group of groups.values()) {
    const [first] = group
    if (!first) continue
    const { task, trouble } = first
    const names =
      group
        .slice(0, 3)
        .map((one) => clean(one.task.name))
        .join(', ') + (group.length > 3 ? ` and ${group.length - 3} more` : '')
    terminal.remark('')
    for (const line of hang('', `${names} ${fateOf(task)}:`, terminal.textColumns)) terminal.remark(line)
    const words = [trouble.message, trouble.hint, trouble.request_id && `(${trouble.request_id})`]
      .filter(Boolean)
      .join(' ')
    for (const line of hang('  ', clean(words), terminal.textColumns)) terminal.remark(line)
  }
}

export function showTable(terminal: Terminal, tasks: readonly Task[]): void {
  terminal.table(columns, tasks.map(cellsOf), (row) => styles[tasks[row]?.phase ?? 'waiting'])
}

export function totalOf(tasks: readonly Task[]): string {
  const counts = new Map<string, number>()
  for (const [, word = ''] of tasks.map(cellsOf)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const parts = [...counts].map(([word, count]) => `${count} ${word}`)
  return `${plural(tasks.length, 'file')}: ${parts.join(', ')}`
}

export function exitOf(tasks: readonly Task[], is_interrupted: boolean): number {
  if (is_interrupted) return exits.interrupted
  const codes = new Set(tasks.map(codeOf).filter((code) => code !== exits.fine))
  const [only = exits.fine] = codes
  return codes.size > 1 ? exits.failed : only
}

/** A failure of the whole command, such as a rejected key, is not reported for each file. */
function codeOf({ phase, trouble }: Task): number {
  const isWhole = trouble?.exit === exits.not_allowed || trouble?.exit === exits.unreachable
  if ((phase === 'failed' || phase === 'sent') && isWhole) return trouble.exit
  if (phase === 'sent') return trouble ? exits.failed : exits.fine
  return phase === 'failed' || phase === 'partially_ready' || phase === 'cancelled' ? exits.failed : exits.fine
}
