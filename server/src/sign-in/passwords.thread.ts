// The thread that computes password hashes, one at a time. It runs at a lower priority than the requests of the API.

import { argon2Sync } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { HashRequest } from './passwords.ts'

const LOW_PRIORITY = 5

/** Linux schedules each thread by its own priority. Other systems keep the priority of the process. */
function lowerPriority(): void {
  try {
    const thread = /(\d+)$/.exec(readlinkSync('/proc/thread-self'))
    if (thread) setPriority(Number(thread[1]), LOW_PRIORITY)
  } catch {
    // The queue still bounds the work.
  }
}

lowerPriority()
parentPort?.on('message', ({ password, salt, memory, passes }: HashRequest) => {
  const hash = argon2Sync('argon2id', { message: password, nonce: salt, parallelism: 1, tagLength: 32, memory, passes })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of Node.js, not a window
  parentPort?.postMessage(new Uint8Array(hash))
})
