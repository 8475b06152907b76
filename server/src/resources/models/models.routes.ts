import { api } from '@octavo/contract'
import type { App } from '../../app.ts'
import { pageOfItems } from '../../http/route/lists.ts'
import type { Routes } from '../../http/route/routes.ts'
import * as models from './models.service.ts'

export function modelRoutes(routes: Routes, app: App): void {
  routes.list(api.models.list, async ({ db, query, page }) =>
    pageOfItems(await models.listModels(app, db, query), page),
  )
  routes.read(api.models.get, ({ db, params }) => models.readModel(app, db, params.model_id))
}
