// Operator commands: tenants with their tiers, models and budgets, tenant-wide keys, explaining a job, sweeping
// storage.

import { writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { parseArgs } from 'node:util'
import { codeOf, isOneOf, messageOf } from '@octavo/base/unknown.ts'
import { roleNames, scopeNames, tierNames } from '@octavo/contract'
import { openApp } from '../app.ts'
import { readConfigOrExit } from '../config/config.ts'
import { lacksSecret, singleEnvironment } from '../config/single.ts'
import { adminCommand, isImage } from '../doctor/operator-commands.ts'
import { operator } from '../lib/caller.ts'
import { Failure } from '../lib/failure.ts'
import { toId, uuidOf } from '../lib/ids.ts'
import { rotateSigningKeys } from '../oauth/signing-keys.ts'
import { createKey } from '../resources/api-keys/api-keys.service.ts'
import { stopReasons, sweep } from '../resources/files/files.sweep.ts'
import { createInvitation } from '../resources/invitations/invitations.service.ts'
import { explainJob } from '../resources/jobs/jobs.explain.ts'
import { resetByEmail } from '../resources/users/users.resets.ts'
import { deleteTenant } from '../tenants/tenants.delete.ts'
import { exportTenant } from '../tenants/tenants.export.ts'
import { importTenant } from '../tenants/tenants.import.ts'
import {
  createTenant,
  listTenants,
  modelRoles,
  readSettings,
  readTenant,
  updateBudget,
  updateModels,
  updateTier,
} from '../tenants/tenants.service.ts'
import { resume, suspend } from '../tenants/tenants.suspend.ts'
import { readSpent } from '../usage/usage.service.ts'
import { listLarge, switchIndex } from '../vector-spaces/vector-spaces.index-switch.ts'
import { changeModel } from '../vector-spaces/vector-spaces.service.ts'
import { afterRestore } from './after-restore.ts'
import { loadSecretFilesOrExit } from './secret-files.ts'

const ADMIN = adminCommand()
const USAGE = `Usage:
  ${ADMIN} create-tenant <name> [--tier ${tierNames.join('|')}]   creates a tenant and its first key
  ${ADMIN} create-key <tenant_id> [--name <name>] [--scopes a,b]  creates a key; default: all scopes
  ${ADMIN} invite <tenant_id> <email> [--role ${roleNames.join('|')}]   prints an invitation link; default role: owner
  ${ADMIN} reset-password <tenant_id> <email>                    prints a link to choose a new password
  ${ADMIN} set-tier <tenant_id> <tier>
  ${ADMIN} set-models <tenant_id> [--default-generator <id>] [--default-embedder <id>] [--default-labels <id>] [--allow a,b|all]
  ${' '.repeat(ADMIN.length)}                                                        'none' restores the installation's default
  ${ADMIN} set-budget <tenant_id> <micros|none>                   limits the cost of remote models per day (UTC)
  ${ADMIN} suspend <tenant_id> | resume <tenant_id>
  ${ADMIN} list-tenants
  ${ADMIN} export-tenant <tenant_id> --to <directory>             writes the tenant's rows and objects to an archive; needs DATABASE_OWNER_URL
  ${ADMIN} import-tenant <directory>                              restores an archive with the same ids, as a suspended tenant; needs DATABASE_OWNER_URL
  ${ADMIN} delete-tenant <tenant_id> [--by <name>] [--receipt <file>]   deletes a suspended tenant; needs DATABASE_OWNER_URL
  ${ADMIN} show-tenant <tenant_id>                                shows tier, models, budget and today's spending
  ${ADMIN} explain-job <job_id>                                   shows what a job is doing, why it is waiting or how it ended
  ${ADMIN} change-embedder <tenant_id> <model>                    embeds the tenant's chunks with another model, then switches its searches
  ${ADMIN} large-tenants                                          lists tenants whose searches need a separate index
  ${ADMIN} promote-search <tenant_id> [--memory 4GB]              creates that index; needs DATABASE_OWNER_URL
  ${ADMIN} rotate-signing-keys                                    signs new access tokens with the next key
  ${ADMIN} sweep [--dry-run]                                      removes stored bytes without a row and reports files without bytes
  ${ADMIN} after-restore [--revoke-all-keys] [--accept-missing]   repairs a restored database; run it before any other process starts
`
/** Number of arguments of each command. */
const COMMANDS: Record<string, number> = {
  'create-tenant': 1,
  'create-key': 1,
  invite: 2,
  'reset-password': 2,
  'set-tier': 2,
  'set-models': 1,
  'set-budget': 2,
  'show-tenant': 1,
  suspend: 1,
  resume: 1,
  'list-tenants': 0,
  'export-tenant': 1,
  'import-tenant': 1,
  'delete-tenant': 1,
  'explain-job': 1,
  'change-embedder': 2,
  'large-tenants': 0,
  'promote-search': 1,
  'rotate-signing-keys': 0,
  sweep: 0,
  'after-restore': 0,
}
const OPTIONS = {
  tier: { type: 'string', default: 'self_hosted' },
  name: { type: 'string', default: 'Operator key' },
  scopes: { type: 'string' },
  role: { type: 'string', default: 'owner' },
  'default-generator': { type: 'string' },
  'default-embedder': { type: 'string' },
  'default-labels': { type: 'string' },
  allow: { type: 'string' },
  to: { type: 'string', default: '' },
  by: { type: 'string', default: userInfo().username },
  receipt: { type: 'string', default: '' },
  memory: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  'revoke-all-keys': { type: 'boolean', default: false },
  'accept-missing': { type: 'boolean', default: false },
} as const
/** Commands whose output is data report progress on standard error. */
const sayProgress = (text: string): boolean => process.stderr.write(`${text}\n`)
const say = (text: string): boolean => process.stdout.write(`${text}\n`)

const { values, command, first, second } = parseCommand()
loadSecretFilesOrExit()
const app = openApp(
  readConfigOrExit({ ...readEnvironment(), BASE_URL: process.env.BASE_URL ?? 'http://localhost', LOG_LEVEL: 'silent' }),
)
try {
  process.exitCode = await run()
} catch (error) {
  process.stderr.write(`${messageOf(error)}${hintOf(error)}\n`)
  process.exitCode = 1
} finally {
  await app.close()
}

/** The passwords of the roles are derived from the secret, and the process sets them at startup. */
function hintOf(error: unknown): string {
  const is_single = !process.env.DATABASE_URL
  return is_single && codeOf(error).startsWith('28')
    ? '. Start Octavo once: it sets the passwords of its roles, even if it then refuses to start. Then run this command again.'
    : ''
}

/** A single process (all.ts) derives the settings that are not set, and keeps its secret in OCTAVO_DATA_DIR. */
function readEnvironment() {
  const { DATABASE_URL, DATABASE_OWNER_URL, OCTAVO_SECRETS } = process.env
  if (!DATABASE_OWNER_URL) return process.env
  if (DATABASE_URL && (OCTAVO_SECRETS || lacksSecret(process.env))) return process.env
  try {
    return singleEnvironment(process.env)
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`)
    return process.exit(1)
  }
}

function parseCommand() {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: OPTIONS })
    const [command = '', ...words] = positionals
    const surplus = words[COMMANDS[command] ?? words.length]
    // npm keeps options without `--` before them for itself: at most their values arrive.
    const kept = Object.keys(OPTIONS).find(
      (option) => process.env[`npm_config_${option.replaceAll('-', '_')}`] !== undefined,
    )
    const again = isImage() ? '' : `Options need '--' before the command: ${ADMIN} ${command} …`
    if (kept !== undefined) throw new Error(`npm did not pass --${kept} on. ${again}`)
    if (surplus !== undefined)
      throw new Error(`'${surplus}' is not expected by ${command}. Put a name with spaces in quotes. ${again}`)
    return { values, command, first: words[0] ?? '', second: words[1] ?? '' }
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`)
    return process.exit(1)
  }
}

