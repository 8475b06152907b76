// The API process.

import { setTimeout as sleep } from 'node:timers/promises'
import { buildApi } from '../api.ts'
import { openApp } from '../app.ts'
import { Authenticator } from '../auth/authenticator.ts'
import { readConfigOrExit } from '../config.ts'
import { openPool } from '../db/database.ts'
import { isPassing } from '../db/errors.ts'
import { findMissingMigrations, refuseDangers } from '../db/guard.ts'
import { startSequencer } from '../events/sequencer.ts'
import { listen } from '../http/listeners.ts'
import { findTrouble, type Health, openManagement } from '../http/management.ts'
import { errorFields } from '../telemetry/log.ts'

const DRAIN_MS = 25_000

const config = readConfigOrExit()
const app = openApp(config)
await checkDatabase()

const authenticator = new Authenticator(app.db, config.database_direct_url, config.base_url)
const server = buildApi(app, authenticator)
const health: Health = { is_stopping: false }
if (config.is_health_on_main) serveHealth()
const management = openManagement(app, health)
const sequencer = startSequencer(app)
const listeners = await listen(server, config.port, config.host)
app.log.info('listening', { address: config.host, port: config.port })

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(signal))

async function checkDatabase(): Promise<void> {
  const pool = openPool(config.database_url, 1)
  try {
    const missing = await findMissingMigrations(pool)
    if (missing.length > 0) throw new Error(`The database lacks migrations (${missing.join(', ')}). Run: npm run migrate`)
    await refuseDangers(pool)
    await refuseDangers(app.system)
  } catch (error) {
    const { message, code } = error as Error & { code?: string }
    process.stderr.write(isPassing(error) ? `The database cannot be reached: ${message || code}\n` : `${message}\n`)
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
  const drained = listeners.close()
  await Promise.race([drained, sleep(DRAIN_MS)])
  management.close()
  await Promise.allSettled([sequencer.stop(), authenticator.close()])
  await app.close().catch((error: unknown) => app.log.warn('close failed', errorFields(error)))
  process.exit(0)
}
