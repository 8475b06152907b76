// The components of a process. The only file that opens connections.

import { type Extract, openExtract } from '@octavo/extract/extract.ts'
import { openSandbox } from '@octavo/extract/sandbox/launch.ts'
import { connectSandbox } from '@octavo/extract/sandbox/remote.ts'
import type pg from 'pg'
import type { Models } from './ai/model.ts'
import { openModels } from './ai/models.ts'
import { Limiter } from './cache/limiter.ts'
import { openValkey } from './cache/valkey.ts'
import type { Config } from './config/config.ts'
import { type Database, openDatabase, openPool } from './db/database.ts'
import { type EgressAnswer, egressFetch } from './egress/egress.ts'
import { Changes } from './events/changes.ts'
import { openFiles } from './files/open.ts'
import type { FileStore } from './files/store.ts'
import { Hints } from './jobs/hints.ts'
import { Jobs } from './jobs/jobs.ts'
import { openPgBoss } from './jobs/pg-boss.ts'
import { Mailer } from './mail/mailer.ts'
import { openPageOcr } from './readers/page-ocr.ts'
import { openReaders, type Readers } from './readers/readers.ts'
import { listVision } from './readers/vision.ts'
import { errorFields, type Log, openLog } from './telemetry/log.ts'
import { type Metrics, openMetrics } from './telemetry/metrics.ts'
import { Tracer } from './telemetry/tracing.ts'

export interface App {
  config: Config
  db: Database
  /** Database role of the sequencer and the operator, with its own narrow policies. Never used for a request. */
  system: pg.Pool
  limiter: Limiter
  jobs: Jobs
  /** Wakes who waits for a job. */
  changes: Changes
  /** Bytes: originals, pictures of pages. */
  files: FileStore
  /** Turns an untrusted file into pages, in a sandboxed child process. */
  extract: Extract
  readers: Readers
  /** Embedders, generators and rerankers. */
  models: Models
  /** Fetches a URL that a caller supplied. */
  egress(url: string, bounds: { max_bytes: number; total_ms: number; signal: AbortSignal }): Promise<EgressAnswer>
  /** Sends links to people, if a mail server is configured. */
  mail: Mailer
  log: Log
  metrics: Metrics
  /** null: tracing is off. */
  tracer: Tracer | null
  close(): Promise<void>
}

/** The parts of App that a function uses, declared in its signature. */
export type Needs<K extends keyof App> = Pick<App, K>

/** For maintenance statements, which may take seconds. */
const SYSTEM_TIMEOUT_MS = 20_000

export function openApp(config: Config, log: Log = openLog(config.log_level)): App {
  const metrics = openMetrics()
  const db = openDatabase(config.database_url, config.database_pool)
  const system = openPool(config.database_system_url, 4, SYSTEM_TIMEOUT_MS)
  const engine = openPgBoss(config.database_system_url, (event, error) => log.warn(event, errorFields(error)))
  const changes = new Changes(config.database_direct_url)
  const files = openFiles(config.files)
  const sandbox = config.sandbox_socket === null ? openSandbox() : connectSandbox(config.sandbox_socket)
  const extract = openExtract(config.parsing, undefined, sandbox)
  const ocr = openPageOcr({ ...config.ocr, models_dir: config.models_dir, sandbox })
  const models = openModels(config)
  const readers = openReaders(config, ocr, listVision(models))
  const mail = new Mailer(config.mail, log)
  const tracer = config.tracing && new Tracer(config.tracing, config.version, { log, metrics })
  tracer?.start()
  const valkey =
    config.valkey_url === null
      ? null
      : openValkey(config.valkey_url, () => metrics.limiter_fallbacks.inc(), config.valkey_timeout_ms)
  return {
    config,
    db,
    system,
    limiter: new Limiter(valkey),
    jobs: new Jobs(engine, new Hints(system), config.tiers),
    changes,
    files,
    extract,
    readers,
    models,
    egress: (url, bounds) => egressFetch(url, { ...config.egress, ...bounds }),
    mail,
    log,
    metrics,
    tracer,
    async close() {
      valkey?.close()
      await mail.close()
      await Promise.allSettled([changes.close(), engine.close(), extract.close(), ocr.close(), models.close()])
      await files.close()
      await Promise.all([db.close(), system.end(), tracer?.close()])
    },
  }
}
