import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof openMetrics>

export function openMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  /** Read at scrape time: setting a gauge on every request would cost too much. */
  const levels = { in_flight: 0, concurrency_limit: 0 }
  const requests = new Histogram({
    name: 'octavo_http_request_seconds',
    help: 'Response time, by operation and status.',
    labelNames: ['operation', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  })
  const observers = new Map<string, { observe(seconds: number): void }>()
  const tier_requests = new Histogram({
    name: 'octavo_http_tier_request_seconds',
    help: 'Response time of authenticated requests, by the tier of their tenant.',
    labelNames: ['tier'] as const,
    buckets: [0.01, 0.05, 0.25, 1, 2.5, 10],
    registers,
  })
  const in_flight = new Gauge({
    name: 'octavo_http_requests_in_flight',
    help: 'Requests in progress.',
    registers,
    collect() {
      this.set(levels.in_flight)
    },
  })
  const concurrency_limit = new Gauge({
    name: 'octavo_http_concurrency_limit',
    help: 'Current concurrency limit, which adapts to the load.',
    registers,
    collect() {
      this.set(levels.concurrency_limit)
    },
  })
  return {
    registry,
    in_flight,
    concurrency_limit,
    levels,
    observeRequest(operation: string, status: number, seconds: number): void {
      const key = `${operation} ${status}`
      let observer = observers.get(key)
      if (!observer) observers.set(key, (observer = requests.labels(operation, String(status))))
      observer.observe(seconds)
    },
    observeTier(tier: string, seconds: number): void {
      tier_requests.observe({ tier }, seconds)
    },
    shed: new Counter({
      name: 'octavo_http_requests_shed_total',
      help: 'Requests rejected because of overload, by class.',
      labelNames: ['class'] as const,
      registers,
    }),
    deprecated_requests: new Counter({
      name: 'octavo_http_deprecated_requests_total',
      help: 'Requests to deprecated operations, by operation.',
      labelNames: ['operation'] as const,
      registers,
    }),
    limiter_fallbacks: new Counter({
      name: 'octavo_limiter_fallbacks_total',
      help: 'Times that Valkey did not respond and the process applied limits by itself.',
      registers,
    }),
    job_seconds: new Histogram({
      name: 'octavo_job_run_seconds',
      help: 'Running time of attempts, by type and outcome.',
      labelNames: ['type', 'outcome'] as const,
      buckets: [0.01, 0.05, 0.25, 1, 5, 30, 120, 600, 3600],
      registers,
    }),
    job_retries: new Counter({
      name: 'octavo_job_retries_total',
      help: 'Failed attempts that will be retried.',
      labelNames: ['type'] as const,
      registers,
    }),
    job_repairs: new Counter({
      name: 'octavo_job_repairs_total',
      help: 'Repairs by the reconciler, by kind; 0 in a healthy service.',
      labelNames: ['kind'] as const,
      registers,
    }),
    pages: new Counter({
      name: 'octavo_pages_total',
      help: 'Stored pages, by status and origin of the text.',
      labelNames: ['status', 'text_source'] as const,
      registers,
    }),
    job_depth: new Gauge({
      name: 'octavo_jobs',
      help: 'Jobs that have not ended, by type and place: in line, admitted, running, waiting for a retry or for items.',
      labelNames: ['type', 'place'] as const,
      registers,
    }),
    job_oldest: new Gauge({
      name: 'octavo_job_oldest_seconds',
      help: 'Waiting time of the oldest waiting job, by the tier of its tenant.',
      labelNames: ['tier'] as const,
      registers,
    }),
    swept_objects: new Counter({
      name: 'octavo_swept_objects_total',
      help: 'Removed bytes that had no row: objects, and parts of unfinished uploads.',
      labelNames: ['kind'] as const,
      registers,
    }),
    files_missing: new Gauge({
      name: 'octavo_files_missing',
      help: 'Files whose bytes were missing from storage at the last sweep; 0 in a healthy service.',
      registers,
    }),
    spans_dropped: new Counter({
      name: 'octavo_trace_spans_dropped_total',
      help: 'Spans that were not exported: the receiver rejected them, or was down for too long.',
      registers,
    }),
    sequenced: new Counter({
      name: 'octavo_events_sequenced_total',
      help: 'Events that received their position.',
      registers,
    }),
  }
}
