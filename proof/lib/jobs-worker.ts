// A worker for proofs whose `ingestion` handler follows a script in its payload: waits, fails, counts. The rest of it
// is the product's code. The handlers log to the table `proof_runs` through a separate connection.

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openApp } from '../../server/src/app.ts'
import { readConfigOrExit } from '../../server/src/config/config.ts'
import { startSequencer } from '../../server/src/events/sequencer.ts'
import { openManagement } from '../../server/src/http/management.ts'
import { JobFailure, type JobHandler, type Run, Stop } from '../../server/src/jobs/types.ts'
import { handlersOf, startWorker } from '../../server/src/worker.ts'
import type { Script } from './scripts.ts'

const config = readConfigOrExit()
const app = openApp(config)
const log = new pg.Pool({ connectionString: config.database_system_url, max: 4 })
log.on('error', () => {})
const NOTE =
  'insert into proof_runs (job_id, attempt, what, pid, at) values ($1, $2, $3, $4, coalesce($5, clock_timestamp()))'
const note = async (run: Run<Script>, what: string): Promise<void> => {
  if (run.payload.is_silent) return
  const values = [run.job.id, run.attempt, what, process.pid]
  const at = new Date()
  await log.query(NOTE, [...values, null]).catch(() => void noteLater([...values, at]))
}

/** Handlers continue during a database outage; their log lines are written when it is back. */
async function noteLater(values: unknown[]): Promise<void> {
  for (let attempt = 1; attempt <= 100; attempt++) {
    await sleep(200, undefined, { ref: false })
    const isNoted = await log.query(NOTE, values).then(
      () => true,
      () => false,
    )
    if (isNoted) return
  }
}

async function perform(run: Run<Script>): Promise<{ status: 'succeeded' }> {
  const { steps, step_ms, fails = 0, is_final = false, is_busy = false } = run.payload
  await note(run, 'begin')
  try {
    for (let step = 1; step <= steps; step++) {
      await run.step(`step ${step}`, async (signal) => {
        await note(run, `step ${step}`)
        if (is_busy) await burn(step_ms, signal)
        else await sleep(step_ms, undefined, { signal }).catch(() => signal.throwIfAborted())
        if (run.attempt <= fails)
          throw is_final ? new JobFailure('internal_error', 'As the payload says.') : new Error('as the payload says')
        await note(run, `done ${step}`)
        return step
      })
      run.progress({ unit: 'pages', completed: step, failed: 0, total: steps }, 'parsing')
    }
    return { status: 'succeeded' }
  } catch (error) {
    if (error instanceof Stop) await note(run, `stop ${error.why}`)
    throw error
  } finally {
    await note(run, 'end')
  }
}

/** Work that needs the processor, in small parts, as a careful handler does. */
async function burn(milliseconds: number, signal: AbortSignal): Promise<void> {
  for (const until = Date.now() + milliseconds; Date.now() < until; await sleep(0)) {
    signal.throwIfAborted()
    for (const part = Date.now() + 5; Date.now() < part; );
  }
}

const scripted = {
  type: { name: 'ingestion', version: 1, max_attempts: 3, timeout_seconds: 600 },
  run: (run: Run<object>) => perform(run as Run<Script>),
} satisfies JobHandler
const management = openManagement(app, { is_open: true, is_stopping: false })
const sequencer = startSequencer(app)
const worker = await startWorker(app, [...handlersOf(app), scripted])

process.once('SIGTERM', () => void stop())

async function stop(): Promise<void> {
  await worker.stop()
  await sequencer.stop()
  management.close()
  await log.end()
  await app.close()
  process.exit(0)
}
