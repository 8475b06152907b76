// The running authorization server of this process: loads oidc-provider when it is first needed, and follows changes of
// the signing keys.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { isRecord } from '@octavo/base/unknown.ts'
import type { Provider } from 'oidc-provider'
import { isPassing, unavailable } from '../db/errors.ts'
import { Failure } from '../lib/failure.ts'
import { DeviceCodes } from './device-codes.ts'
import { Failures } from './failures.ts'
import { buildProvider, type IsSignedIn } from './provider.ts'
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

/** Facts about a request that oidc-provider does not know. */
interface Browser {
  isSignedIn: IsSignedIn
  addressOf: (request: IncomingMessage) => string
}

export class OauthServer {
  private readonly app: OauthNeeds
  private readonly browser: Browser
  private readonly failures = new Failures()
  private readonly deviceCodes: DeviceCodes
  /** Errors that no client caused. */
  private readonly causes = new WeakMap<IncomingMessage, Error>()
  private running: Running | null = null
  private opening: Promise<Running> | null = null

  constructor(app: OauthNeeds, browser: Browser) {
    this.app = app
    this.browser = browser
    this.deviceCodes = new DeviceCodes(app, browser.addressOf)
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
    const { isSignedIn } = this.browser
    const { noteWrong: onWrongDeviceCode, mayFetch } = this.deviceCodes
    const provider = await buildProvider(this.app, { keys, isSignedIn, onWrongDeviceCode, mayFetch })
    provider.use(async (ctx, next) => {
      await next()
      this.completeAnswer(ctx)
    })
    provider.use(this.deviceCodes.guard)
    provider.on('server_error', (ctx, error) => this.causes.set(ctx.req, error))
    const callback = provider.callback()
    this.running = { provider, answer: callback, key_ids, checked_ms }
    return this.running
  }

  /** The members of RFC 6749 and those of every error of the API in one body. */
  private completeAnswer(ctx: Context): void {
    if (ctx.path.endsWith('/jwks')) ctx.set('cache-control', 'public, max-age=300')
    const body: unknown = ctx.body
    if (!isRecord(body) || typeof body.error !== 'string') return
    const failure = this.findFailure(ctx.req, body.error)
    if (failure) {
      ctx.status = failure.status
      ctx.set(failure.headers)
    }
    const error = failure?.code ?? errorCode(body)
    const message = failure?.message ?? body.error_description ?? 'The request failed.'
    ctx.set('cache-control', 'no-store')
    ctx.body = {
      ...body,
      error,
      error_description: message,
      code: error,
      message,
      details: [],
      request_id: ctx.res.getHeader('request-id'),
      doc_url: `${this.app.config.base_url}/errors#${error}`,
    }
  }

  /** An error that oidc-provider does not know, or null. */
  private findFailure(request: IncomingMessage, error: string): Failure | null {
    const cause = this.causes.get(request)
    if (isPassing(cause)) return unavailable(cause)
    const { has_rate_limits } = this.app.config
    const wait_ms = has_rate_limits ? this.failures.add(this.browser.addressOf(request), error) : 0
    if (wait_ms === 0) return null
    return new Failure('rate_limit_exceeded', 'Too many failed requests came from your address.', {
      headers: { 'retry-after': String(Math.ceil(wait_ms / 1000)) },
    })
  }
}

/** RFC 6749, section 5.2, has a code for a grant type that the client did not register. oidc-provider does not use it. */
const errorCode = ({ error, error_description }: Record<string, unknown>): string =>
  error === 'invalid_request' && /grant.type\S* is not allowed for this client$/.test(String(error_description))
    ? 'unauthorized_client'
    : String(error)

type Context = Parameters<Parameters<Provider['use']>[0]>[0]
