// Findings for a reader: a line for each, and beneath it what to do.

import type { WriteStream } from 'node:tty'
import { styleText } from 'node:util'
import type { DoctorReport } from './doctor.ts'
import type { CheckResult, Finding } from './finding.ts'

type Marks = Readonly<Record<Finding['status'], string>>
const SIGNS: Marks = { ok: '✓', warning: '!', failed: '✗', skipped: '-' }
const PLAIN: Marks = { ok: 'ok', warning: '! ', failed: 'x ', skipped: '- ' }
const COLOURS = { ok: 'green', warning: 'yellow', failed: 'red', skipped: 'dim' } as const

export interface Paper {
  is_terminal: boolean
  has_colours: boolean
  columns: number
}

/** Output capabilities of the terminal; Node respects NO_COLOR. */
export function paperOf(stream: Partial<WriteStream>, env: object): Paper {
  const is_terminal = stream.isTTY ?? false
  return { is_terminal, has_colours: is_terminal && (stream.hasColors?.(env) ?? false), columns: stream.columns ?? 100 }
}

export function printReport({ checks }: DoctorReport, paper: Paper): string {
  const name_width = Math.max(...checks.map(({ name }) => name.length))
  const lines = checks.flatMap((check) => wrapLines(check, name_width, paper))
  return `${lines.join('\n')}\n\n${summaryOf(checks)}\n`
}

function wrapLines(
  { name, status, says, remedy, commands = [] }: CheckResult,
  name_width: number,
  { is_terminal, has_colours, columns }: Paper,
): string[] {
  const sign = is_terminal ? SIGNS[status] : PLAIN[status]
  const mark = has_colours ? styleText(COLOURS[status], sign, { validateStream: false }) : sign
  const indent = (is_terminal ? 2 : 3) + name_width + 2
  const wrapped = wrap(says, columns - indent)
  const rest = [...wrapped.slice(1), ...(remedy === undefined ? [] : wrap(`→ ${remedy}`, columns - indent))]
  return [
    `${mark} ${name.padEnd(name_width)}  ${wrapped[0] ?? ''}`,
    // A command is not wrapped: it is copied.
    ...[...rest, ...commands.map((command) => `    ${command}`)].map(
      (line) => ' '.repeat(indent) + (is_terminal ? line : line.replace('→', '->')),
    ),
  ]
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length + 1 > Math.max(30, width)) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

function summaryOf(checks: readonly CheckResult[]): string {
  const count = (status: Finding['status']): number => checks.filter((one) => one.status === status).length
  const [problems, warnings] = [count('failed'), count('warning')]
  const parts = [
    ...(problems > 0 ? [`${problems} ${problems === 1 ? 'problem' : 'problems'}`] : []),
    ...(warnings > 0 ? [`${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`] : []),
  ]
  return parts.join(', ') || 'No problems.'
}
