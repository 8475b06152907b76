// A part of one core for one process: pinned with taskset, bounded by a cgroup (version 1 or 2). Needs root.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const exec = promisify(execFile)
/** A short period slows the process down evenly; a long one would pause it for most of a tenth of a second. */
const PERIOD_US = 10_000
const V1 = '/sys/fs/cgroup/cpu'
const V2 = '/sys/fs/cgroup'

export interface Quota {
  /** Share of the core; 1 is all of it. */
  set(share: number): Promise<void>
  /** After the end of the process. */
  remove(): Promise<void>
}

export async function pinToCore(pid: number, core: number): Promise<void> {
  if (availableParallelism() <= core) throw new Error('this proof needs two cores')
  await exec('taskset', ['--all-tasks', '--cpu-list', '--pid', String(core), String(pid)])
}

export async function openQuota(pid: number): Promise<Quota> {
  const isV1 = existsSync(join(V1, 'cpu.cfs_quota_us')) || existsSync(join(V1, 'cpu.shares'))
  const folder = join(isV1 ? V1 : V2, `octavo-proof-${pid}`)
  try {
    if (!isV1) await enableCpu()
    await mkdir(folder)
    if (isV1) await writeFile(join(folder, 'cpu.cfs_period_us'), String(PERIOD_US))
    await writeFile(join(folder, 'cgroup.procs'), String(pid))
  } catch (error) {
    throw new Error(
      'this proof bounds the CPU of a process by a cgroup, which needs root and a writable /sys/fs/cgroup',
      { cause: error },
    )
  }
  return {
    async set(share) {
      const quota = share >= 1 ? null : Math.round(share * PERIOD_US)
      if (isV1) await writeFile(join(folder, 'cpu.cfs_quota_us'), String(quota ?? -1))
      else await writeFile(join(folder, 'cpu.max'), `${quota ?? 'max'} ${PERIOD_US}`)
    },
    remove: () => rmdir(folder).catch(() => {}),
  }
}

async function enableCpu(): Promise<void> {
  const enabled = await readFile(join(V2, 'cgroup.subtree_control'), 'utf8')
  if (!enabled.split(/\s/).includes('cpu')) await writeFile(join(V2, 'cgroup.subtree_control'), '+cpu')
}
