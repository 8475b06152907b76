// Spans in the JSON encoding of the OpenTelemetry protocol, https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding.

import type { Span, SpanAttributes, SpanKind } from '@octavo/base/trace.ts'

export type OtlpResource = Record<string, string>

const KINDS: Record<SpanKind, number> = { internal: 1, server: 2, client: 3, consumer: 5 }
const STATUS_ERROR = 2

export function otlpBody(spans: readonly Span[], resource: OtlpResource): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: otlpAttributes(resource) },
        scopeSpans: [{ scope: { name: 'octavo' }, spans: spans.map(otlpSpan) }],
      },
    ],
  })
}

function otlpSpan(span: Span): object {
  const { trace_id, span_id, parent_id, name, kind, started_ms, ended_ms, attributes, is_failed } = span
  return {
    traceId: trace_id,
    spanId: span_id,
    ...(parent_id === null ? {} : { parentSpanId: parent_id }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(started_ms),
    endTimeUnixNano: nanoseconds(ended_ms),
    attributes: otlpAttributes(attributes),
    status: is_failed ? { code: STATUS_ERROR } : {},
  }
}

/** 64-bit integers are strings in JSON. Microseconds still fit into a number. */
const nanoseconds = (milliseconds: number): string => `${Math.round(milliseconds * 1_000)}000`

function otlpAttributes(attributes: SpanAttributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : otlpNumber(value),
  }))
}

const otlpNumber = (value: number): object =>
  Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
