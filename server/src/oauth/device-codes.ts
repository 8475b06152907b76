// Limits guessing of the codes that users enter for a device (RFC 8628, section 5.1). A code has 20^8 values and lives ten
// minutes; a wrong one counts for the address that sent it. Anyone can request a code, and each is a row: an address can
// request only so many.

import type { IncomingMessage } from 'node:http'
import type { Provider } from 'oidc-provider'
import { shortDigest } from '../lib/digest.ts'
import type { Policy } from '../lib/gcra.ts'
import { oauthPaths } from './endpoints.ts'
import { renderFilledInput, renderTooManyCodes } from './provider.pages.ts'
import type { OauthNeeds } from './subjects.ts'

type Middleware = Parameters<Provider['use']>[0]

const WINDOW_MS = 10 * 60_000
const WRONG = { name: 'device_codes', quota: 10 }
const REQUESTED = { name: 'device_authorizations', quota: 60 }

export class DeviceCodes {
  private readonly app: OauthNeeds
  private readonly addressOf: (request: IncomingMessage) => string
  /** Requests with a wrong code. */
  private readonly wrong = new WeakSet<IncomingMessage>()

  constructor(app: OauthNeeds, addressOf: (request: IncomingMessage) => string) {
    this.app = app
    this.addressOf = addressOf
  }

  /** The page found no code to confirm. */
  readonly noteWrong = (request: IncomingMessage): void => {
    this.wrong.add(request)
  }

  readonly guard: Middleware = async (ctx, next) => {
    if (ctx.path === oauthPaths.device_authorization && !(await this.mayRequest(ctx))) return
    const isPage = ctx.path === oauthPaths.code_verification
    if (isPage && ctx.method === 'POST') {
      await this.limit(ctx, next)
      return
    }
    await next()
    if (isPage && ctx.query.user_code !== undefined) renderFilledInput(this.app, ctx)
  }

  private async mayRequest(ctx: Parameters<Middleware>[0]): Promise<boolean> {
    if (!this.app.config.has_rate_limits) return true
    const [state] = await this.app.limiter.take([this.policyFor(ctx.req, REQUESTED)])
    if (!state || state.is_admitted) return true
    const seconds = Math.ceil(state.wait_ms / 1000)
    ctx.status = 429
    ctx.set('retry-after', String(seconds))
    const error_description = `Too many codes were requested from your address. Try again in ${seconds} seconds.`
    ctx.body = { error: 'rate_limit_exceeded', error_description }
    return false
  }

  /** Counts a wrong code in advance, so that parallel requests cannot exceed the limit. */
  private async limit(ctx: Parameters<Middleware>[0], next: () => Promise<unknown>): Promise<void> {
    const policy = this.policyFor(ctx.req, WRONG)
    const [state] = await this.app.limiter.take([policy])
    if (state && !state.is_admitted) {
      renderTooManyCodes(this.app, ctx, state.wait_ms)
      return
    }
    await next()
    if (!this.wrong.has(ctx.req)) await this.app.limiter.giveBack(policy)
  }

  private policyFor(request: IncomingMessage, { name, quota }: Pick<Policy, 'name' | 'quota'>): Policy {
    // Several installations may share one Valkey.
    const key = `${name}:${shortDigest(this.app.config.base_url)}:${this.addressOf(request)}`
    return { name, key, quota, window_ms: WINDOW_MS, cost: 1 }
  }
}