async function run(): Promise<number> {
  switch (command) {
    case 'create-tenant': {
      const tenant = await createTenant(app.system, first, values.tier)
      say(`tenant ${tenant.id}`)
      return createTenantKey(tenant.id)
    }
    case 'create-key':
      return createTenantKey(first)
    case 'invite':
      return invite(first, second)
    case 'reset-password':
      return resetPassword(first, second)
    case 'set-tier':
      await updateTier(app.system, first, second)
      // A higher tier may have free slots for waiting jobs.
      await app.db.transaction(operator(uuidOf('ten', first), []), (tx) => app.jobs.refill(tx))
      return 0
    case 'set-models':
      return setModels(first)
    case 'set-budget':
      if (second !== 'none' && !/^\d{1,15}$/.test(second))
        throw new Error('The budget must be a whole number of micros or none.')
      await updateBudget(app.system, first, second === 'none' ? null : Number(second))
      return 0
    case 'show-tenant':
      return showTenant(first)
    case 'suspend':
      await suspend(app, first)
      return 0
    case 'resume':
      await resume(app, first)
      return 0
    case 'list-tenants':
      for (const tenant of await listTenants(app.system))
        say(`${tenant.id}  ${tenant.tier}  ${tenant.suspended_at ? 'suspended' : 'active'}  ${tenant.name}`)
      return 0
    case 'export-tenant':
      if (values.to === '') throw new Error('Name a directory for the archive: --to <directory>')
      await exportTenant(app, first, values.to, say)
      return 0
    case 'import-tenant':
      return importTenantNow(first)
    case 'delete-tenant':
      return deleteTenantNow(first)
    case 'explain-job':
      for (const line of await explainJob(app, first)) say(line)
      return 0
    case 'change-embedder': {
      const { id } = await readTenant(app.system, first)
      const space = await changeModel(app, uuidOf('ten', id), second)
      say(
        space.status === 'active'
          ? `searched by ${second} from now on`
          : `${second} becomes active when all chunks are embedded`,
      )
      return 0
    }
    case 'large-tenants':
      for (const { tenant } of await listLarge(app)) say(toId('ten', tenant))
      return 0
    case 'promote-search': {
      const { id } = await readTenant(app.system, first)
      await switchIndex(app, uuidOf('ten', id), say, values.memory)
      return 0
    }
    case 'rotate-signing-keys':
      say(`key ${await rotateSigningKeys(app)} signs from now on; running processes use it within 30 s`)
      return 0
    case 'sweep':
      return sweepNow(values['dry-run'])
    case 'after-restore':
      await afterRestore(
        app,
        { revokes_all: values['revoke-all-keys'], accepts_missing: values['accept-missing'] },
        say,
      )
      return 0
    default:
      process.stderr.write(USAGE)
      return 1
  }
}

