// A closed loop against one address, for ratios within one run. wrk is a Debian package (`apt-get install wrk`).

import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const exec = promisify(execFile)

export interface Load {
  url: string
  headers?: Record<string, string>
  /** Lua that defines `request`, for bodies and keys. */
  script?: string
  seconds: number
  connections?: number
}

export interface WrkLoadResult {
  per_second: number
  median_ms: number
  errors: number
}

/** Pinned to the second core: the server under test has the first. */
export async function runWrk({ url, headers = {}, script, seconds, connections = 16 }: Load): Promise<WrkLoadResult> {
  const flags = ['-c', '1', 'wrk', '-t1', `-c${connections}`, `-d${seconds}s`, '--latency']
  for (const [name, value] of Object.entries(headers)) flags.push('-H', `${name}: ${value}`)
  const report = `done = function(summary, latency) local e = summary.errors
    io.write(string.format("RESULT %d %d %d %d\\n", summary.requests, summary.duration, latency:percentile(50), e.connect + e.read + e.write + e.status + e.timeout)) end\n`
  const file = join(tmpdir(), `octavo-wrk-${process.pid}.lua`)
  await writeFile(file, `${script ?? ''}\n${report}`)
  const { stdout } = await exec('taskset', [...flags, '-s', file, url])
  const [, requests, duration_us, median_us, errors] = /RESULT (\d+) (\d+) (\d+) (\d+)/.exec(stdout) ?? []
  if (requests === undefined) throw new Error(`wrk gave no result:\n${stdout}`)
  return {
    per_second: Number(requests) / (Number(duration_us) / 1e6),
    median_ms: Number(median_us) / 1000,
    errors: Number(errors),
  }
}
