// What a request carries through the pipeline.

import type { Endpoint } from '@octavo/contract'
import type { FastifyRequest } from 'fastify'
import type { Standing } from '../cache/limiter.ts'
import type { Caller, Patience, Principal } from '../lib/caller.ts'
import { newUuid, toId } from '../lib/ids.ts'

export class Context implements Patience {
  readonly request: string = newUuid()
  readonly started_ms: number = performance.now()
  readonly deadline_ms: number
  is_gone = false
  /** Set by authentication. */
  principal: Principal | null = null
  standings: Standing[] = []
  concurrent = { quota: 0, remaining: 0 }
  endpoint: Endpoint | null = null
  operation = ''
  /** Run when the answer has been sent or the caller is gone. */
  readonly releases: (() => void)[] = []
  private id = ''

  constructor(deadline_ms: number) {
    this.deadline_ms = Date.now() + deadline_ms
  }

  get request_id(): string {
    return (this.id ||= toId('req', this.request))
  }

  get caller(): Caller {
    return { ...this.principal!, request: this.request, patience: this }
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    context: Context
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
    operation?: string
  }
}

export const contextOf = (request: FastifyRequest): Context => request.context
