// Result of a check: a status, one sentence that names the cause, and how to fix it.

import { messageOf, recordOf } from '@octavo/base/unknown.ts'

export interface Finding {
  /** `skipped`: the check does not apply, or cannot run because of a problem that another check reports. */
  status: 'ok' | 'warning' | 'failed' | 'skipped'
  says: string
  /** How to fix it, in one sentence. */
  remedy?: string
  /** To type, in this order. */
  commands?: string[]
}

export interface Check {
  name: string
  run(): Promise<Finding>
}

export interface CheckResult extends Finding {
  name: string
}

export const ok = (says: string): Finding => ({ status: 'ok', says })
export const skipped = (says: string): Finding => ({ status: 'skipped', says })

/** `commands` are what the remedy says, to be typed. */
export const failed = (says: string, remedy: string, ...commands: string[]): Finding =>
  found('failed', says, remedy, commands)
export const warning = (says: string, remedy: string, ...commands: string[]): Finding =>
  found('warning', says, remedy, commands)

const found = (status: Finding['status'], says: string, remedy: string, commands: string[]): Finding => ({
  status,
  says,
  remedy,
  ...(commands.length > 0 ? { commands } : {}),
})

const CAUSES = 10

/** The innermost error that has a code, such as ECONNREFUSED: libraries put errors into errors. */
export function codeOf(error: unknown): string {
  let code = ''
  for (let one = error, depth = 0; one instanceof Error && depth < CAUSES; depth++) {
    const { code: own, errors } = recordOf(one)
    if (typeof own === 'string') code = own
    // One name may have several addresses, each with its own failure.
    one = one.cause ?? (Array.isArray(errors) ? errors[0] : undefined)
  }
  return code
}

/** The cause in words where it has a known code, else what was said. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error)
  return REASONS[code] ?? (code || innermost(error))
}

function innermost(error: unknown): string {
  let one = error
  for (let depth = 0; one instanceof Error && one.cause instanceof Error && depth < CAUSES; depth++) one = one.cause
  return messageOf(one) || String(one)
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was closed',
  ENOTFOUND: 'unknown host (DNS)',
  EAI_AGAIN: 'DNS lookup failed',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  ETIMEDOUT: 'no response in time',
  UND_ERR_CONNECT_TIMEOUT: 'no response in time',
  UND_ERR_SOCKET: 'the connection was closed',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not use TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not use TLS',
  EPROTO: 'it does not use TLS',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate has an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate has another name',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EROFS: 'the file system is read-only',
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of the path is not a directory',
}
