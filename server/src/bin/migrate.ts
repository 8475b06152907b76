// Brings the database up to date. Safe to run from several processes at once.

import { readPasswords } from '../config/single.ts'
import { install } from '../install.ts'
import { messageOf } from '../lib/unknown.ts'
import { loadSecretFilesOrExit } from './secret-files.ts'

loadSecretFilesOrExit()
const url = process.env.DATABASE_OWNER_URL
if (!url) {
  process.stderr.write('DATABASE_OWNER_URL is not set. Migrations need the role that owns the database.\n')
  process.exit(1)
}
try {
  const count = await install(url, (line) => process.stdout.write(`${line}\n`), {
    passwords: readPasswords(process.env),
    are_own: false,
  })
  process.stdout.write(count === 0 ? 'The database is up to date.\n' : `${count} migrations applied.\n`)
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`)
  process.exit(1)
}
