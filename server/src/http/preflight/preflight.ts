// Steps 1 to 10 of the pipeline: everything that is decided by the request line and the headers, before a byte of the
// body is read. Synchronous where nothing has to be waited for.

import { recordOf } from '@octavo/base/unknown.ts'
import { type Endpoint, MAX_BODY_BYTES, type Scope } from '@octavo/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Needs } from '../../app.ts'
import type { ResourceName } from '../../auth/access-token.ts'
import type { Authenticator } from '../../auth/authenticator.ts'
import { UnknownCredential } from '../../auth/authenticator.ts'
import type { Principal } from '../../lib/caller.ts'
import { insufficientScope } from '../../lib/changes.ts'
import { Failure, noSuchEndpoint, tooMany } from '../../lib/failure.ts'
import { admit, type Policy, type QuotaState } from '../../lib/gcra.ts'
import { allowedMethods, versionOf } from '../route/routing.ts'
import { checkFormLength } from '../streaming/form.ts'
import { addressBlock } from './address.ts'
import type { Admission } from './admission.ts'
import type { Context } from './context.ts'
import { answerCorsPreflight, applyCors, checkOrigin, isCorsPreflight } from './cors.ts'
import { Counts } from './counts.ts'
import { checkAccept, checkBodyHeaders, checkHost, checkSizes } from './headers.ts'
import { isToolCall } from './tool-calls.ts'

const FAILED_LOGINS = { quota: 60, window_ms: 60_000 }
/** The limits of a tenant, compared with those of each of its keys. */
const TENANT_TIMES = 4
const READ_COST = 1
const WRITE_COST = 5

type Next = Promise<void> | void
const then = <T>(value: T | Promise<T>, next: (value: T) => Next): Next =>
  value instanceof Promise ? value.then(next) : next(value)

export class Preflight {
  private readonly app: Needs<'config' | 'limiter' | 'metrics'>
  private readonly authenticator: Authenticator
  private readonly admission: Admission
  private readonly failures = new Map<string, number>()
  private readonly underway = new Counts()

  constructor(app: Needs<'config' | 'limiter' | 'metrics'>, authenticator: Authenticator, admission: Admission) {
    this.app = app
    this.authenticator = authenticator
    this.admission = admission
  }

  pass(request: FastifyRequest, reply: FastifyReply, context: Context): Next {
    checkSizes(request)
    checkHost(request)
    const { cors_origins } = this.app.config
    if (cors_origins.length > 0) applyCors(request, reply, cors_origins)
    if (isCorsPreflight(request)) return answerCorsPreflight(request, reply, cors_origins)
    if (request.routeOptions.config.is_mcp) return this.passAgent(request, reply, context)
    // The router decodes paths, so `/%61pi/...` reaches a handler too: what it found decides, not only the spelling.
    if (!request.url.startsWith('/api/') && request.url !== '/api' && !request.routeOptions.config.endpoint) return
    const resource = isToolCall(request) ? 'mcp' : 'api'
    return then(this.authenticate(request, context, resource), (principal) => {
      context.principal = principal
      context.verify = async () => this.authenticate(request, context, resource)
      const { method } = request
      const cost = method === 'GET' || method === 'HEAD' ? READ_COST : WRITE_COST
      return then(this.limit(reply, context, { cost, prefix: '' }), () => this.route(request, reply, context))
    })
  }

  /** The calls that the tools make are limited like all others, so the message itself costs little and has its own count. */
  private passAgent(request: FastifyRequest, reply: FastifyReply, context: Context): Next {
    context.operation = 'mcp'
    checkOrigin(request, this.app.config.base_url, this.app.config.cors_origins)
    return then(this.authenticate(request, context, 'mcp'), (principal) => {
      context.principal = principal
      return this.limit(reply, context, { cost: READ_COST, prefix: 'mcp:' })
    })
  }

  private authenticate(
    request: FastifyRequest,
    context: Context,
    resource: ResourceName,
  ): Principal | Promise<Principal> {
    const principal = this.authenticator.authenticate(request.headers.authorization, resource)
    if (!(principal instanceof Promise)) return principal
    return principal.catch((error: unknown) => {
      if (!(error instanceof UnknownCredential)) throw error
      context.former_key = error.former
      throw this.countFailure(request.ip, error.failure)
    })
  }

  /** Valid credentials always pass, because offices share an address; failed attempts are rate limited. */
  private countFailure(ip: string, failure: Failure): Failure {
    const block = addressBlock(ip)
    const admission = admit(this.failures.get(block), performance.now(), FAILED_LOGINS, 1)
    if (this.failures.size > 100_000) this.failures.clear()
    this.failures.set(block, admission.arrival_ms)
    return admission.is_admitted
      ? failure
      : tooMany('failed_logins', 'Too many requests with invalid keys came from your address.', admission.wait_ms)
  }

