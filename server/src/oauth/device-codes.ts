// Limits guessing of the codes that users enter for a device (RFC 8628, section 5.1). A code has 20^8 values and lives ten
// minutes; a wrong one counts for the address that sent it. Anyone can request a code, open the page for it or begin an
// authorization, and each is a row in the database: an address can do so only a limited number of times.

import type { IncomingMessage } from 'node:http'
import type { Provider } from 'oidc-provider'
import { shortDigest } from '../lib/digest.ts'
import type { Policy } from '../lib/gcra.ts'
import { oauthPaths } from './endpoints.ts'
import { renderFilledInput, renderTooManyCodes, renderTooManyPages } from './provider.pages.ts'
import type { OauthNeeds } from './subjects.ts'

type Middleware = Parameters<Provider['use']>[0]

const WINDOW_MS = 10 * 60_000
const WRONG = { name: 'device_codes', quota: 10 }
const REQUESTED = { name: 'device_authorizations', quota: 60 }
/** Each makes the server fetch an address that someone else chose. */
const DOCUMENTS = { name: 'client_documents', quota: 30 }
const OPENED = { name: 'device_pages', quota: 60 }
/** All people of an office may share an address. */
const BEGUN = { name: 'authorizations', quota: 1_000 }

type Limit = Pick<Policy, 'name' | 'quota'>
type Context = Parameters<Middleware>[0]

export class DeviceCodes {
  private readonly app: OauthNeeds
  private readonly addressOf: (request: IncomingMessage) => string
  /** Requests with a wrong code. */
  private readonly wrong = new WeakSet<IncomingMessage>()

  constructor(app: OauthNeeds, addressOf: (request: IncomingMessage) => string) {
    this.app = app
    this.addressOf = addressOf
  }

  /** Whether the address may name another application that has to be fetched. */
  readonly mayFetch = async (ctx: Pick<Context, 'req'>): Promise<boolean> => (await this.takeOne(ctx, DOCUMENTS)) === 0

  /** The page found no code to confirm. */
  readonly noteWrong = (request: IncomingMessage): void => {
    this.wrong.add(request)
  }

  readonly guard: Middleware = async (ctx, next) => {
    if (ctx.path === oauthPaths.device_authorization && !(await this.mayRequest(ctx))) return
    if (ctx.path === oauthPaths.authorization && !(await this.mayOpen(ctx, BEGUN))) return
    const isPage = ctx.path === oauthPaths.code_verification
    if (isPage && ctx.method === 'POST') {
      await this.limit(ctx, next)
      return
    }
    if (isPage && !(await this.mayOpen(ctx, OPENED))) return
    await next()
    if (isPage && ctx.query.user_code !== undefined) renderFilledInput(this.app, ctx)
  }

  private async mayRequest(ctx: Context): Promise<boolean> {
    const wait_ms = await this.takeOne(ctx, REQUESTED)
    if (wait_ms === 0) return true
    const seconds = Math.ceil(wait_ms / 1000)
    ctx.status = 429
    ctx.set('retry-after', String(seconds))
    const error_description = `Too many codes were requested from your address. Try again in ${seconds} seconds.`
    ctx.body = { error: 'rate_limit_exceeded', error_description }
    return false
  }

  private async mayOpen(ctx: Context, limit: Limit): Promise<boolean> {
    const wait_ms = await this.takeOne(ctx, limit)
    if (wait_ms > 0) renderTooManyPages(this.app, ctx, wait_ms)
    return wait_ms === 0
  }

  /** How long the address has to wait; 0: it is within the limit. */
  private async takeOne({ req }: Pick<Context, 'req'>, limit: Limit): Promise<number> {
    if (!this.app.config.has_rate_limits) return 0
    const [state] = await this.app.limiter.take([this.policyFor(req, limit)])
    return !state || state.is_admitted ? 0 : Math.max(1, state.wait_ms)
  }

  /** Counts a wrong code in advance, so that parallel requests cannot exceed the limit. */
  private async limit(ctx: Context, next: () => Promise<unknown>): Promise<void> {
    const policy = this.policyFor(ctx.req, WRONG)
    const [state] = await this.app.limiter.take([policy])
    if (state && !state.is_admitted) {
      renderTooManyCodes(this.app, ctx, state.wait_ms)
      return
    }
    await next()
    if (!this.wrong.has(ctx.req)) await this.app.limiter.giveBack(policy)
  }

  private policyFor(request: IncomingMessage, { name, quota }: Limit): Policy {
    // Several installations may share one Valkey.
    const key = `${name}:${shortDigest(this.app.config.base_url)}:${this.addressOf(request)}`
    return { name, key, quota, window_ms: WINDOW_MS, cost: 1 }
  }
}