async function resetPassword(tenant_id: string, email: string): Promise<number> {
  const { id } = await readTenant(app.system, tenant_id)
  const { url, expires_at } = await app.db
    .transaction(operator(uuidOf('ten', id), []), (tx) => resetByEmail(app, tx, email))
    .catch((error: unknown) => {
      throw error instanceof Failure ? new Error(`No user of the tenant has the address '${email}'.`) : error
    })
  say(`link ${url}\nworks once, until ${expires_at.toISOString()}`)
  return 0
}

async function setModels(tenant_id: string): Promise<number> {
  const named = modelRoles.flatMap((role): [string, string | null][] => {
    const value = values[`default-${role}`]
    return value === undefined ? [] : [[role, value === 'none' ? null : value]]
  })
  const { allow } = values
  if (named.length === 0 && allow === undefined)
    throw new Error('Nothing to set: name a default model or the allowed models.')
  const allowed =
    allow === undefined ? {} : { allowed: allow === 'all' ? null : allow.split(',').filter((id) => id !== '') }
  const known = [...app.models.list(), ...(await app.readers.list())]
  await updateModels(app.system, tenant_id, { defaults: Object.fromEntries(named), ...allowed }, known)
  return 0
}

/** An archive comes from elsewhere, so its limits need the operator's consent. */
async function importTenantNow(directory: string): Promise<number> {
  const { tenant_id } = await importTenant(app, directory, say)
  await showTenant(tenant_id)
  say(`The tenant is suspended. Check its tier, models and budget, then run: ${ADMIN} resume ${tenant_id}`)
  return 0
}

