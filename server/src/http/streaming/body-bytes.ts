// Large bodies are held in memory, so their bytes are counted as they arrive: for each tenant and for the process. A
// sender that declares much and sends little takes no room, and one that sends too slowly is cut off.

import { Readable } from 'node:stream'
import { Failure } from '../../lib/failure.ts'
import type { Context } from '../preflight/context.ts'
import { Counts } from '../preflight/counts.ts'
import { cutOff } from './streamed.ts'

interface BodyLimits {
  process_bytes: number
  tenant_bytes: number
  /** At least `min_bytes` must arrive in each interval. */
  interval_ms: number
  min_bytes: number
}

const MIB = 1024 * 1024
const LIMITS: BodyLimits = {
  process_bytes: 256 * MIB,
  tenant_bytes: 64 * MIB,
  interval_ms: 10_000,
  min_bytes: 160 * 1024,
}

export class BodyBytes {
  private readonly limits: BodyLimits
  private held = 0
  private readonly tenants = new Counts()

  constructor(limits: Partial<BodyLimits> = {}) {
    this.limits = { ...LIMITS, ...limits }
  }

  /** The same bytes, counted until the request ends. */
  count(body: Readable, tenant: string, context: Pick<Context, 'atEnd'>): Readable {
    let own = 0
    context.atEnd(() => {
      this.add(tenant, -own)
      own = 0
    })
    return Readable.from(
      this.timed(body, (bytes) => {
        this.refuseFull(tenant, bytes)
        own += bytes
        this.add(tenant, bytes)
      }),
      { objectMode: false },
    )
  }

  private async *timed(body: Readable, onBytes: (bytes: number) => void): AsyncGenerator<Buffer> {
    let recent = 0
    const timer = setInterval(() => {
      if (recent < this.limits.min_bytes) body.destroy(tooSlow())
      recent = 0
    }, this.limits.interval_ms)
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        recent += chunk.length
        onBytes(chunk.length)
        yield chunk
      }
    } finally {
      clearInterval(timer)
    }
  }

  private refuseFull(tenant: string, more: number): void {
    const { process_bytes, tenant_bytes } = this.limits
    if (this.held + more <= process_bytes && this.tenants.of(tenant) + more <= tenant_bytes) return
    throw new Failure('service_unavailable', 'Too many large bodies are being read. Repeat the request in a moment.', {
      headers: { 'retry-after': '5', connection: 'close' },
    })
  }

  private add(tenant: string, more: number): void {
    this.held += more
    this.tenants.add(tenant, more)
  }
}

const tooSlow = (): Failure => cutOff('The body arrives too slowly. Send at least 16 KiB per second.')
