// The API process.

import { setTimeout as sleep } from 'node:timers/promises'
import { buildApi } from '../api.ts'
import { openApp } from '../app.ts'
import { Authenticator } from '../auth/authenticator.ts'
import { readConfigOrExit } from '../config.ts'
import { openPool } from '../db/database.ts'
import { isPassing } from '../db/errors.ts'
import { findMissingMigrations, refuseDangers } from '../db/guard.ts'
import { keepUp } from '../db/upkeep.ts'
import { startSequencer } from '../events/sequencer.ts'
import { listen } from '../http/listeners.ts'
import { answerProbe, type Health, openManagement, PROBES } from '../http/management.ts'
import { startLoop } from '../lib/loop.ts'
import { errorFields } from '../telemetry/log.ts'

/** How long requests that are under way may take to finish once nothing new is accepted. */
const FINISH_MS = 25_000

const config = readConfigOrExit()
const app = openApp(config)
await checkDatabase()

const authenticator = new Authenticator(app.db, config.database_direct_url, config.base_url)
const server = buildApi(app, authenticator)
const health: Health = { is_stopping: false }
if (config.is_health_on_main) serveHealth()
const management = openManagement(app, health).on('error', (error) => refusePort('MANAGEMENT_PORT', config.management_port, error))
const sequencer = startSequencer(app)
const upkeep = startLoop(
  () => keepUp(app.system),
  (error) => app.log.warn('upkeep waits', errorFields(error)),
)
const listeners = await listen(server, config.port, config.host).catch((error: unknown) => refusePort('PORT', config.port, error))
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

function refusePort(setting: string, port: number, error: unknown): never {
  const { message, code } = error as NodeJS.ErrnoException
  const reason = code === 'EADDRINUSE' ? 'is in use' : `cannot be opened (${message})`
  process.stderr.write(`The port ${port} ${reason}. Set ${setting} to a free port.\n`)
  return process.exit(1)
}

function serveHealth(): void {
  for (const probe of PROBES) {
    server.get(probe, async (_, reply) => {
      const { status, body } = await answerProbe(app, health, probe)
      return reply.code(status).send(body)
    })
  }
}

/** Not ready, then serve on for a while with closing connections, so that balancers notice; then drain, then go. */
async function stop(reason: string): Promise<void> {
  app.log.info('stopping', { reason })
  health.is_stopping = true
  server.server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
  await sleep(config.drain_ms)
  const drained = listeners.close()
  await Promise.race([drained, sleep(FINISH_MS)])
  management.close()
  await Promise.allSettled([sequencer.stop(), upkeep.stop(), authenticator.close()])
  await app.close().catch((error: unknown) => app.log.warn('close failed', errorFields(error)))
  process.exit(0)
}
