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

export function childrenOf(pid: number): number[] {
  let tasks: string[] = []
  try {
    tasks = readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
  return tasks.flatMap((task) => readProc(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number))
}

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
/** The same, with all its children that have ended. */
export const cpuWithChildrenOf = (pid: number): number => millisecondsOf(fieldsOf(pid).slice(11, 15))
