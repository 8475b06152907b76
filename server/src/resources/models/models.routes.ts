import { api } from '@octavo/contract'
import type { FastifyInstance } from 'fastify'
import type { App } from '../../app.ts'
import { pageOfItems } from '../../http/lists.ts'
import { serve } from '../../http/serve.ts'
import * as models from './models.service.ts'

export function modelRoutes(server: FastifyInstance, app: App): void {
  serve(server, app, api.models.list, async ({ db, query, page }) =>
    pageOfItems(await models.listModels(app, db, query), page),
  )
  serve(server, app, api.models.get, ({ db, params }) => models.readModel(app, db, params.model_id))
}
