// What only the operator does: tenants, their tiers, and the first key of each.

import { parseArgs } from 'node:util'
import { type Scope, scopeNames, tierNames } from '@octavo/contract'
import { openApp } from '../app.ts'
import { readConfigOrExit } from '../config.ts'
import { operator } from '../lib/caller.ts'
import { findUuid } from '../lib/ids.ts'
import { createKey } from '../resources/api-keys/api-keys.service.ts'
import { createTenant, listTenants, suspendTenant, updateTier } from '../resources/tenants/tenants.service.ts'

const USAGE = `Usage:
  admin create-tenant <name> [--tier ${tierNames.join('|')}]   creates a tenant and its first key
  admin create-key <tenant_id> [--name <name>] [--scopes a,b]  creates a key; all scopes if none are named
  admin set-tier <tenant_id> <tier>
  admin suspend <tenant_id> | resume <tenant_id>
  admin list-tenants
`
const say = (text: string): boolean => process.stdout.write(`${text}\n`)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { tier: { type: 'string', default: 'self_hosted' }, name: { type: 'string', default: 'First key' }, scopes: { type: 'string' } },
})
const [command, first = '', second = ''] = positionals
const app = openApp(readConfigOrExit({ ...process.env, BASE_URL: process.env.BASE_URL ?? 'http://localhost', LOG_LEVEL: 'silent' }))
try {
  process.exitCode = await run()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
} finally {
  await app.close()
}

async function run(): Promise<number> {
  switch (command) {
    case 'create-tenant': {
      const tenant = await createTenant(app.system, first, values.tier)
      say(`tenant ${tenant.id}`)
      return createFirstKey(tenant.id)
    }
    case 'create-key':
      return createFirstKey(first)
    case 'set-tier':
      await updateTier(app.system, first, second)
      return 0
    case 'suspend':
    case 'resume':
      await suspendTenant(app.system, first, command === 'suspend')
      return 0
    case 'list-tenants':
      for (const tenant of await listTenants(app.system))
        say(`${tenant.id}  ${tenant.tier}  ${tenant.suspended_at ? 'suspended' : 'active'}  ${tenant.name}`)
      return 0
    default:
      process.stderr.write(USAGE)
      return 1
  }
}

async function createFirstKey(tenant_id: string): Promise<number> {
  const tenant = findUuid('ten', tenant_id)
  if (!tenant) throw new Error(`'${tenant_id}' is not the id of a tenant.`)
  const scopes = (values.scopes?.split(',') ?? scopeNames) as Scope[]
  const unknown = scopes.find((scope) => !scopeNames.includes(scope))
  if (unknown) throw new Error(`'${unknown}' is not a scope. Scopes: ${scopeNames.join(', ')}`)
  const key = await app.db.transaction(operator(tenant, scopeNames), (tx) => createKey(tx, { name: values.name, scopes }))
  say(`key    ${key.id}\nsecret ${key.secret}   (shown only now)`)
  return 0
}
