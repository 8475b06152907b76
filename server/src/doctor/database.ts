// Whether each role comes in.

import { firstOf } from '@octavo/base/required.ts'
import { messageOf } from '@octavo/base/unknown.ts'
import { type Address, addressOf } from './address.ts'
import { lookForServer, psql, startAgain } from './commands.ts'
import { type Connection, type ConnectionName, type Installation, urlOf } from './connections.ts'
import { type Check, codeOf, type Finding, failed, ok, reasonOf, skipped, warning } from './finding.ts'
import { migrateCommand } from './operator-commands.ts'
import { lacking } from './settings.ts'

const TESTED_VERSION = 17
/** The server itself, or the way to it: the same for every role. */
const AWAY = /^(ECONN|ENOTFOUND|EAI_|EHOST|ENET|ETIMEDOUT|57P03|53300|3D000)/
const NO_ANSWER = /timeout|terminated/i

export function databaseChecks(installation: Installation): Check[] {
  const owner: Check = { name: 'owner_database', run: () => look(installation, 'DATABASE_OWNER_URL') }
  return [
    { name: 'database', run: () => look(installation, 'DATABASE_URL') },
    { name: 'system_database', run: () => look(installation, 'DATABASE_SYSTEM_URL') },
    // Without AUTO_MIGRATE it only says where the database is.
    ...(installation.config.database_owner_url && installation.config.has_auto_migrate ? [owner] : []),
  ]
}

async function look(installation: Installation, name: ConnectionName): Promise<Finding> {
  const lack = lacking(installation, name)
  if (lack) return lack
  const connection = await installation.connections.open(name)
  if (!connection) return skipped('Skipped: it is not set.')
  const address = addressOf(urlOf(installation, name))
  if ('pool' in connection)
    return name === 'DATABASE_OWNER_URL' && installation.is_single
      ? welcomeOwner(connection, address)
      : welcome(connection, address)
  return isAway(connection.trouble) && (await isToldAlready(installation, name))
    ? skipped('Skipped: see the database above.')
    : explain(installation, name, connection.trouble)
}

const isAway = (trouble: unknown): boolean => AWAY.test(codeOf(trouble)) || NO_ANSWER.test(messageOf(trouble))

/** One server that is down is one finding: that of the first role that wanted to go there. */
async function isToldAlready(installation: Installation, name: ConnectionName): Promise<boolean> {
  const place = (one: ConnectionName): string => {
    const { host, port, database } = addressOf(urlOf(installation, one))
    return `${host}:${port}/${database}`
  }
  for (const earlier of ['DATABASE_URL', 'DATABASE_SYSTEM_URL'] as const) {
    if (earlier === name) return false
    const connection = await installation.connections.open(earlier)
    if (connection && 'trouble' in connection && isAway(connection.trouble) && place(earlier) === place(name))
      return true
  }
  return false
}

type OpenConnection = Extract<NonNullable<Connection>, { pool: unknown }>

async function welcome({ pool }: OpenConnection, { host, port }: Address): Promise<Finding> {
  const { rows } = await pool.query<{ role: string; version: string; number: string; database: string }>(
    `select current_user as role, current_setting('server_version') as version, current_setting('server_version_num') as number, current_database() as database`,
  )
  const { role, version, number, database } = firstOf(rows)
  const major = Math.floor(Number(number) / 10_000)
  const says = `PostgreSQL ${version.split(' ')[0]} at ${host}:${port}: logged in to '${database}' as '${role}'.`
  if (major >= TESTED_VERSION) return ok(says)
  return warning(
    `${says} Octavo is tested with PostgreSQL ${TESTED_VERSION}.`,
    `Upgrade to PostgreSQL ${TESTED_VERSION} or newer.`,
  )
}

/** One process makes the other roles itself, and sets their passwords. */
async function welcomeOwner(connection: OpenConnection, address: Address): Promise<Finding> {
  const { rows } = await connection.pool.query<{ role: string; may: boolean }>(
    'select rolname as role, rolsuper or rolcreaterole as may from pg_roles where rolname = current_user',
  )
  const { role, may } = firstOf(rows)
  if (may) return welcome(connection, address)
  return failed(
    `'${role}' of DATABASE_OWNER_URL may not create roles, which single-process mode needs.`,
    'Allow it as a superuser, or create the roles yourself and set DATABASE_URL and DATABASE_SYSTEM_URL:',
    psql(address, 'postgres', `alter role ${role} createrole`),
  )
}