async function showTenant(tenant_id: string): Promise<number> {
  const tenant = await readTenant(app.system, tenant_id)
  const { default_models, allowed_models, daily_budget_micros } = await readSettings(app.system, tenant_id)
  const spent = await readSpent(app.db.for(operator(uuidOf('ten', tenant.id), [])))
  say(`tenant    ${tenant.id}  ${tenant.name}`)
  say(`tier      ${tenant.tier}${tenant.suspended_at ? ', suspended' : ''}`)
  for (const role of modelRoles)
    say(`${role.padEnd(9)} ${default_models[role] ?? `${app.models.defaults[role] ?? 'none'} (installation default)`}`)
  say(`allowed   ${allowed_models === null ? 'all models' : allowed_models.join(', ') || 'built-in models only'}`)
  say(`budget    ${daily_budget_micros === null ? 'no limit' : `${daily_budget_micros} micros per day`}`)
  say(`spent     ${spent} micros today`)
  return 0
}

async function sweepNow(is_dry: boolean): Promise<number> {
  const swept = await sweep(app, { is_dry })
  if (!swept) throw new Error('Another process is sweeping. Try again later.')
  const { objects, files, removed, removed_bytes, aborted, missing, newly_missing, found_again, foreign, stopped } =
    swept
  const did = is_dry ? 'would be removed' : 'were removed'
  say(`checked ${objects} objects and ${files} files`)
  say(`${removed} objects without a row (${removed_bytes} bytes) and ${aborted} uploads in parts ${did}`)
  say(`${missing} files have no bytes, ${newly_missing} of them new; ${found_again} have their bytes again`)
  if (foreign > 0) say(`${foreign} objects belong to tenants that this database does not know, and were kept`)
  if (stopped === null) return 0
  throw new Error(`The sweep stopped early: ${stopReasons[stopped]}.`)
}

async function deleteTenantNow(id: string): Promise<number> {
  const text = `${JSON.stringify(await deleteTenant(app, { id, by: values.by }, sayProgress), null, 2)}\n`
  if (values.receipt === '') process.stdout.write(text)
  else writeFileSync(values.receipt, text)
  return 0
}

/** How a tenant gets its first owner. */
async function invite(tenant_id: string, email: string): Promise<number> {
  const { id } = await readTenant(app.system, tenant_id)
  const { role } = values
  if (!isOneOf(roleNames, role)) throw new Error(`'${role}' is not a role. Roles: ${roleNames.join(', ')}`)
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new Error(`'${email}' is not an email address.`)
  const { url, expires_at } = await app.db.transaction(operator(uuidOf('ten', id), scopeNames), (tx) =>
    createInvitation(app, tx, { email, role }),
  )
  say(`link ${url}\nworks once, until ${expires_at}`)
  if (!process.env.BASE_URL) say('BASE_URL is not set: replace http://localhost with the address of your server')
  return 0
}

async function createTenantKey(tenant_id: string): Promise<number> {
  const { id } = await readTenant(app.system, tenant_id)
  const asked = values.scopes?.split(',') ?? scopeNames
  const scopes = asked.filter((scope) => isOneOf(scopeNames, scope))
  const unknown = asked.find((scope) => !isOneOf(scopeNames, scope))
  if (unknown) throw new Error(`'${unknown}' is not a scope. Scopes: ${scopeNames.join(', ')}`)
  const key = await app.db.transaction(operator(uuidOf('ten', id), scopeNames), (tx) =>
    createKey(tx, { name: values.name, scopes }),
  )
  say(`key    ${key.id}\nsecret ${key.secret}   (shown only once)`)
  return 0
}
