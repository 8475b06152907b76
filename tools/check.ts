// Every check that needs no running server, one line each; all of them run, the failures are listed at the end.
// `npm run check -- types lint` runs only these. `npm run check -- --changed` is for the time between two commits: it
// checks the changed files and compiles their projects, without the proofs.

import { spawnSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { listChanged, projectsOf } from './changed.ts'

const root = join(import.meta.dirname, '..')

type Step = readonly [name: string, program: string, ...args: string[]]
const all: readonly Step[] = [
  ['types', 'tsc', '-b', 'tsconfig.build.json'],
  ['lint', 'oxlint', '--type-aware', '--deny-warnings'],
  ['format', 'biome', 'check', '--error-on-warnings'],
  ['architecture', 'node', 'tools/architecture.ts'],
  ['words', 'node', 'tools/words.ts'],
  ['assertions', 'node', 'tools/assertions.ts'],
  ['unused', 'knip', '--no-progress'],
  ['openapi', 'node', 'tools/openapi.ts', '--check'],
  ['openapi-rules', 'redocly', 'lint', 'octavo', 'slim'],
  ['breaking', 'node', 'tools/oasdiff.ts'],
  ['schema-rules', 'node', 'tools/schema-rules.ts'],
  ['licenses', 'node', 'tools/licenses.ts', '--check'],
  ['migrations', 'node', 'tools/migrations.ts'],
]

const env = {
  ...process.env,
  PATH: [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
  NO_COLOR: '1',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
}

/** Prints one line, and what the program said if it failed. */
function passes([name, program, ...args]: Step): boolean {
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

/** The cheap checks as they are; types, lint and format only for what changed. */
function stepsOfChanges(): Step[] {
  const files = listChanged(root)
  const sources = files.filter((file) => file.endsWith('.ts'))
  const projects = projectsOf(sources)
  return all.flatMap((step): Step[] => {
    const [name, program, ...args] = step
    if (name === 'types') return projects.length ? [[name, program, '-b', ...projects]] : []
    if (name === 'lint') return sources.length ? [[name, program, ...args, ...sources]] : []
    if (name === 'format')
      return files.length
        ? [[name, program, ...args, '--no-errors-on-unmatched', '--files-ignore-unknown=true', ...files]]
        : []
    return name === 'architecture' || name === 'words' ? [step] : []
  })
}

const given = process.argv.slice(2)
const steps = given.includes('--changed') ? stepsOfChanges() : all
const wanted = given.filter((word) => word !== '--changed')
const unknown = wanted.filter((name) => !all.some(([known]) => known === name))
if (unknown.length)
  throw new Error(`No check is called ${unknown.join(', ')}. There are ${all.map(([name]) => name).join(', ')}.`)

const chosen = steps.filter(([name]) => wanted.length === 0 || wanted.includes(name))
const failed = chosen.filter((step) => !passes(step)).map(([name]) => name)
console.log(
  failed.length
    ? `\n${failed.length} of ${chosen.length} checks failed: ${failed.join(', ')}`
    : `\nall ${chosen.length} checks passed`,
)
process.exitCode = failed.length ? 1 : 0
