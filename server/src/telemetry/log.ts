// Structured logs by allow-list: a field that is not named here cannot be logged, so no body, header, query or secret
// ever is.

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
  address?: string
  port?: number
  reason?: string
  count?: number
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

export function openLog(level: string): Log {
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, messageKey: 'event' })
  return {
    info: (event, fields = {}) => logger.info(fields, event),
    warn: (event, fields = {}) => logger.warn(fields, event),
    error: (event, fields = {}) => logger.error(fields, event),
  }
}

/** The stack without its first line: the message may hold a value that a caller sent. */
export function errorFields(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error_name: typeof error }
  const frames = (error.stack ?? '')
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, 10)
  const code = (error as { code?: unknown }).code
  return { error_name: error.name, error_stack: frames.join('\n'), ...(typeof code === 'string' ? { error_code: code } : {}) }
}
