// Security events: refusals that an operator may want to count, with the client's address and the key.

import type { ErrorCode } from '@octavo/contract'
import type { Needs } from '../../app.ts'
import { toId } from '../../lib/ids.ts'
import type { Context } from './context.ts'

const EVENTS: Partial<Record<ErrorCode, string>> = {
  unauthenticated: 'authentication failed',
  invalid_token: 'authentication failed',
  insufficient_scope: 'scope refused',
  rate_limit_exceeded: 'rate limited',
}

export function logSecurityEvent({ log }: Needs<'log'>, code: ErrorCode, address: string, context: Context): void {
  const event = EVENTS[code]
  if (event === undefined) return
  const { principal, former_key, request_id, operation } = context
  const key = principal?.actor.type === 'api_key' ? principal.actor.id : former_key?.key
  const tenant = principal?.tenant ?? former_key?.tenant
  log.warn(former_key ? 'revoked key used' : event, {
    request_id,
    operation,
    code,
    address,
    ...(key ? { key_id: toId('key', key) } : {}),
    ...(tenant ? { tenant_id: toId('ten', tenant) } : {}),
  })
}
