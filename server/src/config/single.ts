// Settings of the single-process mode: derives everything from the database URL, so that it is the only required
// setting.

import { hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, messageOf } from '@octavo/base/unknown.ts'
import type { Logins } from '../db/migrate.ts'
import { parseKeyring } from '../lib/keyring.ts'
import { decodePercent } from '../lib/percent.ts'
import { type Env, text } from './env.ts'

const LOGINS = { DATABASE_URL: 'octavo_app', DATABASE_SYSTEM_URL: 'octavo_system' } as const

/** Generated once. Creating a hard link fails if the file exists, so two processes that start at once get the same secret. */
function keepSecrets(file: string): string {
  if (!existsSync(file)) {
    const draft = `${file}.${randomUUID()}`
    try {
      writeFileSync(draft, `1:${randomBytes(32).toString('hex')}\n`, { mode: 0o600 })
      linkSync(draft, file)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    } finally {
      rmSync(draft, { force: true })
    }
  }
  const secrets = readFileSync(file, 'utf8').trim()
  try {
    parseKeyring(secrets)
  } catch (cause) {
    throw new Error(
      `The secret in '${file}' is damaged. Restore the file from your backup. docs/backup.md describes what you lose without it.`,
      {
        cause,
      },
    )
  }
  return secrets
}

/** True if a secret is needed but has not been generated here. */
export const lacksSecret = (env: Env): boolean => !env.OCTAVO_SECRETS && !existsSync(secretFile(env))

const dataDir = (env: Env): string => text(env, 'OCTAVO_DATA_DIR', 'data')
export const secretFile = (env: Env): string => join(dataDir(env), 'secrets')

export function readOwnerUrl(env: Env): string {
  const url = env.DATABASE_OWNER_URL
  if (!url)
    throw new Error(
      'DATABASE_OWNER_URL is not set. Set it to the URL of a database whose owner may create roles, such as postgres://octavo:password@localhost:5432/octavo. Single-process mode needs no other setting.',
    )
  if (!/^postgres(ql)?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new Error('DATABASE_OWNER_URL must be a URL such as postgres://octavo:password@host:5432/octavo.')
  return url
}

function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true })
  } catch (cause) {
    throw new Error(`OCTAVO_DATA_DIR: '${path}' cannot be created or is not a directory (${messageOf(cause)}).`, {
      cause,
    })
  }
}

/** The roles' passwords are derived from the secret, so that they need not be stored. */
function urlOf(owner_url: string, role: string, secrets: string): string {
  const url = new URL(owner_url)
  if (url.hostname === '')
    throw new Error(
      'DATABASE_OWNER_URL has no host, so Octavo cannot derive the URLs of its roles from it. For a socket, use its directory as the host: postgres://octavo:password@%2Frun%2Fpostgresql/octavo.',
    )
  const [first = ''] = secrets.split(',')
  url.username = role
  url.password = Buffer.from(hkdfSync('sha256', first, '', `octavo/role/${role}`, 24)).toString('base64url')
  return url.href
}

/** Adds the missing settings to `env`. Only the main process generates the secret: with another, no key would work. */
export function singleEnvironment(env: Env, { may_make = false } = {}): Env {
  const owner_url = readOwnerUrl(env)
  const data = dataDir(env)
  const file = secretFile(env)
  if (may_make) makeDirectory(data)
  else if (lacksSecret(env))
    throw new Error(
      `No secret found in '${file}'. ${env.AUTO_MIGRATE === 'off' ? 'Run migrate' : 'Start Octavo'} first, or set OCTAVO_DATA_DIR to its data directory.`,
    )
  const secrets = env.OCTAVO_SECRETS || keepSecrets(file)
  const roles: Env = {}
  for (const [name, role] of Object.entries(LOGINS)) roles[name] = env[name] || urlOf(owner_url, role, secrets)
  return {
    ...env,
    ...roles,
    OCTAVO_SECRETS: secrets,
    BASE_URL: text(env, 'BASE_URL', `http://localhost:${env.PORT || 3000}`),
    FILES_DIR: text(env, 'FILES_DIR', join(data, 'files')),
  }
}

/** Passwords of the roles named in the variables. */
export function readPasswords(env: Env): Logins['passwords'] {
  const passwords: Logins['passwords'] = {}
  for (const [name, role] of Object.entries(LOGINS)) {
    const url = URL.parse(env[name] ?? '')
    const password = url?.username === role ? decodePercent(url.password) : null
    if (password) passwords[role] = password
  }
  return passwords
}

export const hasOwnRoles = (env: Env): boolean => Object.keys(LOGINS).every((name) => !env[name])
