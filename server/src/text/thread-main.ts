import { parentPort } from 'node:worker_threads'
import { messageOf, recordOf } from '../lib/unknown.ts'

interface Call {
  id: number
  module: string
  name: string
  values: unknown[]
}

function answer(value: { id: number; result?: unknown; error?: string }): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of Node.js, not a window
  parentPort?.postMessage(value)
}

parentPort?.on('message', ({ id, module, name, values }: Call) => {
  run(module, name, values).then(
    (result) => answer({ id, result }),
    (error: unknown) => answer({ id, error: messageOf(error) }),
  )
})

async function run(module: string, name: string, values: unknown[]): Promise<unknown> {
  const exported: unknown = await import(module)
  const called = recordOf(exported)[name]
  if (!isCallable(called)) throw new Error(`${module} exports no function '${name}'`)
  return called(...values)
}

const isCallable = (value: unknown): value is (...values: unknown[]) => unknown => typeof value === 'function'
