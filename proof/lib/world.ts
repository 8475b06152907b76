// Shared by all proofs: a separate database, API processes that can be stopped and killed, tenants and keys.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Scope, scopeNames, type TierName } from '@octavo/contract'
import { Octavo } from '@octavo/sdk'
import { type App, openApp } from '../../server/src/app.ts'
import { readConfig } from '../../server/src/config/config.ts'
import { operator } from '../../server/src/lib/caller.ts'
import { findUuid } from '../../server/src/lib/ids.ts'
import { createKey } from '../../server/src/resources/api-keys/api-keys.service.ts'
import { createTenant } from '../../server/src/tenants/tenants.service.ts'
import { TEST_SECRETS } from '../../server/src/testing/api.ts'
import { createDatabase, type TestDatabase } from '../../server/src/testing/database.ts'
import { freePort } from '../../server/src/testing/port.ts'
import type { Plant } from './proof.ts'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const API = 'server/src/bin/api.ts'
const WORKER = 'server/src/bin/worker.ts'
const SCRIPTED = fileURLToPath(new URL('./jobs-worker.ts', import.meta.url))
const PLANT = new URL('./plant.ts', import.meta.url).href

export interface ServerProcess {
  management_url: string
  pid: number
  process: ChildProcess
  /** SIGTERM, and wait for the end. */
  stop(): Promise<void>
  /** SIGKILL, and wait for the end. */
  kill(): Promise<void>
}

export interface ApiProcess extends ServerProcess {
  url: string
}

export interface WorldKey {
  id: string
  secret: string
  /** The SDK with this key on the first process that was started; `at` for another address. */
  client(at?: string, options?: { max_retries?: number; timeout_ms?: number }): Octavo
}

export interface World extends AsyncDisposable {
  database: TestDatabase
  env: Record<string, string>
  app: App
  /** With `BASE_URL` in `env`, the process belongs to an installation at this address. */
  startApi(env?: Record<string, string>, nodeFlags?: readonly string[]): Promise<ApiProcess>
  /** `onLog` hears its log. */
  startWorker(env?: Record<string, string>, onLog?: (line: string) => void): Promise<ServerProcess>
  /** A worker whose ingestion does what its payload says (scripts.ts). */
  startScriptedWorker(env?: Record<string, string>, onLog?: (line: string) => void): Promise<ServerProcess>
  newTenant(tier?: TierName): Promise<{ tenant: string; key: WorldKey }>
  newKey(
    tenant: string,
    key?: { scopes?: Scope[]; project_ids?: string[] | null; expires_at?: string },
  ): Promise<WorldKey>
  close(): Promise<void>
}

