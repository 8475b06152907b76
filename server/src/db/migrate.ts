// Plain SQL files, applied once each, in order. Safe to run from several processes at once: they wait on one lock.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { firstOf } from '@octavo/base/required.ts'
import { codeOf, messageOf } from '@octavo/base/unknown.ts'
import pg from 'pg'

const FOLDER = new URL('./migrations/', import.meta.url)
const LOCK = 0x6f637461 // 'octa'
const LOCK_TIMEOUT_MS = 100
const ATTEMPTS = 300
/** A migration with this statement contains nothing else. */
const CONCURRENT = /^create index concurrently if not exists (\w+)/m

export interface Migration {
  name: string
  text: string
}

export const listMigrations = (): string[] =>
  readdirSync(FOLDER)
    .filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name))
    .map((name) => name.slice(0, -4))
    .sort()

export const readMigrations = (): Migration[] =>
  listMigrations().map((name) => ({ name, text: readFileSync(new URL(`${name}.sql`, FOLDER), 'utf8') }))

/** Names the schema: equal for equal migrations. A renamed migration is another one. */
export const schemaHash = (): string =>
  createHash('sha256')
    .update(
      readMigrations()
        .map(({ name, text }) => `${name}\0${text}`)
        .join('\0'),
    )
    .digest('hex')
    .slice(0, 12)

const ROLES = { octavo_app: 'login', octavo_system: 'login', octavo_search: 'nologin' }

/** Passwords of the roles that log in. */
export interface Logins {
  passwords: Partial<Record<keyof typeof ROLES, string>>
  /** Octavo manages the passwords itself: if a role rejects its password, the password is set again. */
  are_own: boolean
}

/** Creates missing roles when the owner may, else says which SQL a superuser must run. */
async function ensureRoles(client: pg.Client, owner_url: string, { passwords, are_own }: Logins): Promise<void> {
  const { rows } = await client.query<{ rolname: string }>('select rolname from pg_roles where rolname = any($1)', [
    Object.keys(ROLES),
  ])
  const missing = Object.entries(ROLES).filter(([role]) => !rows.some((row) => row.rolname === role))
  const statements = missing.map(([role, login]) => `create role ${role} ${login} nosuperuser nobypassrls`)
  for (const [role, password] of Object.entries(passwords)) {
    const isNew = missing.some(([name]) => name === role)
    if (!isNew && (!are_own || (await letsIn(owner_url, role, password)))) continue
    if (!isNew) await refuseShared(client, role)
    statements.push(`alter role ${role} password ${pg.escapeLiteral(password)}`)
  }
  const { rows: owners } = await client.query<{ name: string; may: boolean; makes_roles: boolean }>(
    `select current_user as name, exists (select from pg_roles r where r.rolname = 'octavo_search' and pg_has_role(r.oid, 'set')) as may,
      exists (select from pg_roles where rolname = current_user and (rolsuper or rolcreaterole)) as makes_roles`,
  )
  const { name, may, makes_roles } = firstOf(owners)
  // The owner gives its search function to this role.
  if (!may) statements.push(`grant octavo_search to ${pg.escapeIdentifier(name)}`)
  // Only Octavo knows the passwords, so a superuser cannot create these roles for it.
  if (are_own && statements.length > 0 && !makes_roles)
    throw new Error(
      `'${name}' of DATABASE_OWNER_URL may not create roles, which single-process mode needs. As a superuser, run: alter role ${pg.escapeIdentifier(name)} createrole; or create the roles yourself and set DATABASE_URL and DATABASE_SYSTEM_URL.`,
    )
  await runOrSay(client, statements, 'Roles are missing, and this user may not create them.')
}

async function letsIn(owner_url: string, role: string, password: string): Promise<boolean> {
  const url = Object.assign(new URL(owner_url), { username: role, password })
  const client = new pg.Client({ connectionString: url.href })
  try {
    await client.connect()
    return true
  } catch (error) {
    if (codeOf(error).startsWith('28')) return false
    throw error
  } finally {
    await client.end()
  }
}

