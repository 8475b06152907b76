// Classifies errors of the database and of the connection to it.

import { codeOf, recordOf } from '@octavo/base/unknown.ts'
import { Failure } from '../lib/failure.ts'

/** Raised by `app_tenant()` when a statement runs without a tenant: a bug, never a state. */
export const NO_TENANT = 'OC001'
/** Raised by `app_refuse()`. */
const WRONG_ASSUMPTION = 'OC002'
const LOCK_NOT_AVAILABLE = '55P03'
const UNIQUE_VIOLATION = '23505'
const FOREIGN_KEY_VIOLATION = '23503'
const DISK_FULL = '53100'

const constraintOf = (error: unknown): unknown => recordOf(error).constraint

export const isUniqueViolation = (error: unknown, constraint: string): boolean =>
  codeOf(error) === UNIQUE_VIOLATION && constraintOf(error) === constraint
/** Without `constraint`, any foreign key matches. */
export const isForeignKeyViolation = (error: unknown, constraint?: string): boolean =>
  codeOf(error) === FOREIGN_KEY_VIOLATION && (constraint === undefined || constraintOf(error) === constraint)
export const isWrongAssumption = (error: unknown): boolean => codeOf(error) === WRONG_ASSUMPTION
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === LOCK_NOT_AVAILABLE

/**
 * Temporary errors, by SQLSTATE class and errno: connection, a standby (25006), login (a password is being changed),
 * resources, operator, I/O, deadlock, cancel.
 */
const PASSING =
  /^(08|25006|28|53|57|58030|40001|40P01|55P03|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|DB_TIMEOUT|DB_NOT_BEGUN)/
const PASSING_TEXT =
  /Connection terminated|timeout expired|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|pool after calling end/

export function isPassing(error: unknown): boolean {
  return PASSING.test(codeOf(error)) || (error instanceof Error && PASSING_TEXT.test(error.message))
}

/**
 * The database cannot do the work now, whichever statement it gets: the connection failed, it is a standby (after a
 * failover), or it has no disk space, memory or connections left.
 */
export const isOutage = (error: unknown): boolean =>
  /^(08|25006|53|57P|58030|ECONN|EPIPE|ETIMEDOUT|DB_TIMEOUT)/.test(codeOf(error)) ||
  (error instanceof Error && PASSING_TEXT.test(error.message))

export function unavailable(cause: unknown): Failure {
  const isFull = codeOf(cause) === DISK_FULL
  const message = isFull
    ? 'The database is full. Repeat the request later.'
    : 'The server cannot reach its database. Repeat the request in a moment.'
  return new Failure('service_unavailable', message, { headers: { 'retry-after': isFull ? '60' : '5' }, cause })
}
