// One request to a page: who is signed in, the fields of a form, and the checks that keep forms of other sites out.

import { recordOf } from '@octavo/base/unknown.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../app.ts'
import { addressBlock } from '../http/preflight/address.ts'
import { type Html, html } from '../lib/html.ts'
import { readCookie, setCookie } from './cookies.ts'
import type { Passwords } from './passwords.ts'
import { type CurrentSession, currentSession, newSessionSecret } from './sessions.ts'
import { formToken, isFormToken, isFromOtherSite, safeReturnTo } from './sign-in.rules.ts'

export interface SignInApp extends App {
  passwords: Passwords
}

/** A refusal that is shown as a page. */
export class PageProblem extends Error {
  readonly status: number
  readonly headers: Record<string, string>
  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.status = status
    this.headers = headers
  }
}

const FORM_TYPE = 'application/x-www-form-urlencoded'

export class Visit {
  readonly app: SignInApp
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly session: CurrentSession | null
  /** In the visitor's cookie; forms carry a token that is made from it. */
  readonly form_secret: string
  readonly form: URLSearchParams

  private constructor(
    app: SignInApp,
    exchange: { request: FastifyRequest; reply: FastifyReply },
    state: { session: CurrentSession | null; form_secret: string },
  ) {
    this.app = app
    this.request = exchange.request
    this.reply = exchange.reply
    this.session = state.session
    this.form_secret = state.form_secret
    this.form = new URLSearchParams(Buffer.isBuffer(this.request.body) ? this.request.body.toString() : '')
  }

  static async open(app: SignInApp, request: FastifyRequest, reply: FastifyReply): Promise<Visit> {
    const { base_url } = app.config
    const session = await currentSession(app, request)
    const known = readCookie(request, base_url, session ? 'session' : 'visit')
    const form_secret = known ?? newSessionSecret()
    if (known === null) setCookie(reply, base_url, { name: 'visit', value: form_secret, seconds: null })
    return new Visit(app, { request, reply }, { session, form_secret })
  }

  /** Refuses a form that this server did not give to this browser. */
  checkForm(): void {
    const { headers } = this.request
    const { 'content-type': type = '' } = headers
    if (!type.startsWith(FORM_TYPE)) throw new PageProblem(415, 'Send the form from its page.')
    if (isFromOtherSite(headers, this.app.config.base_url))
      throw new PageProblem(
        403,
        `This form came from another site. Open ${this.app.config.base_url}/sign-in and try again.`,
      )
    if (!isFormToken(this.field('form_token'), this.form_secret))
      throw new PageProblem(
        403,
        'This form has expired, or your browser blocks cookies. Go back, reload the page and try again.',
      )
  }

  /** An absent field is an empty text. */
  field(name: string): string {
    return this.form.get(name) ?? ''
  }

  parameter(name: string): string {
    const value = recordOf(this.request.params)[name]
    return typeof value === 'string' ? value : ''
  }

  query(name: string): string | null {
    return new URL(this.request.url, 'http://own.invalid').searchParams.get(name)
  }

  /** Where to go after sign-in: from the form or the query. */
  get return_to(): string | null {
    return safeReturnTo(this.form.get('return_to') ?? this.query('return_to'))
  }

  /** The range of addresses that the client controls. */
  get client(): string {
    return addressBlock(this.request.ip)
  }

  get device(): string | null {
    return readCookie(this.request, this.app.config.base_url, 'device')
  }

  /** The hidden fields of every form. */
  get hidden(): Html {
    const { return_to } = this
    return html`<input type="hidden" name="form_token" value="${formToken(this.form_secret)}">
${return_to === null ? null : html`<input type="hidden" name="return_to" value="${return_to}">`}`
  }
}
