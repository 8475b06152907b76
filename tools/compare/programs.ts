// The programs that are compared: how each prints the text of a file.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Program {
  name: string
  /** File name extensions that it reads; null: all. */
  extensions: readonly string[] | null
  command: (path: string) => string[]
}

const PYTHON_PROGRAMS: readonly (Omit<Program, 'command'> & { pip: string; code: string })[] = [
  {
    name: 'markitdown',
    pip: 'markitdown[all]',
    extensions: null,
    code: 'from markitdown import MarkItDown; print(MarkItDown().convert(sys.argv[1]).text_content)',
  },
  {
    name: 'kreuzberg',
    pip: 'kreuzberg',
    extensions: null,
    code: 'from kreuzberg import extract_file_sync; print(extract_file_sync(sys.argv[1]).content)',
  },
  {
    name: 'pymupdf4llm',
    pip: 'pymupdf4llm',
    extensions: ['pdf'],
    code: 'import pymupdf4llm; print(pymupdf4llm.to_markdown(sys.argv[1], show_progress=False))',
  },
]

/** Octavo first. Programs that cannot be installed are left out, with a line on stderr. */
export function findPrograms(): Program[] {
  const octavo = fileURLToPath(new URL('octavo.ts', import.meta.url))
  const programs: Program[] = [
    { name: 'octavo', extensions: null, command: (path) => [process.execPath, '--no-warnings', octavo, path] },
  ]
  if (spawnSync('pdftotext', ['-v']).status === 0)
    programs.push({ name: 'pdftotext', extensions: ['pdf'], command: (path) => ['pdftotext', path, '-'] })
  const { TIKA_URL } = process.env
  if (TIKA_URL)
    programs.push({
      name: 'tika',
      extensions: null,
      command: (path) => ['curl', '-sf', '-T', path, '-H', 'Accept: text/plain', `${TIKA_URL}/tika`],
    })
  const python = process.env.COMPARE_PYTHON ?? openEnvironment()
  for (const { name, pip, extensions, code } of PYTHON_PROGRAMS) {
    if (!python || !isInstalled(python, name, pip)) {
      console.error(`Left out: ${name} could not be installed.`)
      continue
    }
    programs.push({ name, extensions, command: (path) => [python, '-c', `import sys; ${code}`, path] })
  }
  return programs
}

function openEnvironment(): string | null {
  const folder = join(homedir(), '.cache', 'octavo-compare')
  const python = join(folder, 'bin', 'python')
  mkdirSync(folder, { recursive: true })
  if (!existsSync(python)) spawnSync('python3', ['-m', 'venv', folder], { stdio: 'ignore' })
  return existsSync(python) ? python : null
}

function isInstalled(python: string, name: string, pip: string): boolean {
  const hasModule = (): boolean => spawnSync(python, ['-c', `import ${name}`]).status === 0
  if (hasModule()) return true
  spawnSync(python, ['-m', 'pip', '-q', 'install', pip], { stdio: 'ignore' })
  return hasModule()
}

export interface ProgramRun {
  text: string
  /** User and system time, with the start of the program. */
  cpu_seconds: number
}

const MAX_TEXT_BYTES = 256 * 1024 * 1024
const TIMEOUT_MS = 180_000

/** Null if the program failed. */
export function runProgram(program: Program, path: string): ProgramRun | null {
  // bash measures the processes that the program waits for, too.
  const script = 'TIMEFORMAT="%U %S"; { time "$@" 2>/dev/null; } 2>&3'
  const times = spawnSync('bash', ['-c', script, 'bash', ...program.command(path)], {
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    maxBuffer: MAX_TEXT_BYTES,
    timeout: TIMEOUT_MS,
  })
  const [user = 0, system = 0] = String(times.output[3] ?? '')
    .trim()
    .split(' ')
    .map(Number)
  if (times.status !== 0) return null
  return { text: times.stdout.toString('utf8'), cpu_seconds: user + system }
}

/** A text beside the file, with the same name and `.expected.txt`; null: there is none. */
export const findExpected = (path: string): string | null =>
  existsSync(`${path}.expected.txt`) ? readFileSync(`${path}.expected.txt`, 'utf8') : null
