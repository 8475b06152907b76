// The worker and all its children, as the system reports them: peak memory and scheduling priority.

import { childrenOf, fieldsOf, readProc } from '../lib/processes.ts'

const LOOK_MS = 50
const NICE = 10

export interface HostileWatchObservation {
  pid: number
  is_parser: boolean
  peak_mb: number
  nice: number
  looks: number
}

export interface HostileWatch {
  worker_mb: number
  children: ReadonlyMap<number, HostileWatchObservation>
  looks: number
  stop(): void
}

const peakOf = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+)/m.exec(readProc(`/proc/${pid}/status`))?.[1] ?? 0) / 1024
const niceOf = (pid: number): number => Number(fieldsOf(pid)[16] ?? 0)

export function watchWorker(pid: number): HostileWatch {
  const children = new Map<number, HostileWatchObservation>()
  const see = (child: number): void => {
    const command = readProc(`/proc/${child}/cmdline`)
    const is_parser = command.includes('extract/src/child.ts')
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

export const parsersOf = ({ children }: HostileWatch): HostileWatchObservation[] =>
  [...children.values()].filter(({ is_parser }) => is_parser)
/** A child is niced right after its start, and may be seen before. */
export const hurried = (watch: HostileWatch): HostileWatchObservation[] =>
  [...watch.children.values()].filter(({ nice, looks }) => nice < NICE && looks > 3)
export const isAlive = (pid: number): boolean => {
  const state = fieldsOf(pid)[0] ?? ''
  return state !== '' && state !== 'Z'
}
