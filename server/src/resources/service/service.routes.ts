import { api } from '@octavo/contract'
import { describe } from '@octavo/contract/openapi'
import type { App } from '../../app.ts'
import { pageOfItems } from '../../http/lists.ts'
import type { Routes } from '../../http/routes.ts'
import * as service from './service.service.ts'

export function serviceRoutes(routes: Routes, app: App): void {
  const { version, base_url } = app.config
  const description = describe({ version, server_url: base_url }) as unknown as Record<string, unknown>
  routes.read(api.capabilities.get, () => service.readCapabilities(app))
  routes.list(api.rate_limits.list, async ({ context, page }) =>
    pageOfItems(await service.listRateLimits(app, context), page),
  )
  routes.read(api.rate_limits.get, ({ context, params }) => service.readRateLimit(app, context, params.limit_id))
  routes.read(api.openapi.get, () => description)
}
