// The first step of a single-process installation: waits for the database, and generates the secret once.

import { setTimeout as sleep } from 'node:timers/promises'
import { firstOf } from '@octavo/base/required.ts'
import { codeOf, messageOf } from '@octavo/base/unknown.ts'
import pg from 'pg'
import type { Env } from '../config/env.ts'
import { lacksSecret, readOwnerUrl, secretFile, singleEnvironment } from '../config/single.ts'
import { isPassing } from '../db/errors.ts'

/** How long to wait for a database that starts at the same time. */
const TIMEOUT_MS = 60_000

/** PostgreSQL error classes for an invalid user, password or database. */
const WRONG_URL = /^(28|3D)/

/** `env` with the settings that follow from the owner's URL and the secret. */
export async function prepareSingle(env: Env, say: (line: string) => void): Promise<Env> {
  await refuseStranger(env, say)
  return singleEnvironment(env, { may_make: true })
}

/** With a new secret, this process would change the installation's role passwords and look for files elsewhere. */
async function refuseStranger(env: Env, say: (line: string) => void): Promise<void> {
  const is_installed = await waitForDatabase(readOwnerUrl(env), say)
  // Asked in this order: of two that start at once the other one may be about to make both.
  if (is_installed && lacksSecret(env))
    throw new Error(
      `This database belongs to an existing installation, but its secret is not in '${secretFile(env)}'. Set OCTAVO_DATA_DIR to the data directory of that installation, or restore the file from your backup. If it is lost, set OCTAVO_SECRETS to 1:<64 hex digits>; generate the digits once with: openssl rand -hex 32`,
    )
}

/** Whether the database has Octavo's tables. */
async function waitForDatabase(url: string, say: (line: string) => void): Promise<boolean> {
  for (const until = Date.now() + TIMEOUT_MS; ; await sleep(1_000)) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
    try {
      await client.connect()
      const { rows } = await client.query<{ is_installed: boolean }>(
        `select to_regclass('public.migrations') is not null as is_installed`,
      )
      return firstOf(rows).is_installed
    } catch (error) {
      if (WRONG_URL.test(codeOf(error)))
        throw new Error(`Cannot log in with DATABASE_OWNER_URL: ${messageOf(error)}.`, {
          cause: error,
        })
      if (!isPassing(error) || Date.now() > until) throw error
      say(`Waiting for the database: ${messageOf(error) || codeOf(error)}`)
    } finally {
      await client.end()
    }
  }
}
