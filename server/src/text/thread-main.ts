import { parentPort } from 'node:worker_threads'
import { messageOf } from '@octavo/base/unknown.ts'
import { callExported } from './call-exported.ts'

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
  callExported(module, name, values).then(
    (result) => answer({ id, result }),
    (error: unknown) => answer({ id, error: messageOf(error) }),
  )
})
