import { api } from '@octavo/contract'
import type { App } from '../../app.ts'
import { pageOfItems } from '../../http/route/lists.ts'
import type { Routes } from '../../http/route/routes.ts'
import * as service from './service.service.ts'

/** `description` is the OpenAPI description of this API. */
export function serviceRoutes(routes: Routes, app: App, description: Record<string, unknown>): void {
  routes.read(api.capabilities.get, () => service.readCapabilities(app))
  routes.list(api.rate_limits.list, async ({ context, page }) =>
    pageOfItems(await service.listRateLimits(app, context), page),
  )
  routes.read(api.rate_limits.get, ({ context, params }) => service.readRateLimit(app, context, params.limit_id))
  routes.read(api.openapi.get, () => description)
}
