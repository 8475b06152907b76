// What the parts of the proof share.

import { type Answer, call } from '../lib/call.ts'
import type { Run } from '../lib/proof.ts'
import type { Random } from '../lib/random.ts'
import type { ApiProcess, Key, ServerProcess, World } from '../lib/world.ts'

export interface Scene {
  run: Run
  world: World
  tenant: string
  key: Key
  api: ApiProcess
  workers: ServerProcess[]
  random: Random
}

export interface Part {
  figure: string
  /** Each in words; none when the promise holds. */
  findings: string[]
}

export type Wish = 'cancel' | 'again' | 'delete'
const BODIES = { cancel: '{"status":"cancelled"}', again: '{"status":"queued"}', delete: null }

export function ask({ api, key }: Pick<Scene, 'api' | 'key'>, wish: Wish, job_id: string): Promise<Answer> {
  const method = wish === 'delete' ? 'DELETE' : 'PATCH'
  return call({ url: api.url, secret: key.secret }, { method, path: `/api/v1/jobs/${job_id}`, body: BODIES[wish] })
}