async function explain(installation: Installation, name: ConnectionName, trouble: unknown): Promise<Finding> {
  const { host, port, user, database } = addressOf(urlOf(installation, name))
  const at = `${host}:${port}`
  switch (codeOf(trouble)) {
    case '28P01':
    case '28000':
      return explainLogin(installation, name, trouble)
    case '3D000':
      return failed(
        `The database '${database}' does not exist at ${at}.`,
        `Correct the name at the end of ${name}, or create the database as a user with that right:`,
        `createdb -h ${host} -p ${port} -U ${ownerOf(installation)} ${database}`,
      )
    case '57P03':
      return failed(
        `PostgreSQL at ${at} is starting or stopping.`,
        'Wait until it accepts connections and run the doctor again. If it does not, read its log.',
      )
    case '53300':
      return failed(
        `PostgreSQL at ${at} has no free connection for '${user}'.`,
        'Lower DATABASE_POOL, raise max_connections of PostgreSQL, or use pgbouncer.',
      )
    default:
      if (!isAway(trouble)) return failed(`Cannot connect with ${name}: ${messageOf(trouble)}`, `Correct ${name}.`)
      return failed(
        `PostgreSQL at ${at} cannot be reached: ${codeOf(trouble) ? reasonOf(trouble) : 'no response in time'}.`,
        `Start PostgreSQL, or correct the host and port in ${installation.is_single ? 'DATABASE_OWNER_URL' : name}. To test the connection:`,
        ...lookForServer(addressOf(urlOf(installation, name))),
      )
  }
}

const ownerOf = (installation: Installation): string => {
  const url = installation.config.database_owner_url
  return url ? addressOf(url).user : 'postgres'
}

/** The server says the same of a wrong password and of a role that is not there; another role that comes in knows. */
async function explainLogin(installation: Installation, name: ConnectionName, trouble: unknown): Promise<Finding> {
  const address = addressOf(urlOf(installation, name))
  const { user } = address
  const found = await findRole(installation, user)
  const say = (statement: string): string => psql(address, ownerOf(installation), statement)
  if (installation.is_single && name !== 'DATABASE_OWNER_URL' && found === 'absent')
    return skipped(`The role '${user}' does not exist yet; the next start creates it.`)
  if (installation.is_single && name !== 'DATABASE_OWNER_URL')
    return failed(
      `The role '${user}' cannot log in with the password that Octavo generated for it.`,
      'Restart Octavo. It sets the passwords of its roles at every start, and reports if they belong to another installation.',
      startAgain(),
    )
  if (found === 'absent') return explainAbsent(name, user, say(`\\password ${user}`))
  if (found === 'no_login')
    return failed(
      `The role '${user}' of ${name} may not log in.`,
      'Allow it as a superuser:',
      say(`alter role ${user} login`),
    )
  if (codeOf(trouble) === '28000')
    return failed(
      `PostgreSQL does not allow '${user}' to connect from this machine: ${messageOf(trouble)}.`,
      `Allow it in pg_hba.conf of the server, or correct ${name}.`,
    )
  return failed(
    `The password of '${user}' in ${name} is wrong${found === 'unknown' ? ', or the role does not exist' : ''}.`,
    `Correct the password in ${name} (percent-encode special characters), or set the role's password as a superuser:`,
    say(`\\password ${user}`),
  )
}

const EXPECTED: Readonly<Record<string, string>> = { DATABASE_URL: 'octavo_app', DATABASE_SYSTEM_URL: 'octavo_system' }

function explainAbsent(name: ConnectionName, user: string, command: string): Finding {
  const says = `The role '${user}' of ${name} does not exist.`
  const expected = EXPECTED[name] ?? user
  if (user !== expected)
    return failed(says, `Correct ${name}: connect as ${expected}, the role that the database policies name.`)
  return failed(says, 'Migrations create it; then set its password to the one in the URL:', migrateCommand(), command)
}

async function findRole(
  installation: Installation,
  role: string,
): Promise<'there' | 'absent' | 'no_login' | 'unknown'> {
  const pool = await installation.connections.any()
  if (!pool) return 'unknown'
  const { rows } = await pool.query<{ rolcanlogin: boolean }>('select rolcanlogin from pg_roles where rolname = $1', [
    role,
  ])
  if (!rows[0]) return 'absent'
  return rows[0].rolcanlogin ? 'there' : 'no_login'
}
