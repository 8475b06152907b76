// A separate database for each test file or proof, copied from a migrated template in about 0.1 s.

import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { schemaHash } from '../db/migrate.ts'
import { install } from '../install.ts'

const LOCK = 0x74706c00 // 'tpl'

export interface TestDatabase {
  name: string
  app_url: string
  owner_url: string
  system_url: string
  /** URLs of a superuser and of a transaction pooler; null if the environment does not set them. */
  admin_url: string | null
  pooled_url: string | null
  drop(): Promise<void>
}

function urlOf(variable: string, database: string): string {
  const text = process.env[variable]
  if (!text) throw new Error(`${variable} is not set: tests need a real PostgreSQL. See CONTRIBUTING.md.`)
  const url = new URL(text)
  url.pathname = `/${database}`
  return url.href
}

async function asOwner<T>(work: (client: pg.Client) => Promise<T>, url = process.env.DATABASE_OWNER_URL): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function ensureTemplate(client: pg.Client): Promise<string> {
  const name = `octavo_template_${schemaHash()}`
  const exists = await client.query('select from pg_database where datname = $1', [name])
  if (exists.rowCount) return name
  await client.query('select pg_advisory_lock($1)', [LOCK])
  try {
    const again = await client.query('select from pg_database where datname = $1', [name])
    if (again.rowCount) return name
    await client.query(`drop database if exists ${name}_new with (force)`)
    await client.query(`create database ${name}_new`)
    await install(urlOf('DATABASE_OWNER_URL', `${name}_new`))
    await client.query(`alter database ${name}_new rename to ${name}`)
    return name
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK])
  }
}

/** `is_empty`: without our tables. */
export async function createDatabase(is_empty = false): Promise<TestDatabase> {
  const name = `octavo_test_${Date.now().toString(36)}_${randomBytes(4).toString('hex')}`
  await asOwner(async (client) => {
    await client.query(`create database ${name} ${is_empty ? '' : `template ${await ensureTemplate(client)}`}`)
  })
  return {
    name,
    app_url: urlOf('DATABASE_URL', name),
    owner_url: urlOf('DATABASE_OWNER_URL', name),
    system_url: urlOf('DATABASE_SYSTEM_URL', name),
    admin_url: process.env.DATABASE_ADMIN_URL ? urlOf('DATABASE_ADMIN_URL', name) : null,
    pooled_url: process.env.PGBOUNCER_URL ? urlOf('PGBOUNCER_URL', name) : null,
    drop: () => dropDatabase(name),
  }
}

/** A process that was killed leaves its sessions for a moment, and only a superuser may end them. */
export async function dropDatabase(name: string): Promise<void> {
  const admin = process.env.DATABASE_ADMIN_URL
  if (admin)
    return asOwner(async (client) => void (await client.query(`drop database if exists ${name} with (force)`)), admin)
  for (let attempt = 1; ; attempt++) {
    try {
      return await asOwner(async (client) => void (await client.query(`drop database if exists ${name}`)))
    } catch (error) {
      if (attempt === 50) throw error
      await sleep(100)
    }
  }
}
