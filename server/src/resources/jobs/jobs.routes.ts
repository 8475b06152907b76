import { api } from '@octavo/contract'
import type { App } from '../../app.ts'
import type { Routes } from '../../http/route/routes.ts'
import { createBatch } from './jobs.batches.ts'
import * as jobs from './jobs.service.ts'

export function jobRoutes(routes: Routes, app: App): void {
  routes.list(api.jobs.list, ({ db, query, page }) => jobs.listJobs(app, db, query, page))
  routes.write(api.jobs.create, ({ tx, body }) => createBatch(app, tx, body))
  routes.read(api.jobs.get, ({ db, params }) => jobs.readJob(app, db, params.job_id))
  routes.write(api.jobs.update, ({ tx, params, body }) => jobs.updateJob(app, tx, params.job_id, body))
  routes.write(api.jobs.remove, ({ tx, params }) => jobs.removeJob(app, tx, params.job_id))
  routes.list(api.job_events.list, ({ db, params, page }) => jobs.listJobEvents(db, params.job_id, page))
}
