// `npm test` runs every test. `npm test -- documents http/lists` runs the files whose path contains one of these words;
// flags are Node's: `npm test -- documents --watch`, `npm test -- --test-name-pattern=…`.

import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const given = process.argv.slice(2)
const flags = given.filter((word) => word.startsWith('-'))
const words = given.filter((word) => !word.startsWith('-'))

const all = globSync('{contract,server,sdk,cli}/src/**/*.test.ts', { cwd: root }).concat(
  globSync('{tools,deploy,proof}/**/*.test.ts', { cwd: root, exclude: ['**/node_modules/**'] }),
)
const files = all.filter((file) => words.length === 0 || words.some((word) => file.includes(word))).toSorted()
if (files.length === 0) {
  console.error(`No test file has ${words.join(' or ')} in its path. Name a folder or a part of a file name.`)
  process.exit(1)
}

// A watched run ends by Ctrl-C, and force-exit would end it after the first round.
const defaults = ['--test-timeout=120000', '--test-concurrency=2']
const isWatched = flags.includes('--watch')
const run = spawnSync(
  process.execPath,
  ['--test', ...(isWatched ? [] : ['--test-force-exit']), ...defaults, ...flags, ...files],
  { cwd: root, stdio: 'inherit' },
)
process.exitCode = run.status ?? 1
