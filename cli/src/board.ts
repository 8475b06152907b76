// Lines on a terminal that are drawn again in their place while something goes on.

import { styleText } from 'node:util'
import { widthOf } from './width.ts'

const EVERY_MS = 120
const DEFAULT_COLUMNS = 80
const HIDE = '\u001b[?25l'
const SHOW = '\u001b[?25h'

export interface Board {
  /** Takes the lines away; what follows is written where they were. */
  close(): void
}

/** Whether lines can be drawn in place there. */
export const mayDraw = (): boolean => process.stderr.isTTY && process.env['TERM'] !== 'dumb'

const none: Board = { close: () => {} }

/** `linesOf` returns at most `rows` lines narrower than `columns`. `paint` adds colors, which take no space. */
export function openBoard(linesOf: (columns: number, rows: number) => string[]): Board {
  if (!mayDraw()) return none
  const screen = process.stderr
  let drawn: string[] = []

  /** Moves back to the first line. A terminal that became narrower has rewrapped the lines. */
  function rewind(): string {
    const columns = screen.columns || DEFAULT_COLUMNS
    const rows = drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0)
    return rows > 0 ? `\u001b[${rows}A\r\u001b[0J` : ''
  }
  function draw(): void {
    const lines = linesOf(screen.columns || DEFAULT_COLUMNS, (screen.rows || 24) - 1)
    const text = lines.map((line) => `${paint(line)}\n`).join('')
    screen.write(rewind() + text)
    drawn = lines
  }
  const restore = (): void => void screen.write(SHOW)
  screen.write(HIDE)
  draw()
  const timer = setInterval(draw, EVERY_MS)
  process.once('exit', restore)
  return {
    close() {
      clearInterval(timer)
      screen.write(rewind() + SHOW)
      drawn = []
      process.removeListener('exit', restore)
    },
  }
}

const FULL = '█'
const EMPTY = '░'
const BAR = new RegExp(`${FULL}+|${EMPTY}+`, 'g')

const paint = (line: string): string =>
  line.replace(BAR, (run) => styleText(run.startsWith(FULL) ? 'cyan' : 'dim', run, { stream: process.stderr }))

/** `part` is from 0 to 1. */
export function bar(part: number, width: number): string {
  const full = Math.round(Math.min(1, Math.max(0, part)) * width)
  return FULL.repeat(full) + EMPTY.repeat(width - full)
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
export const frame = (): string => FRAMES[Math.floor(Date.now() / EVERY_MS) % FRAMES.length] ?? ''

/** One line with the seconds that it takes, until the work is done. */
export async function whileWaiting<T>(what: string, work: Promise<T>): Promise<T> {
  const since = Date.now()
  // Show nothing for work that finishes at once.
  let board: Board | null = null
  const timer = setTimeout(() => {
    board = openBoard(() => [`${frame()} ${what} ${Math.floor((Date.now() - since) / 1000)} s`])
  }, 300)
  try {
    return await work
  } finally {
    clearTimeout(timer)
    ;(board as Board | null)?.close()
  }
}