/** `env` applies to every process; each gets separate ports unless `env` sets them. `root`: the release that they run. */
export async function openWorld(
  plants: readonly Plant[] = [],
  extra: Record<string, string> = {},
  given: TestDatabase | null = null,
  root = ROOT,
): Promise<World> {
  const database = given ?? (await createDatabase())
  const env: Record<string, string> = {
    DATABASE_URL: database.app_url,
    DATABASE_SYSTEM_URL: database.system_url,
    DATABASE_OWNER_URL: database.owner_url,
    VALKEY_URL: process.env.VALKEY_URL ?? '',
    BASE_URL: 'http://127.0.0.1:1',
    OCTAVO_SECRETS: TEST_SECRETS,
    LOG_LEVEL: 'silent',
    DRAIN_MS: '200',
    FILES_DIR: join(tmpdir(), `octavo-files-${database.name}`),
    OCTAVO_PLANTS: JSON.stringify(plants),
    ...extra,
  }
  const app = openApp(readConfig(env))
  const running = new Set<ServerProcess>()
  let first_url = ''
  const keep = <P extends ServerProcess>(started: P): P => {
    running.add(started)
    started.process.once('exit', () => running.delete(started))
    return started
  }

  const newKey: World['newKey'] = async (tenant, key = {}) => {
    const input = {
      name: 'Proof',
      scopes: key.scopes ?? scopeNames,
      project_ids: (key.project_ids ?? null) as never,
      expires_at: key.expires_at ?? null,
    }
    const { id, secret } = await app.db.transaction(operator(findUuid('ten', tenant)!, scopeNames), (tx) =>
      createKey(tx, input),
    )
    return {
      id,
      secret,
      client: (at = first_url, options = {}) =>
        new Octavo({ base_url: at, api_key: secret, max_retries: 0, ...options }),
    }
  }

  const close = async (): Promise<void> => {
    await Promise.all([...running].map((started) => started.kill()))
    await app.close()
    await Promise.all([database.drop(), rm(env.FILES_DIR!, { recursive: true, force: true })])
  }

  return {
    database,
    env,
    app,
    newKey,
    async startApi(more = {}, nodeFlags = []) {
      const { BASE_URL: _, ...common } = env
      const started = await startApi(join(root, API), { ...common, ...more }, nodeFlags)
      first_url ||= started.url
      return keep(started)
    },
    startScriptedWorker: async (more = {}, onLog) =>
      keep(await startProcess({ program: SCRIPTED, ...(onLog ? { onLog } : {}) }, { ...env, ...more })),
    startWorker: async (more = {}, onLog) =>
      keep(await startProcess({ program: join(root, WORKER), ...(onLog ? { onLog } : {}) }, { ...env, ...more })),
    async newTenant(tier = 'self_hosted') {
      const { id } = await createTenant(app.system, 'Proof', tier)
      return { tenant: id, key: await newKey(id) }
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function startApi(
  program: string,
  env: Record<string, string>,
  nodeFlags: readonly string[],
): Promise<ApiProcess> {
  const port = Number(env.PORT ?? (await freePort()))
  const url = `http://127.0.0.1:${port}`
  const started = await startProcess(
    { program, nodeFlags, page: `${url}/errors` },
    { BASE_URL: url, ...env, PORT: String(port) },
  )
  return { ...started, url }
}

// An interrupted proof must still stop them.
const children = new Set<ChildProcess>()
process.once('exit', () => void [...children].map((child) => child.kill('SIGKILL')))

interface Program {
  program: string
  nodeFlags?: readonly string[]
  /** Must answer before the process counts as ready: a separate listener starts earlier than the main one. */
  page?: string
  onLog?: (line: string) => void
}

async function startProcess(
  { program, nodeFlags = [], page, onLog }: Program,
  env: Record<string, string>,
): Promise<ServerProcess> {
  const management_port = Number(env.MANAGEMENT_PORT ?? (await freePort()))
  const child = spawn(process.execPath, [...nodeFlags, '--import', PLANT, program], {
    env: { ...process.env, ...env, MANAGEMENT_PORT: String(management_port) },
    // The log is written, as in production, but discarded unless `onLog` is set.
    stdio: ['ignore', onLog ? 'pipe' : 'ignore', 'inherit'],
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  if (child.stdout && onLog) createInterface(child.stdout).on('line', onLog)
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }
  const started = {
    management_url: `http://127.0.0.1:${management_port}`,
    pid: child.pid!,
    process: child,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
  try {
    await waitUntilReady(started, page)
    return started
  } catch (error) {
    await started.kill()
    throw error
  }
}

/** Generous: several proofs may share a small machine. */
const READY_MS = 240_000

/** Reads the whole page: a connection with unread bytes is not closed when it becomes idle, and a later request fails. */
async function isShown(page: string): Promise<boolean> {
  const answer = await fetch(page)
  await answer.arrayBuffer()
  return answer.ok
}

async function waitUntilReady(
  { management_url, process: child }: ServerProcess,
  page: string | undefined,
): Promise<void> {
  for (const deadline = Date.now() + READY_MS; Date.now() < deadline; ) {
    if (child.exitCode !== null) throw new Error(`the process ended with ${child.exitCode}`)
    const isReady = await fetch(`${management_url}/readyz`)
      .then(
        (answer) => answer.ok && (page === undefined || isShown(page)),
        () => false,
      )
      .catch(() => false)
    if (isReady) return
    await sleep(50)
  }
  throw new Error('the process did not become ready in time')
}
