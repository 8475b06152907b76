// Starts an adapter as a process.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../server/src/testing/port.ts'

interface AdapterAnswer {
  status: number
  body: unknown
}

export interface AdapterProcess {
  /** Sends a GET, or a POST if there is a body. */
  ask: (path: string, body?: unknown, key?: string) => Promise<AdapterAnswer>
  stop: () => void
}

/** `owner_key` is sent unless a request has another key. */
export async function startAdapterProcess(name: string, url: string, owner_key: string): Promise<AdapterProcess> {
  const port = await freePort()
  const child = spawn(process.execPath, [join(import.meta.dirname, name, 'server.ts')], {
    env: { PATH: process.env['PATH'], OCTAVO_URL: url, PORT: `${port}` },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const stop = (): void => void child.kill()
  const ask: AdapterProcess['ask'] = async (path, body, key = owner_key) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
  for (const until = Date.now() + 60_000; Date.now() < until; await sleep(100)) {
    const isReady = await ask('/').then(
      () => true,
      () => false,
    )
    if (isReady) return { ask, stop }
  }
  stop()
  throw new Error(`${name} did not start.`)
}
