// Secrets from files: `DATABASE_URL_FILE=/run/secrets/database_url` in place of `DATABASE_URL`.

import { readFileSync } from 'node:fs'
import { messageOf } from '@octavo/base/unknown.ts'
import type { Env } from '../config/env.ts'
import type { SettingName } from '../config/settings.ts'

/** Every setting that is or contains a secret. */
export const secretSettings = [
  'DATABASE_URL',
  'DATABASE_SYSTEM_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_OWNER_URL',
  'VALKEY_URL',
  'OCTAVO_SECRETS',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'DOCLING_API_KEY',
  'CHAT_API_KEY',
  'OIDC_CLIENT_SECRET',
  'SMTP_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const satisfies readonly SettingName[]

/** Puts the contents of the files into `env`. */
export function loadSecretFiles(env: Env): void {
  for (const name of secretSettings) {
    const variable = `${name}_FILE`
    const path = env[variable]
    if (!path) continue
    if (env[name]) throw new Error(`${name} and ${variable} are both set. Remove one of them.`)
    env[name] = readSecret(variable, path)
    delete env[variable]
  }
}

/** For executables: prints the problem in one line and exits. */
export function loadSecretFilesOrExit(): void {
  try {
    loadSecretFiles(process.env)
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`)
    process.exit(1)
  }
}

function readSecret(variable: string, path: string): string {
  try {
    const secret = readFileSync(path, 'utf8').trim()
    if (secret) return secret
  } catch (cause) {
    throw new Error(`${variable}: '${path}' cannot be read (${messageOf(cause)}).`, { cause })
  }
  throw new Error(`${variable}: '${path}' is empty.`)
}
