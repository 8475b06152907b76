// Runs the program as a shell does, with a separate home directory.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

/** One that hangs must not hang the tests. */
const LONGEST_MS = 120_000
const FLOOD = ' '.repeat(4_000_000)
const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

export interface CliEndState {
  exit: number | null
  out: string
  err: string
}

export interface CliStartedProcess {
  ended: Promise<CliEndState>
  signal: (name: NodeJS.Signals) => void
  /** Waits until its stderr, or its stdout, contains a text. */
  said: (text: RegExp) => Promise<RegExpExecArray>
  printed: (text: RegExp) => Promise<RegExpExecArray>
  /** More than a pipe holds into its stdin: then it is being read. */
  flood: () => Promise<void>
  /** Closes the reading end of its stdout. */
  hangUp: () => void
}

/** Collects the text of a stream. */
function watch(stream: Readable) {
  const seen = { text: '' }
  stream.setEncoding('utf8').on('data', (chunk: string) => (seen.text += chunk))
  const until = async (wanted: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = wanted.exec(seen.text)
      if (found) return found
      await Promise.race([once(stream, 'data'), once(stream, 'end').then(() => assert.match(seen.text, wanted))])
    }
  }
  return {
    get text(): string {
      return seen.text
    },
    until,
  }
}

export class Person {
  readonly home = mkdtempSync(join(tmpdir(), 'octavo-cli-'))
  private readonly env: Record<string, string>

  constructor(env: Record<string, string> = {}) {
    this.env = env
  }

  private environment(more: Record<string, string>): NodeJS.ProcessEnv {
    return {
      PATH: process.env['PATH'],
      HOME: this.home,
      XDG_CONFIG_HOME: join(this.home, '.config'),
      ...this.env,
      ...more,
    }
  }

  /** `stdin` null: a pipe that never ends. */
  start(
    args: readonly string[],
    { stdin = '', env = {} }: { stdin?: string | Buffer | null; env?: Record<string, string> } = {},
  ): CliStartedProcess {
    const child = spawn(process.execPath, [MAIN, ...args], {
      cwd: this.home,
      env: this.environment(env),
      timeout: LONGEST_MS,
    })
    const stderr = watch(child.stderr)
    const stdout = watch(child.stdout)
    // A program that does not read its stdin ends before all of it is written.
    child.stdin.on('error', () => {})
    if (stdin !== null) child.stdin.end(stdin)
    const closed = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
    const ended = closed.then((exit) => ({ exit, out: stdout.text, err: stderr.text }))
    return {
      ended,
      said: stderr.until,
      printed: stdout.until,
      signal: (name) => void child.kill(name),
      flood: () => new Promise((resolve) => child.stdin.write(FLOOD, () => resolve())),
      hangUp: () => void child.stdout.destroy(),
    }
  }

  run(
    args: readonly string[],
    given: { stdin?: string | Buffer; env?: Record<string, string> } = {},
  ): Promise<CliEndState> {
    return this.start(args, given).ended
  }

  /** At a terminal, where `answers` are typed one after the other as their questions come. */
  async converse(
    args: readonly string[],
    answers: readonly (readonly [question: string, answer: string])[] = [],
    columns = 80,
  ): Promise<CliEndState> {
    const command = `stty cols ${columns}; ${[process.execPath, MAIN, ...args].map((word) => `'${word}'`).join(' ')}`
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      cwd: this.home,
      env: this.environment({ SHELL: '/bin/sh' }),
    })
    const left = [...answers]
    let [out, heard] = ['', 0]
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString()
      const at = left[0] ? out.indexOf(left[0][0], heard) : -1
      if (at < 0) return
      heard = at + left[0]![0].length
      child.stdin.write(`${left.shift()![1]}\r`)
    })
    const exit = await new Promise<number | null>((resolve, reject) =>
      child.once('error', reject).once('close', resolve),
    )
    return { exit, out, err: '' }
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

/** Why there is no terminal to converse at. */
export const noTerminal: string | false = process.platform === 'linux' ? false : 'script(1) takes other options here'

/** The values of `--json`, one in each line. */
export const jsonLines = <T>(out: string): T[] =>
  out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T)
export const tableRows = (out: string): string[][] =>
  out
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t'))
/** Names and values, as `get` prints them. */
export const factsOf = (out: string): Map<string | undefined, string | undefined> =>
  new Map(tableRows(out).map(([name, value]) => [name, value]))
