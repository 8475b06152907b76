// Starts a child process that can do nothing but read our code, compute and answer.

import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'

export interface ParserLimits {
  parser_heap_mb: number
  parser_resident_mb: number
}

/** An orphan in an endless loop ends after this much CPU time, where the system cannot end it with its parent. */
const MAX_CPU_SECONDS = 3600
const ORPHAN_PROOF = wrapperOf('setpriv', ['--no-new-privs', '--pdeathsig', 'KILL'])
const LIMITER = wrapperOf('prlimit', [`--cpu=${MAX_CPU_SECONDS}`, '--core=0', '--fsize=0'])
/**
 * Node maps nearly 600 MB of writable memory at startup and hardly ever touches it. The allowance is a little less, so
 * that the data limit is hit about where the memory watch should have ended the child. Address space cannot be limited
 * instead: WebAssembly reserves gigabytes of it.
 */
const OWN_DATA_MB = 500

export type ParserProcess = ChildProcessByStdio<Writable, Readable, Readable>

export function spawnParser(main: URL, { parser_heap_mb, parser_resident_mb }: ParserLimits): ParserProcess {
  // The second wall behind the watch on its memory, which looks only now and then, and later still if its process is busy.
  const data_bytes = (parser_resident_mb + OWN_DATA_MB) * 1024 * 1024
  const limiter = LIMITER.length > 0 ? [...LIMITER, `--data=${data_bytes}`] : []
  const flags = [
    '--permission',
    ...readable().map((path) => `--allow-fs-read=${path}`),
    `--max-old-space-size=${parser_heap_mb}`,
    '--no-warnings',
    '--disallow-code-generation-from-strings',
  ]
  const wrapped = [...limiter, ...ORPHAN_PROOF, process.execPath, ...flags, fileURLToPath(main)]
  const [command, ...args] = wrapped
  const child = spawn(command ?? process.execPath, args, { cwd: '/', env: {}, stdio: ['pipe', 'pipe', 'pipe'] })
  child.once('spawn', () => lowerPriority(child.pid))
  return child
}

function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // It has ended already, which is noticed elsewhere.
  }
}

/** The code that a format may load: this package's, the contract's and the libraries'. Never their parent folder. */
function readable(): string[] {
  const source = dirname(import.meta.dirname)
  const paths = [
    source,
    join(dirname(source), 'package.json'),
    dirname(fileURLToPath(import.meta.resolve('@octavo/contract'))),
  ]
  for (let folder = source; folder !== dirname(folder); folder = dirname(folder)) {
    const libraries = join(folder, 'node_modules')
    if (existsSync(libraries)) paths.push(libraries)
  }
  return paths
}

function wrapperOf(name: string, args: readonly string[]): string[] {
  const path = ['/usr/bin', '/bin'].map((folder) => `${folder}/${name}`).find((one) => existsSync(one))
  return process.platform === 'linux' && path ? [path, ...args] : []
}
