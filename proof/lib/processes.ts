// Processes as Linux shows them.

import { readdirSync, readFileSync } from 'node:fs'

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    // It has ended meanwhile.
    return ''
  }
}

/** The fields behind the name, which may hold blanks. */
const fieldsOf = (pid: number): string[] =>
  textOf(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')

/** Resident memory, in MiB. */
export const residentOf = (pid: number): number => Number(/^VmRSS:\s+(\d+)/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) / 1024

export function childrenOf(pid: number): number[] {
  let tasks: string[] = []
  try {
    tasks = readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
  return tasks.flatMap((task) => textOf(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number))
}

export const isAlive = (pid: number): boolean => {
  const state = fieldsOf(pid)[0] ?? ''
  return state !== '' && state !== 'Z'
}

/** How the kernel counts processor time for everybody (USER_HZ). */
const TICKS_A_SECOND = 100

/** Milliseconds of processor that it used, with all its children that have ended. */
export const cpuWithChildrenOf = (pid: number): number =>
  (fieldsOf(pid)
    .slice(11, 15)
    .reduce((sum, ticks) => sum + Number(ticks), 0) *
    1000) /
  TICKS_A_SECOND
