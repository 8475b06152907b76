// Databases in states that migrations do not leave behind.

import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { readMigrations } from '../../server/src/db/migrate.ts'
import { installEngine } from '../../server/src/jobs/pg-boss.ts'
import { asAdmin } from '../lib/admin.ts'
import type { DoctorEnv } from './examine.ts'

const MIGRATE = fileURLToPath(new URL('../../server/src/bin/migrate.ts', import.meta.url))
const VARIABLES = ['DATABASE_URL', 'DATABASE_SYSTEM_URL', 'DATABASE_OWNER_URL']

interface Own {
  env: DoctorEnv
  asAdmin(text: string): Promise<unknown>
  drop(): Promise<unknown>
}

/** As PostgreSQL makes it: no extension, no tables. */
export async function createBare(well: DoctorEnv): Promise<Own> {
  const name = `octavo_proof_${randomBytes(6).toString('hex')}`
  const owner = decodeURIComponent(new URL(well.DATABASE_OWNER_URL!).username)
  await asAdmin('postgres', (client) =>
    client.query(`create database ${name} template template0 owner ${pg.escapeIdentifier(owner)}`),
  )
  const urls = VARIABLES.map((variable) => {
    const url = new URL(well[variable]!)
    url.pathname = `/${name}`
    return [variable, url.href]
  })
  return {
    env: { ...well, ...(Object.fromEntries(urls) as DoctorEnv) },
    asAdmin: (text) => asAdmin(name, (client) => client.query(text)),
    drop: () => asAdmin('postgres', (client) => client.query(`drop database if exists ${name} with (force)`)),
  }
}

/** Without the last migrations, as the version before them would have left it. */
export async function createOld(well: DoctorEnv, lacks: number): Promise<Own> {
  const own = await createBare(well)
  await own.asAdmin('create extension vector')
  const client = new pg.Client({ connectionString: own.env.DATABASE_OWNER_URL! })
  await client.connect()
  try {
    await client.query('create table migrations (name text primary key, applied_at timestamptz not null default now())')
    await client.query('grant select on migrations to octavo_app, octavo_system')
    for (const { name, text } of readMigrations().slice(0, -lacks)) {
      await client.query(text)
      await client.query('insert into migrations (name) values ($1)', [name])
    }
  } finally {
    await client.end()
  }
  await installEngine(own.env.DATABASE_OWNER_URL!)
  return own
}

/** Runs the same program as `npm run migrate`. */
export async function migrate({ DATABASE_OWNER_URL = '' }: DoctorEnv): Promise<void> {
  await promisify(execFile)(process.execPath, [MIGRATE], { env: { PATH: process.env.PATH ?? '', DATABASE_OWNER_URL } })
}
