// Traces in the OpenTelemetry protocol: which requests and jobs are traced, and the export of their spans.

import { randomBytes } from 'node:crypto'
import { currentSpan, parseTraceparent, Span, type SpanSink, type SpanStart } from '@octavo/base/trace.ts'
import { errorFields, type Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { type OtlpResource, otlpBody } from './otlp.ts'

export interface TracingConfig {
  /** URL of the receiver, including `/v1/traces`. */
  url: string
  headers: Record<string, string>
  service_name: string
  /** Share of new traces that are recorded, from 0 to 1. */
  sampled_share: number
  propagates: boolean
}

const EXPORT_EVERY_MS = 1_000
const EXPORT_MS = 10_000
/** Maximum time that shutdown waits for the last export. */
const LAST_EXPORT_MS = 2_000
const MAX_BATCH = 512
/** More spans are dropped, so that an unavailable receiver does not use up memory or block requests. */
const MAX_WAITING = 4_096
const WARN_EVERY_MS = 60_000

export class Tracer implements SpanSink {
  private readonly config: TracingConfig
  private readonly resource: OtlpResource
  private readonly log: Log
  private readonly metrics: Metrics
  private readonly waiting: Span[] = []
  private timer: NodeJS.Timeout | undefined
  private exporting: Promise<void> | null = null
  private readonly ending = new AbortController()
  private warned_ms = -WARN_EVERY_MS

  constructor(config: TracingConfig, version: string, { log, metrics }: { log: Log; metrics: Metrics }) {
    this.config = config
    this.resource = { 'service.name': config.service_name, 'service.version': version }
    this.log = log
    this.metrics = metrics
  }

  get propagates(): boolean {
    return this.config.propagates
  }

  start(): void {
    this.timer = setInterval(() => void this.export(), EXPORT_EVERY_MS).unref()
  }

  /** null: this request is not traced. The caller's `traceparent` decides; without one, the configured share does. */
  startRequest(traceparent: string | undefined, start: SpanStart): Span | null {
    const parent = parseTraceparent(traceparent)
    if (parent) return parent.is_sampled ? new Span(parent, start, this) : null
    const outer = currentSpan()
    if (outer) return outer.child(start)
    if (Math.random() >= this.config.sampled_share) return null
    return new Span({ trace_id: randomBytes(16).toString('hex'), span_id: null }, start, this)
  }

  /** A job is traced if the request that created it was. */
  startJob(traceparent: string | null, start: SpanStart): Span | null {
    const parent = parseTraceparent(traceparent)
    return parent && new Span(parent, start, this)
  }

  async close(): Promise<void> {
    clearInterval(this.timer)
    const limit = setTimeout(() => this.ending.abort(), LAST_EXPORT_MS)
    await this.exporting
    await this.export()
    clearTimeout(limit)
  }

  add(span: Span): void {
    if (this.waiting.length < MAX_WAITING) this.waiting.push(span)
    else this.metrics.spans_dropped.inc()
  }

  private async export(): Promise<void> {
    if (this.exporting) return
    this.exporting = this.sendAll()
    await this.exporting
    this.exporting = null
  }

  private async sendAll(): Promise<void> {
    for (let isSent = true; isSent && this.waiting.length > 0; )
      isSent = await this.send(this.waiting.slice(0, MAX_BATCH))
  }

  /** False: the receiver could not take the spans now, so they are sent again later. Those that it rejects are dropped. */
  private async send(batch: readonly Span[]): Promise<boolean> {
    const { url, headers } = this.config
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: otlpBody(batch, this.resource),
        redirect: 'error',
        signal: AbortSignal.any([this.ending.signal, AbortSignal.timeout(EXPORT_MS)]),
      })
      await answer.body?.cancel()
      const isBusy = answer.status === 429 || answer.status >= 500
      if (!answer.ok) this.warn({ status: answer.status })
      if (isBusy) return false
      this.waiting.splice(0, batch.length)
      if (!answer.ok) this.metrics.spans_dropped.inc(batch.length)
      return true
    } catch (error) {
      this.warn(errorFields(error))
      return false
    }
  }

  private warn(fields: Parameters<Log['warn']>[1]): void {
    if (performance.now() - this.warned_ms < WARN_EVERY_MS) return
    this.warned_ms = performance.now()
    this.log.warn('exporting traces failed', fields)
  }
}
