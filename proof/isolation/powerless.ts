// Credentials that must not work: broken, ended, of a suspended tenant, or without a scope.

import { setTimeout as sleep } from 'node:timers/promises'
import { scopeNames } from '@octavo/contract'
import { newSecret } from '../../server/src/auth/credential.ts'
import { suspendTenant } from '../../server/src/tenants/tenants.service.ts'
import { type Belongings, makeBelongings } from '../lib/belongings.ts'
import { callPatiently as call, type ProofCaller } from '../lib/call.ts'
import type { World } from '../lib/world.ts'
import { accessOf, type IsolationVictim, newMark, type Powerless, uuidOfTenant } from './party.ts'

export async function castSuspended(world: World, url: string): Promise<Powerless & { tenant: string; mark: string }> {
  const { tenant, key } = await world.newTenant()
  const caller = { url, secret: key.secret }
  const mark = newMark()
  const target = await makeBelongings(caller, { mark, refs: {} }, { giveAccess: accessOf(world, tenant) })
  await suspendTenant(world.app.system, tenant, true)
  return {
    name: 'key of a suspended tenant',
    caller: spread(caller),
    status: 401,
    scopes: null,
    target,
    tenant: uuidOfTenant(tenant),
    mark,
  }
}

let count = 0
/** Failed credentials are counted by address, so each of these uses different addresses. */
export const spread = (caller: ProofCaller): ProofCaller => ({
  ...caller,
  get headers() {
    count++
    return { ...caller.headers, 'x-forwarded-for': `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}` }
  },
})

/** All were seen to work before they stopped working, so that a remembered credential would show. */
export async function castPowerless(world: World, victim: IsolationVictim, tenant: string): Promise<Powerless[]> {
  const { url } = victim.caller
  const [target] = victim.sets as [Belongings]
  const main = victim.caller.secret!
  const expires_at = new Date(Date.now() + 1_500).toISOString()
  const [revoked, rotated, expired] = await Promise.all([
    world.newKey(tenant),
    world.newKey(tenant),
    world.newKey(tenant, { expires_at }),
  ])
  for (const { secret } of [revoked, rotated, expired])
    await call({ url, secret }, { method: 'GET', path: '/api/v1/capabilities' })
  await call(victim.caller, { method: 'DELETE', path: `/api/v1/api-keys/${revoked.id}` })
  await call(victim.caller, { method: 'POST', path: `/api/v1/api-keys/${rotated.id}/rotations` })
  await sleep(Math.max(0, Date.parse(expires_at) - Date.now()) + 50)

  const secrets: Record<string, string> = {
    'malformed key': 'oct_key_nonsense',
    'key with a wrong checksum': `${main.slice(0, -1)}${main.endsWith('0') ? '1' : '0'}`,
    'unknown key': newSecret('key'),
    'revoked key': revoked.secret,
    'expired key': expired.secret,
    'rotated secret': rotated.secret,
  }
  const callers = Object.entries(secrets).map(([name, secret]): [string, ProofCaller] => [name, { url, secret }])
  callers.push(['no credential', { url, secret: null }])
  callers.push([
    'key by another scheme',
    { url, secret: null, headers: { authorization: `Basic ${Buffer.from(`${main}:`).toString('base64')}` } },
  ])
  const broken = callers.map(([name, caller]): Powerless => {
    return { name, caller: caller.headers ? caller : spread(caller), status: 401, scopes: null, target }
  })
  const narrow = scopeNames.map(async (scope): Promise<Powerless> => {
    const scopes = scopeNames.filter((name) => name !== scope)
    const key = await world.newKey(tenant, { scopes })
    return {
      name: `key without ${scope}`,
      caller: { url, secret: key.secret },
      status: 403,
      scopes: new Set(scopes),
      target,
    }
  })
  return [...broken, ...(await Promise.all(narrow))]
}
