// What a check finds: a status, one sentence that names the cause, and what to do about it.

export interface Finding {
  /** `skipped`: it could not be looked at, because of something that another check tells, or there is nothing to look at. */
  status: 'ok' | 'warning' | 'failed' | 'skipped'
  says: string
  /** What to do, in one sentence. */
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
    const { code: own, errors } = one as Error & { code?: unknown; errors?: unknown[] }
    if (typeof own === 'string') code = own
    // One name may have several addresses, each with its own failure.
    one = one.cause ?? errors?.[0]
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
  return (one as Error).message || String(one)
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (connection refused)',
  ECONNRESET: 'it closes the connection',
  ENOTFOUND: 'the name of the host is not known (DNS)',
  EAI_AGAIN: 'the name of the host cannot be looked up (DNS)',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to its network',
  ETIMEDOUT: 'it does not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer in time',
  UND_ERR_SOCKET: 'it closes the connection',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS',
  EPROTO: 'it does not speak TLS',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is of an unknown authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is of another name',
  EACCES: 'this user may not do that (permission denied)',
  EPERM: 'this user may not do that (not permitted)',
  EROFS: 'the file system is read-only',
  ENOENT: 'it is not there',
  ENOTDIR: 'a part of the path is not a directory',
}
