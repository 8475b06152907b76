// The worker process. Several may run on one host and on many.

import { setPriority } from 'node:os'
import { openApp } from '../app.ts'
import { readConfigOrExit } from '../config.ts'
import { startSequencer } from '../events/sequencer.ts'
import { type Health, openManagement } from '../http/management.ts'
import { errorFields } from '../telemetry/log.ts'
import { startWorker } from '../worker.ts'
import { checkDatabase, refusePort, refuseStart } from './start.ts'

// Who waits for an answer comes before work in the background, where both are on one host.
setPriority(5)
const config = readConfigOrExit()
const app = openApp(config)
await checkDatabase(app)
const health: Health = { is_stopping: false }
const management = openManagement(app, health).on('error', (error) => refusePort('MANAGEMENT_PORT', config.management_port, error))
const sequencer = startSequencer(app)
const worker = await startWorker(app).catch((error: unknown) => refuseStart(error))
app.log.info('working', { count: config.worker_slots })

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(signal))

/** Takes nothing new, lets short jobs finish, gives the others back with what they have finished. */
async function stop(reason: string): Promise<void> {
  app.log.info('stopping', { reason })
  health.is_stopping = true
  await worker.stop()
  await sequencer.stop()
  management.close()
  await app.close().catch((error: unknown) => app.log.warn('close failed', errorFields(error)))
  process.exit(0)
}
