// `npm test` runs every test. `npm test -- documents http/lists` runs the files whose path contains one of these words;
// flags are Node's: `npm test -- documents --watch`, `npm test -- --test-name-pattern=…`. With `--again` the files that
// failed run a second time, one by one: a test that waits for a clock can fail on a machine that is busy elsewhere.

import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const given = process.argv.slice(2)
const flags = given.filter((word) => word.startsWith('-') && word !== '--again')
const words = given.filter((word) => !word.startsWith('-'))

const all = globSync('{base,contract,extract,server,sdk,mcp,cli}/src/**/*.test.ts', { cwd: root }).concat(
  globSync('{tools,deploy,proof,clients,examples}/**/*.test.ts', { cwd: root, exclude: ['**/node_modules/**'] }),
)
const files = all.filter((file) => words.length === 0 || words.some((word) => file.includes(word))).toSorted()
if (files.length === 0) {
  console.error(`No test file has ${words.join(' or ')} in its path. Name a folder or a part of a file name.`)
  process.exit(1)
}

// A watched run ends by Ctrl-C, and force-exit would end it after the first round.
const defaults = ['--test-timeout=120000', ...(flags.includes('--watch') ? [] : ['--test-force-exit'])]

// Each test file is a process that loads most of the server; the cache saves stripping its types again.
const compiled = process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules/.cache/octavo-test')

const runTests = (concurrency: number, paths: readonly string[], reporters: readonly string[] = []): number =>
  spawnSync(
    process.execPath,
    ['--test', `--test-concurrency=${concurrency}`, ...defaults, ...reporters, ...flags, ...paths],
    { cwd: root, stdio: 'inherit', env: { ...process.env, NODE_COMPILE_CACHE: compiled } },
  ).status ?? 1

process.exitCode = given.includes('--again') ? runAgain() : runTests(2, files)

function runAgain(): number {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-test-'))
  try {
    const list = join(folder, 'failed')
    const reporters = ['spec', './tools/failed-files.ts'].map((name) => `--test-reporter=${name}`)
    const destinations = ['stdout', list].map((path) => `--test-reporter-destination=${path}`)
    if (runTests(2, files, [...reporters, ...destinations]) === 0) return 0
    const failed = readFileSync(list, 'utf8').split('\n').filter(Boolean)
    if (failed.length === 0) return 1
    console.log(`\nRunning ${failed.length} failed file(s) again, one at a time:\n${failed.join('\n')}\n`)
    return runTests(1, failed)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
