// The worker and all its children, as the system sees them: how much memory they ever had, and how they stand in line for the processor.

import { readdirSync, readFileSync } from 'node:fs'

const LOOK_MS = 50
const NICE = 10

export interface Seen {
  pid: number
  is_parser: boolean
  peak_mb: number
  nice: number
  looks: number
}

export interface Watch {
  worker_mb: number
  children: ReadonlyMap<number, Seen>
  looks: number
  stop(): void
}

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    // It has ended meanwhile.
    return ''
  }
}
const peakOf = (pid: number): number => Number(/^VmHWM:\s+(\d+)/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) / 1024
/** The fields behind the name, which may hold blanks. */
const fieldsOf = (pid: number): string[] =>
  textOf(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')
const niceOf = (pid: number): number => Number(fieldsOf(pid)[16] ?? 0)

const childrenOf = (pid: number): number[] => {
  let tasks: string[] = []
  try {
    tasks = readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
  return tasks.flatMap((task) => textOf(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number))
}

export function watchWorker(pid: number): Watch {
  const children = new Map<number, Seen>()
  const see = (child: number): void => {
    const command = textOf(`/proc/${child}/cmdline`)
    const is_parser = command.includes('extract/child.ts')
    const before = children.get(child)
    // Until it runs our code it is still the process that starts it.
    const seen = {
      pid: child,
      is_parser: before?.is_parser || is_parser,
      peak_mb: Math.max(before?.peak_mb ?? 0, peakOf(child)),
      nice: niceOf(child),
      looks: (before?.looks ?? 0) + 1,
    }
    if (command !== '') children.set(child, seen)
    for (const below of childrenOf(child)) see(below)
  }
  const watch = { worker_mb: 0, children, looks: 0, stop: () => clearInterval(timer) }
  const look = (): void => {
    watch.worker_mb = Math.max(watch.worker_mb, peakOf(pid))
    for (const child of childrenOf(pid)) see(child)
    watch.looks++
  }
  const timer = setInterval(look, LOOK_MS)
  return watch
}

export const parsersOf = ({ children }: Watch): Seen[] => [...children.values()].filter(({ is_parser }) => is_parser)
/** A child is niced right after its start, and may be seen before. */
export const hurried = (watch: Watch): Seen[] => [...watch.children.values()].filter(({ nice, looks }) => nice < NICE && looks > 3)
export const isAlive = (pid: number): boolean => {
  const state = fieldsOf(pid)[0] ?? ''
  return state !== '' && state !== 'Z'
}
