// Structured logs by allow-list: a field that is not named here cannot be logged, so no body, header, query or secret
// ever is.

import { codeOf } from '@octavo/base/unknown.ts'
import pino from 'pino'

export interface LogFields {
  request_id?: string
  trace_id?: string
  operation?: string
  method?: string
  status?: number
  code?: string
  duration_ms?: number
  tenant_id?: string
  key_id?: string
  user_id?: string
  address?: string
  port?: number
  reason?: string
  count?: number
  job_id?: string
  file_id?: string
  attempt?: number
  kind?: string
  /** Name, code and place of an error; its message only where it cannot carry a caller's data. */
  error_name?: string
  error_code?: string
  error_stack?: string
}

export interface Log {
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
}

/** `write` takes each line instead of the standard output. */
export function openLog(level: string, write?: (line: string) => void): Log {
  const options = { level, base: null, timestamp, messageKey: 'event' }
  const logger = write ? pino(options, { write }) : pino(options, openOutput())
  return {
    info: (event, fields = {}) => logger.info(fields, event),
    warn: (event, fields = {}) => logger.warn(fields, event),
    error: (event, fields = {}) => logger.error(fields, event),
  }
}

let second = 0
let prefix = ''

/** ISO timestamp; only the milliseconds are recomputed within a second. */
function timestamp(): string {
  const now = Date.now()
  const at = Math.floor(now / 1000)
  if (at !== second) {
    second = at
    prefix = `,"time":"${new Date(now).toISOString().slice(0, 20)}`
  }
  return `${prefix}${String(now % 1000).padStart(3, '0')}Z"`
}

/** Lines are written together: one system call for each would cost a request more than its query does. */
function openOutput(): ReturnType<typeof pino.destination> {
  const output = pino.destination({ dest: 1, sync: false, minLength: 4096 })
  setInterval(() => output.flush(), 500).unref()
  return output
}

/** The stack without its first line: the message may hold a value that a caller sent. */
export function errorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error_name: typeof error }
  const frames = (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 10)
  const code = codeOf(error)
  return {
    error_name: error.name,
    error_stack: frames.join('\n'),
    ...(code === '' ? {} : { error_code: code }),
  }
}
