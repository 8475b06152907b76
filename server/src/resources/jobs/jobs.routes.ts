import { api } from '@octavo/contract'
import type { FastifyInstance } from 'fastify'
import type { App } from '../../app.ts'
import { serve } from '../../http/serve.ts'
import { createBatch } from './jobs.batches.ts'
import * as jobs from './jobs.service.ts'

export function jobRoutes(server: FastifyInstance, app: App): void {
  serve(server, app, api.jobs.list, ({ db, query, page }) => jobs.listJobs(app, db, query, page))
  serve(server, app, api.jobs.create, ({ tx, body }) => createBatch(app, tx, body))
  serve(server, app, api.jobs.get, ({ db, params }) => jobs.readJob(app, db, params.job_id))
  serve(server, app, api.jobs.update, ({ tx, params, body }) => jobs.updateJob(app, tx, params.job_id, body))
  serve(server, app, api.jobs.remove, ({ tx, params }) => jobs.removeJob(app, tx, params.job_id))
  serve(server, app, api.job_events.list, ({ db, params, page }) => jobs.listJobEvents(db, params.job_id, page))
}
