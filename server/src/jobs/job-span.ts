// The span of one attempt of a job. It continues the trace of the request that created the job.

import type { Span } from '@octavo/base/trace.ts'
import { toId } from '../lib/ids.ts'
import type { Tracer } from '../telemetry/tracing.ts'
import type { Claim, Settlement } from './run-rows.ts'

export function startJobSpan(tracer: Tracer | null, { job, delivery, attempt, traceparent }: Claim): Span | null {
  if (!tracer) return null
  return tracer.startJob(traceparent, {
    name: `job ${job.type}`,
    kind: 'consumer',
    attributes: {
      'octavo.job_id': job.id,
      'octavo.job_type': job.type,
      'octavo.attempt': attempt,
      'octavo.tenant_id': toId('ten', delivery.tenant),
    },
  })
}

export function endJobSpan(span: Span | null, { outcome, error }: Settlement): void {
  if (!span) return
  span.attributes['octavo.outcome'] = outcome ?? 'gave_way'
  if (error) span.fail(error)
  span.end()
}
