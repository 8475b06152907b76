// Processes as Linux shows them.

import { readdirSync, readFileSync } from 'node:fs'

/** A file below /proc; empty when its process has ended. */
export const readProc = (path: string): string => {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

/** The fields behind the name, which may hold blanks. */
export const fieldsOf = (pid: number): string[] =>
  readProc(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')

/** Resident memory, in MiB. */
export const residentOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readProc(`/proc/${pid}/status`))?.[1] ?? 0) / 1024

function tasksOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

export const childrenOf = (pid: number): number[] =>
  tasksOf(pid).flatMap((task) => readProc(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number))
/** Without those of `except` and anything below them. */
export const descendantsOf = (pid: number, except: readonly number[] = []): number[] =>
  childrenOf(pid)
    .filter((child) => !except.includes(child))
    .flatMap((child) => [child, ...descendantsOf(child, except)])

export const isAlive = (pid: number): boolean => {
  const state = fieldsOf(pid)[0] ?? ''
  return state !== '' && state !== 'Z'
}

/** How the kernel counts processor time for everybody (USER_HZ). */
const TICKS_A_SECOND = 100
const millisecondsOf = (ticks: readonly string[]): number =>
  (ticks.reduce((sum, one) => sum + Number(one), 0) * 1000) / TICKS_A_SECOND

/** Milliseconds of processor that it used; 0 when it is gone. */
export const cpuOf = (pid: number): number => millisecondsOf(fieldsOf(pid).slice(11, 13))
const cpuOfEndedChildren = (pid: number): number => millisecondsOf(fieldsOf(pid).slice(13, 15))
/** The same, with all its children that have ended. */
export const cpuWithChildrenOf = (pid: number): number => cpuOf(pid) + cpuOfEndedChildren(pid)
/** Milliseconds of a process and everything below it, also of children that have ended. */
export const treeCpuOf = (pid: number): number =>
  [pid, ...descendantsOf(pid)].reduce((sum, one) => sum + cpuWithChildrenOf(one), 0)

/** CPU time of a process by its threads, to the nanosecond, and by ticks, which also count threads that have ended. */
interface ProcessTimes {
  ms: number
  ended_children_ms: number
  threads: ReadonlyMap<string, number>
}
export type CpuReading = ReadonlyMap<number, ProcessTimes>

const threadsOf = (pid: number) =>
  tasksOf(pid).map((task) => [task, Number(readProc(`/proc/${pid}/task/${task}/schedstat`).split(' ')[0])] as const)

export function readCpu(pids: readonly number[]): CpuReading {
  return new Map(
    pids.map((pid) => [
      pid,
      { ms: cpuOf(pid), ended_children_ms: cpuOfEndedChildren(pid), threads: new Map(threadsOf(pid)) },
    ]),
  )
}

/** Milliseconds that the processes of `after` used since `before`; new ones start from zero. */
export function cpuBetween(before: CpuReading, after: CpuReading): number {
  let used = 0
  for (const [pid, now] of after) {
    const then = before.get(pid)
    const hasAllThreads = then === undefined || [...then.threads.keys()].every((thread) => now.threads.has(thread))
    for (const [thread, ns] of now.threads) if (hasAllThreads) used += (ns - (then?.threads.get(thread) ?? 0)) / 1e6
    if (!hasAllThreads) used += now.ms - then.ms
    used += now.ended_children_ms - (then?.ended_children_ms ?? 0)
  }
  return used
}
