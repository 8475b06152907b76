// The packages that a running API process has loaded once it has answered one of each kind of request.

import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '@octavo/contract'
import { fillPath, makeBelongings, paramsOf, post } from '../lib/belongings.ts'
import { call, type ProofCaller } from '../lib/call.ts'
import type { Plant } from '../lib/proof.ts'
import { defer } from '../lib/scope.ts'
import { type Driver, openStore } from '../lib/stores.ts'
import { openWorld } from '../lib/world.ts'

interface ImageLoadResult {
  packages: string[]
  /** Operations that were answered as they should be, of all. */
  answered: number
}

const RECORDER = new URL('./recorder.ts', import.meta.url).href

export async function countLoaded(driver: Driver, plants: readonly Plant[]): Promise<ImageLoadResult> {
  const store = openStore(driver)
  await using _store = defer(() => store.removeAll())
  const file = join(tmpdir(), `octavo-loaded-${process.pid}-${driver}`)
  await using _rmSync = defer(() => rmSync(file, { force: true }))
  await using world = await openWorld(plants, { ...store.env, RATE_LIMITS: 'off', OCTAVO_LOADED: file })
  const api = await world.startApi({}, ['--import', RECORDER])
  await world.startWorker()
  const { key } = await world.newTenant()
  const answered = await callAll({ url: api.url, secret: key.secret })
  rmSync(file, { force: true })
  api.process.kill('SIGUSR2')
  return { packages: await readWhenThere(file), answered }
}

/** Creates resources, then reads, changes and finally deletes them. */
export async function callAll(caller: ProofCaller): Promise<number> {
  const owned = await makeBelongings(caller, { mark: 'image', refs: {} })
  const answered = new Set<string>(Object.keys(owned.keyed))
  const order = ['GET', 'POST', 'PATCH', 'DELETE']
  for (const operation of operations.toSorted(
    (a, b) => order.indexOf(a.endpoint.method) - order.indexOf(b.endpoint.method),
  )) {
    const { name, endpoint } = operation
    if (answered.has(name) || !paramsOf(endpoint).every((param) => param in owned.ids)) continue
    const is_answered =
      endpoint.method === 'POST'
        ? await post(caller, operation, owned, { mark: 'image', refs: {} }).then(
            () => true,
            () => false,
          )
        : (
            await call(caller, {
              method: endpoint.method,
              path: fillPath(endpoint, owned.ids),
              ...bodyOf(endpoint.method),
            })
          ).status < 400
    if (is_answered) answered.add(name)
  }
  return answered.size
}

const bodyOf = (method: string): { body?: string; headers?: Record<string, string> } =>
  method === 'PATCH' ? { body: '{"metadata":{}}', headers: { 'content-type': 'application/merge-patch+json' } } : {}

async function readWhenThere(file: string): Promise<string[]> {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; await sleep(100)) {
    try {
      return readFileSync(file, 'utf8').split('\n')
    } catch {
      // The process has not written it yet.
    }
  }
  throw new Error('The API process did not say what it has loaded.')
}
