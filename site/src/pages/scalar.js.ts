// Scalar's script, served by the site itself. Of their packages the one for Fastify is the smallest that holds it: the route is asked
// for what it would send.

import plugin from '@scalar/fastify-api-reference'

interface Route {
  url: string
  handler: (request: unknown, reply: { header: () => unknown; send: (body: string) => string }) => string
}

function readScript(): string {
  const routes: Route[] = []
  const fastify = { initialConfig: {}, route: (route: Route) => routes.push(route) }
  const register = plugin as unknown as (fastify: unknown, options: object, next: () => void) => void
  register(fastify, { configuration: { url: '/openapi.json' } }, () => {})
  const route = routes.find(({ url }) => url.endsWith('.js'))
  if (!route) throw new Error('@scalar/fastify-api-reference has no route for its script any more.')
  const reply = { header: () => reply, send: (body: string) => body }
  return route.handler(null, reply).replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')
}

export const GET = () => new Response(readScript(), { headers: { 'Content-Type': 'text/javascript; charset=utf-8' } })
