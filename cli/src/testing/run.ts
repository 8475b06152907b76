// The program as a shell starts it, with a home of its own.

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

export interface Ended {
  exit: number | null
  out: string
  err: string
}

export interface Started {
  ended: Promise<Ended>
  signal: (name: NodeJS.Signals) => void
  /** Nobody reads its stdout any more. */
  hangUp: () => void
}

export class Person {
  readonly home = mkdtempSync(join(tmpdir(), 'octavo-cli-'))
  private readonly env: Record<string, string>

  constructor(env: Record<string, string> = {}) {
    this.env = env
  }

  start(args: readonly string[], { stdin = '', env = {} }: { stdin?: string | Buffer; env?: Record<string, string> } = {}): Started {
    const child = spawn(process.execPath, [MAIN, ...args], {
      cwd: this.home,
      env: { PATH: process.env['PATH'], HOME: this.home, XDG_CONFIG_HOME: join(this.home, '.config'), ...this.env, ...env },
    })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    // Who does not read its stdin ends before all of it has come.
    child.stdin.on('error', () => {})
    child.stdin.end(stdin)
    const closed = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
    const read = text(child.stdout).catch(() => '')
    const ended = Promise.all([closed, read]).then(([exit, out]) => ({ exit, out, err: said }))
    return { ended, signal: (name) => void child.kill(name), hangUp: () => void child.stdout.destroy() }
  }

  run(args: readonly string[], given: { stdin?: string | Buffer; env?: Record<string, string> } = {}): Promise<Ended> {
    return this.start(args, given).ended
  }

  /** Its path. */
  file(name: string, contents: string | Uint8Array): string {
    const path = join(this.home, name)
    writeFileSync(path, contents)
    return path
  }

  read(name: string): string {
    return readFileSync(join(this.home, name), 'utf8')
  }

  leave(): void {
    rmSync(this.home, { recursive: true, force: true })
  }
}

/** The values of `--json`, one in each line. */
export const linesOf = <T>(out: string): T[] =>
  out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T)
export const rowsOf = (out: string): string[][] =>
  out
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t'))
/** Names and values, as `get` prints them. */
export const factsOf = (out: string): Map<string | undefined, string | undefined> =>
  new Map(rowsOf(out).map(([name, value]) => [name, value]))
