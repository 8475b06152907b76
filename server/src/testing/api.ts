// The API for stories: the real server on the real engines in this process, spoken to through the SDK.

import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type Scope, scopeNames, type TierName } from '@octavo/contract'
import { Octavo } from '@octavo/sdk'
import type { FastifyInstance } from 'fastify'
import { buildApi } from '../api.ts'
import { type App, openApp } from '../app.ts'
import { Authenticator } from '../auth/authenticator.ts'
import { readConfig } from '../config/config.ts'
import { startSequencer } from '../events/sequencer.ts'
import { operator } from '../lib/caller.ts'
import { findUuid } from '../lib/ids.ts'
import { createKey } from '../resources/api-keys/api-keys.service.ts'
import { openLog } from '../telemetry/log.ts'
import { createTenant } from '../tenants/tenants.service.ts'
import { startWorker } from '../worker.ts'
import { watchAnswers } from './answers.ts'
import { createDatabase, type TestDatabase } from './database.ts'
import { freePort } from './port.ts'

export const TEST_SECRETS = `1:${'5a'.repeat(32)}`

export interface TestApi {
  url: string
  app: App
  server: FastifyInstance
  database: TestDatabase
  /** A key of one tenant with every scope. */
  owner: Octavo
  owner_key: string
  owner_tenant: string
  /** The same of another tenant. */
  otherTenant: Octavo
  other_tenant_key: string
  newTenant: (tier?: TierName) => Promise<{ tenant: string; secret: string; client: Octavo }>
  newKey: (
    tenant: string,
    key?: { scopes?: Scope[]; project_ids?: string[] | null; expires_at?: string },
  ) => Promise<{ id: string; secret: string; client: Octavo }>
}

/** Jobs run in this process and the clients wait for them, unless `hasWorker` is false. `env` replaces settings and may look at the database, `onLog` hears the log; retries are off, so that a test sees the first answer. */
export async function startApi(
  t: TestContext | { after(end: () => Promise<void>): void },
  env:
    | Record<string, string>
    | ((database: TestDatabase) => Record<string, string> | Promise<Record<string, string>>) = {},
  onLog?: (line: string) => void,
  hasWorker = true,
): Promise<TestApi> {
  const database = await createDatabase()
  const port = await freePort()
  const settings = typeof env === 'function' ? await env(database) : env
  const config = readConfig({
    DATABASE_URL: database.app_url,
    DATABASE_SYSTEM_URL: database.system_url,
    VALKEY_URL: process.env.VALKEY_URL,
    // On a busy machine it can be late: the process would count by itself, from the beginning.
    VALKEY_TIMEOUT_MS: '5000',
    BASE_URL: `http://${settings['HOST'] ?? '127.0.0.1'}:${port}`,
    FILES_DIR: join(tmpdir(), `octavo-files-${database.name}`),
    OCTAVO_SECRETS: TEST_SECRETS,
    LOG_LEVEL: 'silent',
    DATABASE_POOL: '8',
    DRAIN_MS: '1000',
    PATH: process.env.PATH,
    ...settings,
  })
  const app = openApp(config, openLog(config.log_level, onLog))
  const authenticator = new Authenticator(app.db, config)
  const server = buildApi(app, authenticator)
  const assertAnswers = watchAnswers(server)
  const sequencer = startSequencer(app)
  const worker = hasWorker ? await startWorker(app) : null
  const url = await server.listen({ port, host: '127.0.0.1' })
  t.after(async () => {
    const closed = server.close()
    // A client that has not read its answer, or that failed half-way, must not hold up the end of a test.
    server.server.closeAllConnections()
    await Promise.all([closed, sequencer.stop(), authenticator.close(), worker?.stop()])
    await app.close()
    await Promise.all([database.drop(), rm(config.files.dir, { recursive: true, force: true })])
    assertAnswers()
  })

  const clientOf = (secret: string): Octavo =>
    new Octavo({ base_url: url, api_key: secret, max_retries: 0, wait_seconds: hasWorker ? 10 : 0 })
  const newKey: TestApi['newKey'] = async (tenant, key = {}) => {
    const input = {
      name: 'Test',
      scopes: key.scopes ?? scopeNames,
      project_ids: (key.project_ids ?? null) as never,
      expires_at: key.expires_at ?? null,
    }
    const { id, secret } = await app.db.transaction(operator(findUuid('ten', tenant)!, scopeNames), (tx) =>
      createKey(tx, input),
    )
    return { id, secret, client: clientOf(secret) }
  }
  const newTenant: TestApi['newTenant'] = async (tier = 'self_hosted') => {
    const { id } = await createTenant(app.system, 'Test', tier)
    const { secret, client } = await newKey(id)
    return { tenant: id, secret, client }
  }
  const [owner, otherTenant] = await Promise.all([newTenant(), newTenant()])
  return {
    url,
    app,
    server,
    database,
    newTenant,
    newKey,
    owner: owner.client,
    owner_key: owner.secret,
    owner_tenant: owner.tenant,
    otherTenant: otherTenant.client,
    other_tenant_key: otherTenant.secret,
  }
}
