// k6 on the second core, with the mix of mix.k6.js.

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { LoadClass } from '@octavo/contract'
import { pythonTool } from '../lib/python.ts'
import { defer } from '../lib/scope.ts'

const exec = promisify(execFile)
const VERSION = '1.1.0'
const MIX = fileURLToPath(new URL('./mix.k6.js', import.meta.url))
const CLOSED_USERS = 12
/** Each waits for its answer, so that this is also how many seconds an answer may take on average. */
const USERS_PER_RATE = 0.5
const LEAD_SECONDS = 2
const CALM_SECONDS = 4
const SLOT_MS = 100
/** One slow answer among the calm ones is no overload any more. */
const FELT_SHARE = 0.1

export interface OverloadLoad {
  url: string
  key: string
  document: string
  say: (line: string) => void
}

export interface OverloadCounts {
  seconds: number
  accepted: Record<LoadClass, number>
  p95_ms: number
  shed: number
  /** The median time to a refusal. */
  shed_ms: number
  /** Requests that k6 could not send in time. */
  dropped: number
  /** Requests without an answer. */
  broken: number
  wrong: number
  /** How long after the overload requests were still refused, lost or slow. */
  recovery_ms: number
}

type OverloadFigures = Record<string, Record<string, number> | undefined>

async function runK6(load: OverloadLoad, settings: Record<string, number | string>): Promise<OverloadFigures> {
  const program = await pythonTool('k6', VERSION, load.say)
  const folder = await mkdtemp(join(tmpdir(), 'octavo-k6-'))
  await using _rm = defer(() => rm(folder, { recursive: true, force: true }))
  const { PATH, HOME } = process.env
  const env: Record<string, string | undefined> = { PATH, HOME, URL: load.url, KEY: load.key, DOCUMENT: load.document }
  for (const [name, value] of Object.entries(settings)) env[name] = String(value)
  env.SUMMARY = join(folder, 'summary.json')
  // Its own warnings of too few users are in the figure of dropped iterations.
  await exec('taskset', ['--cpu-list', '1', program, 'run', '--quiet', '--no-usage-report', MIX], {
    env,
    maxBuffer: 1 << 28,
  })
  return JSON.parse(await readFile(env.SUMMARY, 'utf8')) as OverloadFigures
}

function countsOf(figures: OverloadFigures, seconds: number): OverloadCounts {
  const count = (name: string): number => figures[name]?.count ?? 0
  return {
    seconds,
    accepted: { read: count('read'), list: count('list'), write: count('write') },
    p95_ms: figures.accepted_ms?.['p(95)'] ?? Number.POSITIVE_INFINITY,
    shed: count('shed'),
    shed_ms: figures.shed_ms?.med ?? 0,
    dropped: count('dropped_iterations'),
    broken: count('broken'),
    wrong: count('wrong'),
    recovery_ms: recoveryOf(count),
  }
}

function recoveryOf(count: (name: string) => number): number {
  for (let slot = (CALM_SECONDS * 1000) / SLOT_MS - 1; slot >= 0; slot--) {
    if (count(`felt_${slot}`) > count(`asked_${slot}`) * FELT_SHARE) return (slot + 1) * SLOT_MS
  }
  return 0
}

/** As many requests as are answered: a few users, each waiting for its answer. */
export async function closedLoop(
  load: OverloadLoad & { seconds: number; only?: LoadClass | undefined },
): Promise<OverloadCounts> {
  return countsOf(await runK6(load, { VUS: CLOSED_USERS, SECONDS: load.seconds, ONLY: load.only ?? '' }), load.seconds)
}

/** As many requests as are named, whatever the answers; then a calm load, to see how long it is felt. */
export async function overload(
  load: OverloadLoad & { seconds: number; rate: number; calm_rate: number },
): Promise<OverloadCounts> {
  const { seconds, rate, calm_rate } = load
  const settings = {
    SECONDS: seconds,
    RATE: rate,
    VUS: Math.round(rate * USERS_PER_RATE),
    CALM_RATE: calm_rate,
    LEAD_SECONDS,
    CALM_SECONDS,
  }
  return countsOf(await runK6(load, settings), seconds)
}
