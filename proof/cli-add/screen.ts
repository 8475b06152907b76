// A real terminal of a given size, by tmux, and what is to be seen in it from one moment to the next.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Plant } from '../lib/proof.ts'
import { defer } from '../lib/scope.ts'

const MAIN = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url))
const PLANT = new URL('../lib/plant.ts', import.meta.url).href
const ROWS = 24
const EVERY_MS = 150
const PATIENCE_MS = 240_000

export interface Film {
  /** Text below the command, each time it changed. */
  frames: string[][]
  /** Everything that was left when it had ended, also above the screen. */
  end: string[]
  exit: number | null
}

export interface Shot {
  columns: number
  folder: string
  plants: readonly Plant[]
  env: Record<string, string>
}

const START = '--- begin ---'
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

export async function record({ columns, folder, plants, env }: Shot): Promise<Film> {
  const home = mkdtempSync(join(tmpdir(), 'octavo-screen-'))
  await using _rmSync = defer(() => rmSync(home, { recursive: true, force: true }))
  const socket = join(home, 'tmux')
  const tmux = (...args: string[]): string =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' })
  await using _tmux = defer(() => tmux('kill-server'))
  const all = { ...env, HOME: home, LANG: 'C.UTF-8', OCTAVO_PLANTS: JSON.stringify(plants) }
  const exports = Object.entries(all).map(([name, value]) => `export ${name}=${quote(value)}`)
  const command = `${quote(process.execPath)} --import ${quote(PLANT)} ${quote(MAIN)} documents add *`
  const script = join(home, 'script.sh')
  // It stays until it was seen.
  writeFileSync(
    script,
    [...exports, `cd ${quote(folder)}`, `echo '${START}'`, command, 'echo "exit=$?"', 'sleep 600'].join('\n'),
  )
  tmux('-u', 'new-session', '-d', '-s', 'film', '-x', String(columns), '-y', String(ROWS), `bash ${quote(script)}`)
  return await watch(() => screenLines(tmux('capture-pane', '-p', '-t', 'film', '-S', '-', '-J')))
}

function screenLines(screen: string): string[] {
  const lines = screen.split('\n').map((line) => line.trimEnd())
  while (lines.at(-1) === '') lines.pop()
  return lines.slice(lines.indexOf(START) + 1)
}

async function watch(look: () => string[]): Promise<Film> {
  const frames: string[][] = []
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(EVERY_MS)) {
    const lines = look()
    const exit = /^exit=(\d+)$/.exec(lines.at(-1) ?? '')?.[1]
    if (exit !== undefined) return { frames, end: lines.slice(0, -1), exit: Number(exit) }
    if (lines.length > 0 && lines.join('\n') !== frames.at(-1)?.join('\n')) frames.push(lines)
  }
  return { frames, end: [], exit: null }
}
