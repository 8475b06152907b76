// Starts a Node process that can do nothing but read our code, compute and answer.

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Sandbox } from './sandbox/launch.ts'
import type { SandboxProcess } from './sandbox/process.ts'

export interface ParserLimits {
  parser_heap_mb: number
  parser_resident_mb: number
  /** Wall time that a child may take to start. */
  parser_start_seconds?: number
}

/** An orphan in an endless loop ends after this much CPU time, where the system cannot end it with its parent. */
const MAX_CPU_SECONDS = 3600
/**
 * Node maps nearly 600 MB of writable memory at startup and hardly ever touches it. The allowance is a little less, so
 * that the data limit is hit about where the memory watch should have ended the child. Address space cannot be limited
 * instead: WebAssembly reserves gigabytes of it.
 */
const OWN_DATA_MB = 500

export function spawnParser(
  sandbox: Sandbox,
  main: URL,
  { parser_heap_mb, parser_resident_mb }: ParserLimits,
): SandboxProcess {
  const reads = listReadable()
  return sandbox.launch({
    program: process.execPath,
    args: [
      '--permission',
      ...reads.map((path) => `--allow-fs-read=${path}`),
      // It opens files without asking the permission model.
      '--no-experimental-sqlite',
      `--max-old-space-size=${parser_heap_mb}`,
      '--no-warnings',
      '--disallow-code-generation-from-strings',
      fileURLToPath(main),
    ],
    reads,
    data_bytes: (parser_resident_mb + OWN_DATA_MB) * 1024 * 1024,
    cpu_seconds: MAX_CPU_SECONDS,
  })
}

let readable: string[] | undefined

/** The code that a format may load: this package's, that of the packages it uses, and the libraries'. Never their parent folder. */
export function listReadable(): string[] {
  readable ??= findReadable()
  return readable
}

function findReadable(): string[] {
  const source = import.meta.dirname
  const used = ['@octavo/contract', '@octavo/base/unknown.ts'].map((name) =>
    dirname(fileURLToPath(import.meta.resolve(name))),
  )
  const paths = [source, ...used].flatMap((folder) => [folder, join(dirname(folder), 'package.json')])
  for (let folder = source; folder !== dirname(folder); folder = dirname(folder)) {
    const libraries = join(folder, 'node_modules')
    if (existsSync(libraries)) paths.push(libraries)
  }
  return paths
}
