// The sandbox level that parsers and OCR of this installation get.

import { setTimeout as sleep } from 'node:timers/promises'
import { detectLevel } from './detect.ts'
import type { DetectedLevel } from './levels.ts'
import { readRemoteLevel } from './remote.ts'

const RETRY_MS = 500

/** `socket`: that of an extract process, which has `wait_ms` to come up; null: programs start on this machine. */
export async function findActiveLevel(socket: string | null, wait_ms = 0): Promise<DetectedLevel> {
  if (socket === null) return detectLevel()
  for (const until = Date.now() + wait_ms; ; await sleep(RETRY_MS)) {
    try {
      return await readRemoteLevel(socket)
    } catch (error) {
      if (Date.now() >= until) throw error
    }
  }
}
