// Per-request state of the pipeline.

import { required } from '@octavo/base/required.ts'
import type { Span } from '@octavo/base/trace.ts'
import type { Endpoint } from '@octavo/contract'
import type { FormerKey } from '../../auth/authenticator.ts'
import type { Caller, Deadline, Principal } from '../../lib/caller.ts'
import type { Policy, QuotaState } from '../../lib/gcra.ts'
import { newUuid, toId } from '../../lib/ids.ts'

export class Context implements Deadline {
  readonly request: string = newUuid()
  readonly started_ms: number = performance.now()
  deadline_ms: number
  is_gone = false
  /** Set by authentication. */
  principal: Principal | null = null
  /** The key of a credential that was valid once; set when authentication fails. */
  former_key: FormerKey | null = null
  quota_states: QuotaState[] = []
  /** Adds a quota that is charged later, in the handler, to the rate limit headers. Set by preflight. */
  onQuotaCharged: ((quotaState: QuotaState) => void) | null = null
  /** Quota charged on top of the request itself. Returned if the request fails. */
  readonly taken: Policy[] = []
  concurrent = { quota: 0, remaining: 0 }
  endpoint: Endpoint | null = null
  /** The body is counted as it arrives. */
  has_large_body = false
  operation = ''
  /** null: the request is not traced. */
  span: Span | null = null
  /** Fails when the credential has ceased to be valid: for who waits long. Set by authentication. */
  verify: () => Promise<unknown> = () => Promise.resolve()
  /** Gives back the place among what is under way; set when there is one. */
  leave: (() => void) | null = null
  private id = ''
  private releases: (() => void)[] | null = []

  constructor(deadline_ms: number) {
    this.deadline_ms = Date.now() + deadline_ms
  }

  /** Run when the answer has been sent or the caller is gone; at once where that came while something was waited for. */
  atEnd(release: () => void): void {
    if (this.releases) this.releases.push(release)
    else release()
  }

  end(): void {
    const releases = this.releases ?? []
    this.releases = null
    for (const release of releases) release()
  }

  /** The caller wants to wait. */
  extend(milliseconds: number): void {
    this.deadline_ms += milliseconds
  }

  get request_id(): string {
    return (this.id ||= toId('req', this.request))
  }

  /** The principal of an authenticated request. */
  get authenticated(): Principal {
    return required(this.principal, 'principal')
  }

  get caller(): Caller {
    return { ...this.authenticated, request: this.request, deadline: this, onQuotaCharged: this.onQuotaCharged }
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    context: Context
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
    operation?: string
    /** The endpoint of agents, which accepts other tokens than the API. */
    is_mcp?: boolean
  }
}
