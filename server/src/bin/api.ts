// The API process.

import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyListenOptions } from 'fastify'
import { buildApi } from '../api.ts'
import { openApp } from '../app.ts'
import { Authenticator } from '../auth/authenticator.ts'
import { readConfig } from '../config.ts'
import { openPool } from '../db/database.ts'
import { findMissingMigrations, refuseDangers } from '../db/guard.ts'
import { startSequencer } from '../events/sequencer.ts'
import { findTrouble, type Health, openManagement } from '../http/management.ts'
import { errorFields } from '../telemetry/log.ts'

const DRAIN_MS = 25_000

const config = readConfig()
const app = openApp(config)
await checkDatabase()

const authenticator = new Authenticator(app.db, config.database_direct_url, config.base_url)
const server = buildApi(app, authenticator)
const health: Health = { is_stopping: false }
if (config.is_health_on_main) serveHealth()
const management = openManagement(app, health)
const sequencer = startSequencer(app)
// Several processes may share the port, so that one can take over from another without a gap.
await server.listen({ port: config.port, host: config.host, reusePort: true } as FastifyListenOptions)
app.log.info('listening', { address: config.host, port: config.port })

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(signal))

async function checkDatabase(): Promise<void> {
  const pool = openPool(config.database_url, 1)
  try {
    const missing = await findMissingMigrations(pool).catch(() => ['all'])
    if (missing.length > 0) throw new Error(`The database lacks migrations (${missing.join(', ')}). Run: npm run migrate`)
    await refuseDangers(pool)
    await refuseDangers(app.system)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exit(1)
  } finally {
    await pool.end()
  }
}

function serveHealth(): void {
  server.get('/livez', () => ({ status: 'ok' }))
  server.get('/readyz', async (_, reply) => {
    const trouble = await findTrouble(app, health)
    return reply.code(trouble === null ? 200 : 503).send({ status: trouble === null ? 'ok' : 'unavailable' })
  })
}

/** Not ready, then serve on for a while with closing connections, so that balancers notice; then drain, then go. */
async function stop(reason: string): Promise<void> {
  app.log.info('stopping', { reason })
  health.is_stopping = true
  server.server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
  await sleep(config.drain_ms)
  const drained = server.close()
  await Promise.race([drained, sleep(DRAIN_MS)])
  management.close()
  await Promise.allSettled([sequencer.stop(), authenticator.close()])
  await app.close().catch((error: unknown) => app.log.warn('close failed', errorFields(error)))
  process.exit(0)
}
