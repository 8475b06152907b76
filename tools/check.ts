// Every check that needs no running server, one line each; all of them run, the failures are listed at the end.
// `npm run check -- types lint` runs only these.

import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const migrations = globSync('server/src/db/migrations/*.sql', { cwd: root }).toSorted()

const steps: readonly (readonly [name: string, program: string, ...args: string[]])[] = [
  ['types', 'tsc', '-p', '.'],
  ['lint', 'oxlint', '--type-aware', '--deny-warnings'],
  ['format', 'biome', 'check', '--error-on-warnings'],
  ['architecture', 'node', 'tools/architecture.ts'],
  ['words', 'node', 'tools/words.ts'],
  ['assertions', 'node', 'tools/assertions.ts'],
  ['unused', 'knip', '--no-progress'],
  ['openapi', 'node', 'tools/openapi.ts', '--check'],
  ['openapi-rules', 'redocly', 'lint', 'openapi.json'],
  ['breaking', 'node', 'tools/oasdiff.ts'],
  ['schema-rules', 'node', 'tools/schema-rules.ts'],
  ['licenses', 'node', 'tools/licenses.ts', '--check'],
  ['migrations', 'squawk', ...migrations],
]

const env = {
  ...process.env,
  PATH: [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
  NO_COLOR: '1',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
}

/** Prints one line, and what the program said if it failed. */
function passes([name, program, ...args]: (typeof steps)[number]): boolean {
  const start = performance.now()
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: root,
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  const seconds = ((performance.now() - start) / 1000).toFixed(1).padStart(6)
  const is_good = status === 0
  const remark = is_good && stdout.trim().split('\n').length === 1 ? stdout.trim().slice(0, 100) : ''
  console.log(`${is_good ? 'ok    ' : 'FAILED'} ${name.padEnd(14)} ${seconds} s  ${remark}`.trimEnd())
  if (!is_good) console.log([stdout, stderr, error?.message].filter(Boolean).join('\n').trimEnd())
  return is_good
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !steps.some(([known]) => known === name))
if (unknown.length)
  throw new Error(`No check is called ${unknown.join(', ')}. There are ${steps.map(([name]) => name).join(', ')}.`)

const chosen = steps.filter(([name]) => wanted.length === 0 || wanted.includes(name))
const failed = chosen.filter((step) => !passes(step)).map(([name]) => name)
console.log(
  failed.length
    ? `\n${failed.length} of ${chosen.length} checks failed: ${failed.join(', ')}`
    : `\nall ${chosen.length} checks passed`,
)
process.exitCode = failed.length ? 1 : 0