/** Roles belong to the whole server: a new password would lock out an installation in another database. */
async function refuseShared(client: pg.Client, role: string): Promise<void> {
  const { rows } = await client.query<{ datname: string }>(
    `select d.datname from pg_shdepend s join pg_database d on d.oid = s.dbid
     where s.refclassid = 'pg_authid'::regclass and s.refobjid = $1::regrole and d.datname <> current_database() limit 1`,
    [role],
  )
  const [other] = rows
  if (other)
    throw new Error(
      `The role ${role} of this PostgreSQL server is also used by the database '${other.datname}', with another password. Use a separate server, or set DATABASE_URL and DATABASE_SYSTEM_URL with the passwords of octavo_app and octavo_system.`,
    )
}

async function ensureExtension(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query(`select from pg_extension where extname = 'vector'`)
  if (!rowCount)
    await runOrSay(
      client,
      ['create extension vector'],
      'The extension pgvector is missing, and this user may not create it.',
    )
}

async function runOrSay(client: pg.Client, statements: readonly string[], trouble: string): Promise<void> {
  try {
    for (const statement of statements) await client.query(statement)
  } catch (cause) {
    // Passwords must not appear on a screen or in a log.
    const shown = statements.map((text) => `  ${text.replace(/(?<= password ).*$/, "'<the password in its URL>'")};`)
    throw new Error(`${trouble} As a superuser, run:\n${shown.join('\n')}`, { cause })
  }
}

const NO_LOGINS: Logins = { passwords: {}, are_own: false }

export async function migrate(
  owner_url: string,
  say: (line: string) => void = () => {},
  logins = NO_LOGINS,
): Promise<number> {
  const client = new pg.Client({ connectionString: owner_url })
  await client.connect()
  try {
    await waitForLock(client)
    await ensureRoles(client, owner_url, logins)
    await ensureExtension(client)
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    await client.query('grant select on migrations to octavo_app, octavo_system')
    const { rows } = await client.query<{ name: string }>('select name from migrations')
    const done = new Set(rows.map((row) => row.name))
    const open = readMigrations().filter((migration) => !done.has(migration.name))
    for (const migration of open) {
      await apply(client, migration)
      say(`applied ${migration.name}`)
    }
    // Tables of later migrations need the owner's policy too.
    if (open.length > 0) await retryLocked(client, () => client.query('select allow_tenant_archives()'))
    return open.length
  } finally {
    await client.end()
  }
}

/** Polls, because a waiting statement would hold a snapshot that a concurrent index build waits for. */
async function waitForLock(client: pg.Client): Promise<void> {
  const tryLock = async (): Promise<boolean> => {
    const { rows } = await client.query<{ is_mine: boolean }>('select pg_try_advisory_lock($1) as is_mine', [LOCK])
    return firstOf(rows).is_mine
  }
  while (!(await tryLock())) await sleep(100)
}

async function apply(client: pg.Client, { name, text }: Migration): Promise<void> {
  const record = () => client.query('insert into migrations (name) values ($1)', [name])
  const [, index] = CONCURRENT.exec(text) ?? []
  try {
    if (index !== undefined) {
      await buildIndex(client, index, text)
      await record()
    } else {
      await retryLocked(client, async () => {
        await client.query(text)
        await record()
      })
    }
  } catch (error) {
    throw new Error(`Migration ${name} failed: ${messageOf(error)}`, { cause: error })
  }
}

/** Without a transaction, and without blocking writers. An interrupted build leaves an invalid index behind. */
async function buildIndex(client: pg.Client, index: string, text: string): Promise<void> {
  const { rowCount } = await client.query(
    'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [index],
  )
  if (rowCount) await client.query(`drop index concurrently ${index}`)
  await client.query(text)
}

/**
 * Runs `work` in a transaction. A statement that waits for a lock blocks all later ones, so it waits only briefly and
 * retries.
 */
async function retryLocked(client: pg.Client, work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query('begin')
      await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
      await work()
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback')
      const isLocked = codeOf(error) === '55P03'
      if (!isLocked || attempt === ATTEMPTS) throw error
      await sleep(50 + Math.random() * 100)
    }
  }
}
