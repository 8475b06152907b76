// Migrates the database. Safe to run in several processes at once.

import { messageOf } from '@octavo/base/unknown.ts'
import { hasOwnRoles, readPasswords } from '../config/single.ts'
import type { Logins } from '../db/migrate.ts'
import { install } from '../install.ts'
import { loadSecretFilesOrExit } from './secret-files.ts'
import { prepareSingle } from './single-start.ts'

const say = (line: string): void => void process.stdout.write(`${line}\n`)

loadSecretFilesOrExit()
const url = process.env.DATABASE_OWNER_URL
if (!url) {
  process.stderr.write('DATABASE_OWNER_URL is not set. Migrations need the role that owns the database.\n')
  process.exit(1)
}
try {
  const count = await install(url, say, await readLogins())
  say(count === 0 ? 'The database is up to date.' : `${count} migrations applied.`)
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exit(1)
}

/** For a single process that does not migrate, this program also generates the secret and the roles' passwords. */
async function readLogins(): Promise<Logins> {
  if (process.env.AUTO_MIGRATE !== 'off') return { passwords: readPasswords(process.env), are_own: false }
  return { passwords: readPasswords(await prepareSingle(process.env, say)), are_own: hasOwnRoles(process.env) }
}
