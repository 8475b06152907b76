// Checks what a person would have seen. Character widths come from the C library's table, not from the CLI's.

import { execFileSync } from 'node:child_process'
import { BROKEN, COUNT } from './files.ts'
import type { Film } from './screen.ts'

const AT_ONCE = 4
const TOTAL = /^ {2}all files +([█░]+) +(\d+) of (\d+)/
const ROW = /^(.+?) {2,}(ready|failed) +(\d*) *(doc_\w{26})?$/
/** Fewer different pictures than this would be jumps. */
const LEAST_STEPS = 8

/** As `wcwidth` says, which terminals follow. */
function widthsOf(lines: readonly string[]): number[] {
  const program = `import ctypes,json,sys,locale
locale.setlocale(locale.LC_ALL,'C.UTF-8')
w=ctypes.CDLL(None).wcwidth
print(json.dumps([sum(max(0,w(ord(c))) for c in line) for line in json.load(sys.stdin)]))`
  return JSON.parse(
    execFileSync('python3', ['-c', program], {
      input: JSON.stringify(lines),
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    }),
  ) as number[]
}

export function findWrongProgress({ frames }: Film, columns: number): string[] {
  const wrong: string[] = []
  const boards = frames.filter((lines) => lines.some((line) => TOTAL.test(line)))
  const counts = boards.map((lines) => Number(TOTAL.exec(lines.find((line) => TOTAL.test(line))!)![2]))
  const texts = [...new Set(boards.flat())]
  if (new Set(counts).size < LEAST_STEPS) wrong.push(`only ${new Set(counts).size} steps of progress were to be seen`)
  if (counts.some((count, i) => count < (counts[i - 1] ?? 0))) wrong.push('the count of files went back')
  if (!texts.some((line) => /reading \d+\/60 pages$/.test(line))) wrong.push('no pages were counted')
  if (!texts.some((line) => /█░|█ .*reading/.test(line))) wrong.push('no bar was partly full')
  if (boards.some((lines) => lines.filter((line) => TOTAL.test(line)).length > 1))
    wrong.push('lines were drawn beneath each other')
  const tallest = Math.max(0, ...boards.map((lines) => lines.length))
  if (tallest > AT_ONCE + 1) wrong.push(`${tallest} lines for ${AT_ONCE} files`)
  const widest = Math.max(0, ...widthsOf(texts))
  if (widest >= columns) wrong.push(`a line of ${widest} columns`)
  if (!texts.some((line) => line.includes('…'))) wrong.push('no long name was cut')
  return wrong
}

export function findWrongEnd({ end, exit }: Film, columns: number): string[] {
  const wrong: string[] = []
  const rows = end.map((line) => ROW.exec(line)).filter((row) => row !== null)
  const ready = rows.filter(([, , status]) => status === 'ready').length
  const failed = rows.filter(([, , status]) => status === 'failed').length
  if (exit !== 1) wrong.push(`exit code ${exit}`)
  if (ready !== COUNT - BROKEN.length || failed !== BROKEN.length)
    wrong.push(`the table has ${ready} ready and ${failed} failed`)
  if (end.some((line) => /[█░]/.test(line))) wrong.push('bars were left on the screen')
  const widest = Math.max(0, ...widthsOf(end))
  if (widest > columns) wrong.push(`a line of ${widest} columns at the end`)
  const places = new Set(
    widthsOf(rows.filter(([, , , , id]) => id !== undefined).map(([line, , , , id]) => line.slice(0, -id!.length))),
  )
  if (places.size > 1) wrong.push('the columns of the table do not stand under each other')
  // Lines that were broken for the width are one sentence.
  const text = end.join('\n').replace(/\n {2}/g, ' ')
  for (const { name, reason, remedy } of BROKEN) {
    const said = text.split('\n').find((line) => line.startsWith(`${name} could not be read:`)) ?? ''
    if (!reason.test(said) || !remedy.test(said)) wrong.push(`${name} is not explained: '${said}'`)
  }
  if (!text.includes(`${COUNT} files: `)) wrong.push('there is no total')
  return wrong
}
