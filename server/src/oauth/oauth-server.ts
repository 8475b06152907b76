// The running authorization server of this process: loads oidc-provider when it is first needed, and follows changes of
// the signing keys.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { isRecord } from '../lib/unknown.ts'
import { buildProvider } from './provider.ts'
import { openSigningKeys } from './signing-keys.ts'
import type { OauthNeeds } from './subjects.ts'

/** A key that the operator rotated signs within this time. */
const KEYS_MS = 30_000

interface Running {
  provider: Provider
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  key_ids: string
  checked_ms: number
}

export class OauthServer {
  private readonly app: OauthNeeds
  private running: Running | null = null
  private opening: Promise<Running> | null = null

  constructor(app: OauthNeeds) {
    this.app = app
  }

  async open(): Promise<Running> {
    const { running } = this
    if (running && performance.now() - running.checked_ms < KEYS_MS) return running
    this.opening ??= this.load().finally(() => {
      this.opening = null
    })
    return this.opening
  }

  private async load(): Promise<Running> {
    const keys = await openSigningKeys(this.app)
    const key_ids = keys.map(({ id, starts_at_ms }) => `${id}:${starts_at_ms}`).join()
    const checked_ms = performance.now()
    if (this.running?.key_ids === key_ids) {
      this.running.checked_ms = checked_ms
      return this.running
    }
    const provider = await buildProvider(this.app, keys)
    provider.use((ctx, next) => addErrorMembers(this.app.config.base_url, ctx, next))
    const callback = provider.callback()
    this.running = { provider, answer: callback, key_ids, checked_ms }
    return this.running
  }
}

type Context = Parameters<Parameters<Provider['use']>[0]>[0]

/** The members of RFC 6749 and those of every error of the API in one body. */
async function addErrorMembers(base_url: string, ctx: Context, next: () => Promise<void>): Promise<void> {
  await next()
  if (ctx.path.endsWith('/jwks')) ctx.set('cache-control', 'public, max-age=300')
  const body: unknown = ctx.body
  if (!isRecord(body) || typeof body.error !== 'string') return
  const { error, error_description = 'The request failed.' } = body
  ctx.set('cache-control', 'no-store')
  ctx.body = {
    ...body,
    error_description,
    code: error,
    message: error_description,
    details: [],
    request_id: ctx.res.getHeader('request-id'),
    doc_url: `${base_url}/errors#${error}`,
  }
}
