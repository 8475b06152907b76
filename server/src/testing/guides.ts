// The pages for users as a reader follows them: what they show to be run is run as it is written.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { pdfOf } from '@octavo/extract/testing/pdf-files.ts'
import { type Fence, fencesOf } from '../../../tools/docs/markdown.ts'
import { ROOT } from '../../../tools/docs/pages.ts'

const SHOWN_URL = 'http://127.0.0.1:3000'

/** Pages for users. Decisions are not followed by anybody. */
const listGuides = (): string[] => [
  'README.md',
  'sdk/README.md',
  ...globSync('{docs,clients/*}/*.md', { cwd: ROOT }).toSorted(),
]

export const readPage = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** Blocks of a page in one language, in order. `path` is relative to the repository root. */
export const blocksOf = (path: string, language: string): string[] =>
  fencesOf(readPage(path))
    .filter((fence) => fence.language === language)
    .map(({ body }) => body)

/** All that is typed by a reader, of all pages. */
export const listBlocks = (): (Fence & { path: string })[] =>
  listGuides().flatMap((path) =>
    fencesOf(readPage(path))
      .filter(({ language }) => ['sh', 'ts', 'python'].includes(language))
      .map((fence) => ({ ...fence, path })),
  )

export interface TestGuideReader {
  /** URL of the server that the page uses. */
  url: string
  key: string
  /** Working directory: the repository as a reader has it, plus the reader's own files. */
  cwd: string
  /** Additional shell variables. */
  env?: Record<string, string>
}

/** A checkout with a reader's own files in it; everything else leads to the real one. */
export function openDesk(): { cwd: string; close: () => void } {
  const cwd = mkdtempSync(join(tmpdir(), 'octavo-desk-'))
  for (const name of readdirSync(ROOT))
    if (!['.git', '.env', 'data'].includes(name)) symlinkSync(join(ROOT, name), join(cwd, name))
  const lease = [
    'The lease of the house in Elm Street.',
    'Rent is 1,200 a month. Rent is due on the third day of each month.',
  ]
  for (const name of ['lease.pdf', 'scan.pdf', 'letter.pdf']) writeFileSync(join(cwd, name), pdfOf(lease))
  // An answer of 400 and more is a failure of the command.
  writeFileSync(join(cwd, '.curlrc'), 'silent\nshow-error\nfail-with-body\n')
  mkdirSync(join(cwd, '.bin'))
  const node = `#!/bin/sh\nexec '${process.execPath}'`
  writeProgram(join(cwd, '.bin/octavo'), `${node} '${join(ROOT, 'cli/src/main.ts')}' "$@"\n`)
  // The scripts of package.json without npm's own start, which takes longer than most of them.
  writeProgram(join(cwd, '.bin/npm'), `${node} --"$@"\n`)
  return { cwd, close: () => rmSync(cwd, { recursive: true, force: true }) }
}

function writeProgram(path: string, text: string): void {
  writeFileSync(path, text)
  chmodSync(path, 0o755)
}

/** Returns the output; throws if the command fails. */
export const runShell = (block: string, reader: TestGuideReader): Promise<string> =>
  run('sh', ['-eu', '-c', block], reader)

export const runTypeScript = (block: string, reader: TestGuideReader): Promise<string> =>
  run(process.execPath, ['--input-type=module-typescript', '--eval', block.replaceAll(SHOWN_URL, reader.url)], reader)

/** Runs an interpreter; a program in the arguments uses the reader's server. */
export const runPython = (python: string, args: readonly string[], reader: TestGuideReader): Promise<string> =>
  run(
    python,
    args.map((part) => part.replaceAll(SHOWN_URL, reader.url)),
    reader,
  )

export function startShell(
  block: string,
  { url, key, cwd, env = {} }: TestGuideReader,
  program = 'sh',
  args = ['-eu', '-c', block],
) {
  const own = {
    PATH: `${join(cwd, '.bin')}:${process.env.PATH}`,
    HOME: cwd,
    NO_COLOR: '1',
    NODE_COMPILE_CACHE: join(cwd, '.cache'),
  }
  return spawn(program, args, {
    cwd,
    env: { ...own, KEY: key, API: `${url}/api/v1`, OCTAVO_URL: url, OCTAVO_API_KEY: key, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group, so that background processes can be stopped with it.
    detached: true,
  })
}

/** With all that it has started. */
export async function endShell(child: ReturnType<typeof startShell>): Promise<void> {
  const closed = once(child, 'close')
  process.kill(-child.pid!, 'SIGTERM')
  child.stdout.resume()
  child.stderr.resume()
  await closed
}

export async function untilReady(url: string): Promise<void> {
  for (const until = Date.now() + 60_000; ; await sleep(200)) {
    const is_ready = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (is_ready) return
    if (Date.now() > until) throw new Error(`${url} is not ready.`)
  }
}

async function run(program: string, args: string[], reader: TestGuideReader): Promise<string> {
  const child = startShell('', reader, program, args)
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const [code, told, complaint] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  if (code !== 0) throw new Error(`It ended with ${code}: ${complaint}\n${told}\n${args.at(-1)}`)
  return told
}
