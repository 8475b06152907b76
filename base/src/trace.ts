// The span of the current request or job. Without tracing there is none, and these functions only run the work.

import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import { codeOf } from './unknown.ts'

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer'
/** Ids, names and counts. Never the text of documents, prompts or answers. */
export type SpanAttributes = Record<string, string | number>

export interface SpanStart {
  name: string
  kind?: SpanKind
  attributes?: SpanAttributes
}

interface SpanParent {
  trace_id: string
  /** null: this span begins the trace. */
  span_id: string | null
}

export interface SpanSink {
  add(span: Span): void
  /** Whether servers that Octavo calls get the trace. */
  propagates: boolean
}

export class Span {
  readonly trace_id: string
  readonly parent_id: string | null
  readonly span_id: string = randomBytes(8).toString('hex')
  readonly name: string
  readonly kind: SpanKind
  readonly started_ms: number = now()
  ended_ms = 0
  is_failed = false
  readonly attributes: SpanAttributes
  private readonly sink: SpanSink

  constructor(parent: SpanParent, { name, kind = 'internal', attributes = {} }: SpanStart, sink: SpanSink) {
    this.trace_id = parent.trace_id
    this.parent_id = parent.span_id
    this.name = name
    this.kind = kind
    this.attributes = { ...attributes }
    this.sink = sink
  }

  /** W3C Trace Context, as the header `traceparent` has it. */
  get traceparent(): string {
    return `00-${this.trace_id}-${this.span_id}-01`
  }

  /** For a request to another server. */
  get headers(): Record<string, string> {
    return this.sink.propagates ? { traceparent: this.traceparent } : {}
  }

  child(start: SpanStart): Span {
    return new Span(this, start, this.sink)
  }

  /** A message may quote a document, so only the error's name and code are kept. */
  fail(error: unknown): void {
    this.is_failed = true
    this.attributes['error.type'] = codeOf(error) || (error instanceof Error ? error.name : typeof error)
  }

  end(): void {
    this.ended_ms = now()
    this.sink.add(this)
  }
}

const now = (): number => performance.timeOrigin + performance.now()

const active = new AsyncLocalStorage<Span>()

export const currentSpan = (): Span | undefined => active.getStore()

/** Runs `work` with this span as the current one. The caller ends it. */
export const runInSpan = <T>(span: Span | null, work: () => T): T => (span ? active.run(span, work) : work())

/** Runs `work` in a child of the current span, if there is one. */
export async function traced<T>(start: SpanStart, work: (span: Span | null) => Promise<T>): Promise<T> {
  const span = active.getStore()?.child(start)
  if (!span) return work(null)
  try {
    return await active.run(span, () => work(span))
  } catch (error) {
    span.fail(error)
    throw error
  } finally {
    span.end()
  }
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/

/** null: not a valid `traceparent`. */
export function parseTraceparent(
  value: string | null | undefined,
): { trace_id: string; span_id: string; is_sampled: boolean } | null {
  const [, trace_id, span_id, flags = '0'] = TRACEPARENT.exec(value ?? '') ?? []
  if (trace_id === undefined || span_id === undefined) return null
  return { trace_id, span_id, is_sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}
