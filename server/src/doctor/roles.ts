// Whether the roles are those that row-level security binds and that its policies name.

import { firstOf } from '@octavo/base/required.ts'
import { findDangers } from '../db/guard.ts'
import { addressOf } from './address.ts'
import { type Installation, urlOf } from './connections.ts'
import { type Check, type Finding, failed, ok, skipped } from './finding.ts'
import { migrateCommand } from './operator-commands.ts'

const EXPECTED = { DATABASE_URL: 'octavo_app', DATABASE_SYSTEM_URL: 'octavo_system' } as const
type RoleConnection = keyof typeof EXPECTED

export function roleChecks(installation: Installation): Check[] {
  return [
    { name: 'role', run: () => look(installation, 'DATABASE_URL') },
    { name: 'system_role', run: () => look(installation, 'DATABASE_SYSTEM_URL') },
  ]
}

async function look(installation: Installation, name: RoleConnection): Promise<Finding> {
  const connection = await installation.connections.open(name)
  if (!connection || 'trouble' in connection) return skipped(`Skipped: cannot log in with ${name}.`)
  const expected = EXPECTED[name]
  const command = `${name}=${exampleOf(urlOf(installation, name), expected)}`
  const { rows } = await connection.pool.query<{ role: string; is_there: boolean; is_it: boolean }>(
    `select current_user as role, exists (select from pg_roles where rolname = $1) as is_there,
    exists (select from pg_roles where rolname = $1 and pg_has_role(current_user, oid, 'usage')) as is_it`,
    [expected],
  )
  const { role, is_there, is_it } = firstOf(rows)
  const makes = is_there ? '' : `, which ${migrateCommand()} makes`
  const remedy = `Connect as ${expected}${makes}, with the password of that role. Change ${name}:`
  const dangers = await findDangers(connection.pool)
  const [unbound] = dangers.filter((danger) => danger.startsWith('The role ')).map(vicesOf)
  const [table] = dangers.filter((danger) => !danger.startsWith('The role '))
  if (unbound !== undefined)
    return failed(
      `${name} connects as '${role}', which ${unbound}: row-level security does not apply to it, and tenants could see each other's rows.`,
      remedy,
      command,
    )
  // Both roles see it, and one says it.
  if (table !== undefined && name === 'DATABASE_URL')
    return failed(
      table,
      'If it is your own table, move it to another schema or database. If it belongs to Octavo, it was changed: compare it with a fresh installation.',
    )
  if (!is_there) return skipped(`Skipped: the role ${expected} does not exist yet; migrations create it.`)
  if (!is_it)
    return failed(`${name} connects as '${role}', but the database policies name only ${expected}.`, remedy, command)
  return ok(`'${role}' is subject to row-level security.`)
}

/** The problem alone, without the role's name and the advice. */
const vicesOf = (danger: string): string => firstOf(danger.split(/: |\. /)).replace(/^The role '[^']*' /, '')

function exampleOf(url: string, role: string): string {
  const { host, port, database } = addressOf(url)
  return `postgres://${role}:<password>@${host}:${port}/${database}`
}
