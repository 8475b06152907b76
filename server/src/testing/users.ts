// Users for tests, with a password.

import { sql } from '../db/statement.ts'
import { operator } from '../lib/caller.ts'
import { newUuid, uuidOf } from '../lib/ids.ts'
import { Passwords } from '../sign-in/passwords.ts'
import type { TestApi } from './api.ts'

const INSERT =
  sql(`insert into users (tenant_id, id, email, email_key, name, role, password_hash, created_at, updated_at)
  values ($1, $3, $4, lower($4), 'Ada Lovelace', 'editor', $5, now(), now())`)

export const TEST_PASSWORD = 'correct horse battery'
let hashed: Promise<string> | null = null

async function hashOnce(): Promise<string> {
  const passwords = new Passwords()
  try {
    return await passwords.hash('test', TEST_PASSWORD)
  } finally {
    await passwords.close()
  }
}

/** Returns the user's uuid. */
export async function createTestUser(
  api: Pick<TestApi, 'app' | 'owner_tenant'>,
  email: string,
  user: { tenant?: string; password_hash?: string | null } = {},
): Promise<string> {
  const { tenant = api.owner_tenant, password_hash = await (hashed ??= hashOnce()) } = user
  const id = newUuid()
  await api.app.db.for(operator(uuidOf('ten', tenant), [])).rows(INSERT, [id, email, password_hash])
  return id
}
