// This machine's clock against those that it works with: signed addresses, leases and expiry depend on it.

import { firstOf } from '@octavo/base/required.ts'
import type { Installation } from './connections.ts'
import { type Check, type Finding, failed, ok, skipped, warning } from './finding.ts'
import { lacking } from './settings.ts'

const WARN_SECONDS = 5
const FAIL_SECONDS = 60
const TIMEOUT_MS = 5_000

export function clockChecks(installation: Installation): Check[] {
  return [{ name: 'clock', run: () => look(installation) }]
}

interface ClockReading {
  whose: string
  /** How far it is ahead of this machine's. */
  ahead_seconds: number
}

async function look(installation: Installation): Promise<Finding> {
  const readings = (await Promise.all([readDatabase(installation), readStore(installation)])).filter(
    (reading) => reading !== null,
  )
  return judge(readings)
}

export function judge(readings: readonly ClockReading[]): Finding {
  const [worst] = readings.toSorted((a, b) => Math.abs(b.ahead_seconds) - Math.abs(a.ahead_seconds))
  if (!worst) return skipped('Skipped: no other clock is available for comparison.')
  const off = Math.abs(worst.ahead_seconds)
  if (off <= WARN_SECONDS)
    return ok(
      `It agrees with the clock of ${readings.map(({ whose }) => whose).join(' and ')} within ${WARN_SECONDS} s.`,
    )
  const says = `This machine's clock is ${inWords(off)} ${worst.ahead_seconds > 0 ? 'behind' : 'ahead of'} the clock of ${worst.whose}.`
  const remedy = 'Find out which clock is wrong and synchronize it with a time server. On Linux with systemd:'
  const commands = ['timedatectl set-ntp true', 'timedatectl status']
  if (off <= FAIL_SECONDS) return warning(says, remedy, ...commands)
  return failed(
    `${says} Signed URLs are rejected or valid for too long, and leases end at the wrong time.`,
    remedy,
    ...commands,
  )
}

const inWords = (seconds: number): string => {
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)} minutes`
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} hours` : `${Math.round(seconds / 86_400)} days`
}

/**
 * The clock difference in seconds that is certain: the remote clock was read at some time between request and response.
 */
export function aheadOf(told: number, asked: number, answered: number): number {
  if (told > answered) return (told - answered) / 1000
  return told < asked ? (told - asked) / 1000 : 0
}

async function readDatabase({ connections }: Installation): Promise<ClockReading | null> {
  const pool = await connections.any()
  if (!pool) return null
  const began = Date.now()
  const { rows } = await pool.query<{ ms: number }>('select extract(epoch from clock_timestamp())::float8 * 1000 as ms')
  return { whose: 'the database', ahead_seconds: aheadOf(firstOf(rows).ms, began, Date.now()) }
}

/** Any answer of the store has its time, to the second; also one that refuses. */
async function readStore(installation: Installation): Promise<ClockReading | null> {
  const { s3 } = installation.config.files
  if (!s3 || lacking(installation, 'S3_ENDPOINT')) return null
  const url = s3.endpoint ?? `https://s3.${s3.region}.amazonaws.com`
  const began = Date.now()
  try {
    const { headers } = await fetch(url, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const told = Date.parse(headers.get('date') ?? '')
    // Half of the second that the header leaves out.
    return Number.isNaN(told)
      ? null
      : { whose: 'the object storage', ahead_seconds: aheadOf(told + 500, began, Date.now()) }
  } catch {
    // Whether it can be reached is another check's matter.
    return null
  }
}
