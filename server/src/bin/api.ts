// The API process.

import { setTimeout as sleep } from 'node:timers/promises'
import { buildApi } from '../api.ts'
import { openApp } from '../app.ts'
import { Authenticator } from '../auth/authenticator.ts'
import { readConfigOrExit } from '../config.ts'
import { startSequencer } from '../events/sequencer.ts'
import { listen } from '../http/listeners.ts'
import { answerProbe, type Health, openManagement, PROBES } from '../http/management.ts'
import { errorFields } from '../telemetry/log.ts'
import { checkDatabase, refusePort } from './start.ts'

/** How long requests that are under way may take to finish once nothing new is accepted. */
const FINISH_MS = 25_000

const config = readConfigOrExit()
const app = openApp(config)
await checkDatabase(app)

const authenticator = new Authenticator(app.db, config.database_direct_url, config.base_url)
const server = buildApi(app, authenticator)
const health: Health = { is_stopping: false }
if (config.is_health_on_main) serveHealth()
const management = openManagement(app, health).on('error', (error) => refusePort('MANAGEMENT_PORT', config.management_port, error))
const sequencer = startSequencer(app)
const listeners = await listen(server, config.port, config.host).catch((error: unknown) => refusePort('PORT', config.port, error))
app.log.info('listening', { address: config.host, port: config.port })

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(signal))

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
  await Promise.allSettled([sequencer.stop(), authenticator.close()])
  await app.close().catch((error: unknown) => app.log.warn('close failed', errorFields(error)))
  process.exit(0)
}
