// Compares openapi.json with the last release and with origin/main, and fails on what would break a client.
// oasdiff.severity raises what oasdiff only warns of, such as a removed optional member, to what we call breaking.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const MODULE = 'github.com/oasdiff/oasdiff@v1.21.0'
const root = join(import.meta.dirname, '..')
const cache = join(root, 'node_modules/.cache/octavo/bin')
const runs = (program: string, ...args: string[]) =>
  spawnSync(program, args, { stdio: 'ignore', cwd: root }).status === 0

/** The program on PATH, or one that is built once and kept. */
function findOasdiff(): string {
  const built = join(cache, 'oasdiff')
  if (runs('oasdiff', '--version')) return 'oasdiff'
  if (existsSync(built)) return built
  if (!runs('go', 'version')) {
    throw new Error(
      `oasdiff is needed to compare the API with its last release. Put it on PATH, or install Go (it then builds ${MODULE}).`,
    )
  }
  console.error(`building ${MODULE} (once, about a minute)`)
  const { status } = spawnSync('go', ['install', MODULE], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, GOBIN: cache },
  })
  if (status !== 0) throw new Error(`go install ${MODULE} failed. Put oasdiff on PATH and try again.`)
  return built
}

/** `base` and `revision` are files; `base` may also be a git reference such as `origin/main:openapi.json`. */
export function findBreakingChanges(base: string, revision: string): { is_breaking: boolean; report: string } {
  const limits = ['--fail-on', 'ERR', '--deprecation-days-stable', '365', '--deprecation-days-beta', '180']
  const args = [
    'breaking',
    base,
    revision,
    ...limits,
    '--severity-levels',
    join(import.meta.dirname, 'oasdiff.severity'),
  ]
  const { status, stdout, stderr } = spawnSync(findOasdiff(), args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, OASDIFF_NO_TELEMETRY: '1' },
  })
  if (status !== 0 && status !== 1) throw new Error(`oasdiff could not compare ${base} with ${revision}: ${stderr}`)
  return { is_breaking: status === 1, report: stdout.trim() }
}

function compareAll(): void {
  if (!existsSync(join(root, 'contract/released.json'))) {
    console.log('no release yet: the interface may still change')
    return
  }
  const bases = ['contract/released.json', 'origin/main:openapi.json']
  for (const base of bases.filter((one) => existsSync(join(root, one)) || runs('git', 'cat-file', '-e', one))) {
    const { is_breaking, report } = findBreakingChanges(base, 'openapi.json')
    console.log(
      is_breaking ? `openapi.json breaks clients of ${base}:\n${report}` : `openapi.json breaks no client of ${base}`,
    )
    if (is_breaking) process.exitCode = 1
  }
}

if (import.meta.main) compareAll()
