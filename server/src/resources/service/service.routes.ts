import { api } from '@octavo/contract'
import { describe } from '@octavo/contract/openapi'
import type { FastifyInstance } from 'fastify'
import type { App } from '../../app.ts'
import { pageOfItems } from '../../http/lists.ts'
import { serve } from '../../http/serve.ts'
import * as service from './service.service.ts'

export function serviceRoutes(server: FastifyInstance, app: App): void {
  const { version, base_url } = app.config
  const description = describe({ version, server_url: base_url }) as unknown as Record<string, unknown>
  serve(server, app, api.capabilities.get, () => service.readCapabilities(app))
  serve(server, app, api.rate_limits.list, async ({ context, page }) =>
    pageOfItems(await service.listRateLimits(app, context), page),
  )
  serve(server, app, api.rate_limits.get, ({ context, params }) => service.readRateLimit(app, context, params.limit_id))
  serve(server, app, api.openapi.get, () => description)
}
