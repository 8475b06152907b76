// The lifecycle of a process: its parts, health checks, the sequencer, graceful shutdown.

import { setTimeout as sleep } from 'node:timers/promises'
import { buildApi } from '../api.ts'
import { type App, openApp } from '../app.ts'
import { Authenticator } from '../auth/authenticator.ts'
import type { Config } from '../config/config.ts'
import { startSequencer } from '../events/sequencer.ts'
import { listen } from '../http/listeners.ts'
import { answerProbe, type Health, openManagement, PROBES } from '../http/management.ts'
import { errorFields } from '../telemetry/log.ts'
import { startWorker } from '../worker.ts'
import { shareLookups } from './lookup.ts'
import { checkDatabase, refusePort, refuseStart, refuseWeakSandbox } from './start.ts'

interface ProcessPart {
  stop(): Promise<unknown>
}
type OpenPart = (app: App, health: Health) => Promise<ProcessPart>

/** How long current requests may take to finish after the process stops accepting new ones. */
const FINISH_MS = 25_000

/** `begin` runs before the process reports that it is ready. */
export async function runProcess(
  config: Config,
  opens: readonly OpenPart[],
  begin?: (app: App) => Promise<void>,
): Promise<void> {
  shareLookups()
  const app = openApp(config)
  await checkDatabase(app)
  const health: Health = { is_open: false, is_stopping: false }
  const management = openManagement(app, health).on('error', (error) =>
    refusePort('MANAGEMENT_PORT', config.management_port, error),
  )
  const sequencer = startSequencer(app)
  const parts: ProcessPart[] = []
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(signal))
  // A process of API_PROCESSES or WORKER_PROCESSES stops with the one that started it, which may have ended already.
  process.once('disconnect', () => void stop('disconnect'))
  if (process.send !== undefined && !process.connected) return stop('disconnect')
  for (const open of opens) parts.push(await open(app, health))
  await begin?.(app)
  health.is_open = true

  async function stop(reason: string): Promise<void> {
    // A terminal signals all processes, and the first of them then signals the others again.
    if (health.is_stopping) return
    health.is_stopping = true
    app.log.info('stopping', { reason })
    await Promise.all(
      parts.map((part) => part.stop().catch((error: unknown) => app.log.warn('stop failed', errorFields(error)))),
    )
    management.close()
    await sequencer.stop()
    await app.close().catch((error: unknown) => app.log.warn('close failed', errorFields(error)))
    process.exit(0)
  }
}

/** Shutdown: reports not ready, keeps serving for a while and closes connections so that load balancers notice, then drains. */
export async function serveRequests(app: App, health: Health): Promise<ProcessPart> {
  const { config } = app
  const authenticator = new Authenticator(app.db, config)
  const server = buildApi(app, authenticator)
  if (config.is_health_on_main) {
    for (const probe of PROBES) {
      server.get(probe, async (_, reply) => {
        const { status, body } = await answerProbe(app, health, probe)
        return reply.code(status).send(body)
      })
    }
  }
  await app.models
    .loadForQueries()
    .catch((error: unknown) => app.log.warn('loading the embedding model failed', errorFields(error)))
  const listeners = await listen(server, config.port, config.host).catch((error: unknown) =>
    refusePort('PORT', config.port, error),
  )
  app.log.info('listening', { address: config.host, port: config.port })
  return {
    async stop() {
      server.server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
      await sleep(config.drain_ms)
      const drained = listeners.close()
      await Promise.race([drained, sleep(FINISH_MS)])
      await authenticator.close()
    },
  }
}

/** Shutdown: takes no new jobs, lets short ones finish, and returns the others to the queue with their finished steps. */
export async function runJobs(app: App): Promise<ProcessPart> {
  await refuseWeakSandbox(app)
  const worker = await startWorker(app).catch((error: unknown) => refuseStart(error))
  app.log.info('working', { count: app.config.worker_slots })
  return worker
}
