// Probes and metrics on a separate listener: they need no credential, and answer while the main listener sheds load.

import { createServer, type Server, type ServerResponse } from 'node:http'
import type { Needs } from '../app.ts'
import { findMissingMigrations } from '../db/guard.ts'

export interface Health {
  /** All parts of the process work. */
  is_open: boolean
  is_stopping: boolean
  /** The last database check, cached until `until`. */
  asked?: { trouble: Promise<string | null>; until: number }
}

export const PROBES = ['/livez', '/readyz'] as const

/** Where probes are on the main port anybody may ask, so the database is asked at most once a second. */
const KEPT_MS = 1_000

async function findTrouble(app: Needs<'system'>, health: Health): Promise<string | null> {
  if (health.is_stopping) return 'stopping'
  if (!health.is_open) return 'starting'
  if (!health.asked || health.asked.until < performance.now())
    health.asked = { trouble: askDatabase(app), until: performance.now() + KEPT_MS }
  return health.asked.trouble
}

async function askDatabase(app: Needs<'system'>): Promise<string | null> {
  try {
    const missing = await findMissingMigrations(app.system)
    return missing.length > 0 ? `migrations missing: ${missing.join(', ')}` : null
  } catch {
    return 'database unreachable'
  }
}

export async function answerProbe(
  app: Needs<'system'>,
  health: Health,
  probe: (typeof PROBES)[number],
): Promise<{ status: 200 | 503; body: { status: string; reason?: string } }> {
  const trouble = probe === '/livez' ? null : await findTrouble(app, health)
  if (trouble !== null) return { status: 503, body: { status: 'unavailable', reason: trouble } }
  return { status: 200, body: { status: 'ok' } }
}

export function openManagement(app: Needs<'config' | 'system' | 'metrics'>, health: Health): Server {
  const server = createServer((request, response) => void respond(request.url ?? '', response))
  return server.listen(app.config.management_port, app.config.management_host)

  async function respond(url: string, response: ServerResponse): Promise<void> {
    const answer = (status: number, body: string, type = 'application/json'): void => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
    }
    switch (url) {
      case '/livez':
      case '/readyz': {
        const { status, body } = await answerProbe(app, health, url)
        return answer(status, JSON.stringify(body))
      }
      case '/metrics':
        return answer(200, await app.metrics.registry.metrics(), app.metrics.registry.contentType)
      default:
        return answer(404, '{"status":"not found"}')
    }
  }
}