  /** `prefix` separates the requests under way of agents from those of their tools, which would wait for each other. */
  private limit(reply: FastifyReply, context: Context, { cost, prefix }: { cost: number; prefix: string }): Next {
    if (!this.app.config.has_rate_limits) return
    const principal = context.authenticated
    const tier = this.app.config.tiers[principal.tier]
    const key = principal.actor.id ?? principal.tenant
    const policy: Policy = { name: 'requests', key, quota: tier.requests_per_minute, window_ms: 60_000, cost }
    const tenantKey = `tenant:${principal.tenant}`
    const tenantPolicy = { ...policy, key: tenantKey, quota: policy.quota * TENANT_TIMES }
    return then(this.app.limiter.take([policy, tenantPolicy]), (quotaStates) => {
      // Clients see the limit of their key; the tenant's is reported when it refuses.
      setQuotaHeaders(reply, context, quotaStates.slice(0, 1))
      context.onQuotaCharged = (quotaState) => {
        if (quotaState.is_admitted) context.taken.push(quotaState.policy)
        setQuotaHeaders(reply, context, [...context.quota_states, quotaState])
      }
      const refused = quotaStates.find((quotaState) => !quotaState.is_admitted)
      if (refused)
        throw tooMany(refused.policy.name, `At most ${refused.policy.quota} units per minute.`, refused.wait_ms)
      const max = tier.concurrent_requests
      this.countUnderway(`${prefix}${tenantKey}`, max * TENANT_TIMES, context)
      context.concurrent = { quota: max, remaining: this.countUnderway(`${prefix}${key}`, max, context) }
    })
  }

  /** How many more may be under way. */
  private countUnderway(key: string, max: number, context: Context): number {
    const count = this.underway.of(key)
    if (count >= max) throw tooMany('concurrent', `At most ${max} requests at once.`, 1000)
    this.underway.add(key, 1)
    context.atEnd(() => this.underway.add(key, -1))
    return max - count - 1
  }

  private route(request: FastifyRequest, reply: FastifyReply, context: Context): Next {
    if (versionOf(request.url) !== 'v1') throw noSuchEndpoint()
    const endpoint = request.routeOptions.config.endpoint
    if (!endpoint || request.is404) return answerOtherMethod(request, reply)
    context.endpoint = endpoint
    context.operation = request.routeOptions.config.operation ?? ''
    checkAccept(request.headers.accept, endpoint)
    checkScope(request, endpoint, context.authenticated)
    this.checkBody(request, endpoint, context)
  }

  /** After the body has come, so that a caller who sends slowly does not hold a place. */
  enter(context: Context): Next {
    if (!context.endpoint) return
    const { load_class } = context.endpoint
    const waiting = this.admission.enter(load_class, context)
    const entered = (): void => {
      const entered_ms = performance.now()
      let isInside = true
      context.leave = () => {
        if (!isInside) return
        isInside = false
        this.admission.leave(load_class, entered_ms)
      }
      context.atEnd(context.leave)
    }
    return waiting ? waiting.then(entered) : entered()
  }

  private checkBody(request: FastifyRequest, endpoint: Endpoint, context: Context): void {
    if (request.method === 'GET' || request.method === 'HEAD') return
    if (endpoint.form) checkFormLength(request.headers['content-length'], this.app.config.max_file_bytes)
    const bytes = checkBodyHeaders(request, endpoint, endpoint.is_large ? this.app.config.max_json_bytes : undefined)
    // Small bodies are bounded by the number of requests under way.
    context.has_large_body = bytes > MAX_BODY_BYTES
  }
}

function setQuotaHeaders(reply: FastifyReply, context: Context, quotaStates: QuotaState[]): void {
  context.quota_states = quotaStates
  reply.header('ratelimit-policy', quotaStates.map(policyText).join(', '))
  reply.header('ratelimit', quotaStates.map(quotaStateText).join(', '))
}

const policyText = ({ policy: { name, quota, window_ms } }: QuotaState): string =>
  `"${name}";q=${quota};w=${window_ms / 1000}`

function quotaStateText({ policy, remaining, wait_ms }: QuotaState): string {
  return `"${policy.name}";r=${remaining};t=${Math.ceil(wait_ms / 1000)}`
}

function checkScope(request: FastifyRequest, endpoint: Endpoint, principal: Principal): void {
  const isMissing = (scope: Scope): boolean => !principal.scopes.has(scope)
  if (endpoint.scope === null || (!isMissing(endpoint.scope) && !endpoint.also_needs.some(isMissing))) return
  const isOwn = Object.values(recordOf(request.params)).includes('me')
  if (isOwn && endpoint.own_scope !== null && !isMissing(endpoint.own_scope)) return
  throw insufficientScope([endpoint.scope, ...endpoint.also_needs].filter(isMissing))
}

function answerOtherMethod(request: FastifyRequest, reply: FastifyReply): void {
  const allowed = allowedMethods(request.url)
  if (!allowed) throw noSuchEndpoint()
  const allow = allowed.join(', ')
  if (request.method !== 'OPTIONS') {
    throw new Failure('method_not_allowed', `This endpoint supports ${allow}.`, { headers: { allow } })
  }
  reply.code(204).header('allow', allow).send()
}
