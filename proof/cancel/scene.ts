// Shared by the parts of the proof.

import { call, type ProofAnswer } from '../lib/call.ts'
import type { ProofRun } from '../lib/proof.ts'
import type { Random } from '../lib/random.ts'
import type { ApiProcess, ServerProcess, World, WorldKey } from '../lib/world.ts'

export interface CancelScene {
  run: ProofRun
  world: World
  tenant: string
  key: WorldKey
  api: ApiProcess
  workers: ServerProcess[]
  random: Random
}

export type Wish = 'cancel' | 'again' | 'delete'
const BODIES = { cancel: '{"status":"cancelled"}', again: '{"status":"queued"}', delete: null }

export function ask({ api, key }: Pick<CancelScene, 'api' | 'key'>, wish: Wish, job_id: string): Promise<ProofAnswer> {
  const method = wish === 'delete' ? 'DELETE' : 'PATCH'
  return call({ url: api.url, secret: key.secret }, { method, path: `/api/v1/jobs/${job_id}`, body: BODIES[wish] })
}
