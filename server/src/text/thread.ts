// One thread for text work that would block the event loop: a long text, or tables that are slow to load. It starts with
// the first call and does not keep the process alive.

import { Worker } from 'node:worker_threads'
import { toError } from '@octavo/base/unknown.ts'
import { callExported } from './call-exported.ts'

interface Answer {
  id: number
  result?: unknown
  error?: string
}
interface Waiting {
  resolve(result: unknown): void
  reject(error: Error): void
}

const MAX_HEAP_MB = 512
let isInline = false
let worker: Worker | null = null
let calls = 0
const waiting = new Map<number, Waiting>()

/** For a process that serves no requests: calls run in its main thread, because a second heap takes memory. */
export const runInline = (): void => void (isInline = true)

/** `name`: a function that the module exports. Arguments and result are copied, so they must be plain data. */
export function inThread<F extends (...values: never[]) => unknown>(
  module: URL,
  name: string,
): (...values: Parameters<F>) => Promise<Awaited<ReturnType<F>>>
export function inThread(module: URL, name: string): (...values: unknown[]) => Promise<unknown> {
  return (...values) => {
    if (isInline) return callExported(module.href, name, values)
    return new Promise((resolve, reject) => {
      const id = ++calls
      waiting.set(id, { resolve, reject })
      const thread = (worker ??= startWorker())
      thread.ref()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      thread.postMessage({ id, module: module.href, name, values })
    })
  }
}

function startWorker(): Worker {
  const started = new Worker(new URL('./thread-main.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
  started.on('message', ({ id, result, error }: Answer) => {
    const call = waiting.get(id)
    waiting.delete(id)
    if (waiting.size === 0) started.unref()
    if (error === undefined) call?.resolve(result)
    else call?.reject(new Error(error))
  })
  // A thread ends only by a fault, such as a full heap. The next call starts another one.
  const fail = (error: unknown): void => {
    if (worker !== started) return
    worker = null
    const lost = [...waiting.values()]
    waiting.clear()
    for (const call of lost) call.reject(toError(error))
  }
  started.on('error', fail)
  started.on('exit', () => fail(new Error('the text thread ended')))
  return started
}
