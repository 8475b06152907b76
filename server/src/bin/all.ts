// Everything in one process, for a small host: it brings the database up to date, serves, and does the work in the background.
// The first start makes a tenant and prints its key.

import { setTimeout as sleep } from 'node:timers/promises'
import { scopeNames } from '@octavo/contract'
import pg from 'pg'
import type { App } from '../app.ts'
import { readConfigOrExit } from '../config/config.ts'
import {
  hasOwnRoles,
  lacksSecret,
  readOwnerUrl,
  readPasswords,
  secretFile,
  singleEnvironment,
} from '../config/single.ts'
import { isPassing } from '../db/errors.ts'
import { adminCommand } from '../doctor/operator-commands.ts'
import { install } from '../install.ts'
import { operator } from '../lib/caller.ts'
import { uuidOf } from '../lib/ids.ts'
import { firstOf } from '../lib/required.ts'
import { codeOf, messageOf } from '../lib/unknown.ts'
import { createKey } from '../resources/api-keys/api-keys.service.ts'
import { beginFirstTenant } from '../tenants/tenants.service.ts'
import { runJobs, runProcess, serveRequests } from './process.ts'
import { loadSecretFilesOrExit } from './secret-files.ts'
import { refuseStart } from './start.ts'

/** A database that starts beside this process has this long to come up. */
const TIMEOUT_MS = 60_000

/** PostgreSQL error classes for an invalid user, password or database. */
const WRONG_URL = /^(28|3D)/

const say = (text: string): boolean => process.stdout.write(`${text}\n`)

loadSecretFilesOrExit()
const env = await makeEnvironment()
const config = readConfigOrExit(env)
try {
  await install(config.database_owner_url, say, { passwords: readPasswords(env), are_own: hasOwnRoles(process.env) })
} catch (error) {
  refuseStart(error)
}
await runProcess(config, [serveRequests, runJobs], welcome)

async function makeEnvironment() {
  try {
    await refuseStranger(readOwnerUrl(process.env))
    return singleEnvironment(process.env, { may_make: true })
  } catch (error) {
    return refuseStart(error)
  }
}

/** With a new secret, this process would change the installation's role passwords and look for files elsewhere. */
async function refuseStranger(owner_url: string): Promise<void> {
  const is_installed = await waitForDatabase(owner_url)
  // Asked in this order: of two that start at once the other one may be about to make both.
  if (is_installed && lacksSecret(process.env))
    throw new Error(
      `This database belongs to an installation, and its secret is not in '${secretFile(process.env)}'. Set OCTAVO_DATA_DIR to the directory that the installation has, or bring the file back from your backup. If it is lost, set OCTAVO_SECRETS to 1:<64 hex digits>, made once by: openssl rand -hex 32`,
    )
}

/** Whether somebody has made our tables there. */
async function waitForDatabase(url: string): Promise<boolean> {
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

async function welcome(app: App): Promise<void> {
  const key = await beginFirstTenant(app.system, 'My team', (tenant) =>
    app.db.transaction(operator(uuidOf('ten', tenant), scopeNames), (tx) =>
      createKey(tx, { name: 'First key', scopes: [...scopeNames] }),
    ),
  )
  const { base_url } = config
  if (!key)
    return void say(
      `Octavo is ready at ${base_url}. To create another key, run ${adminCommand()} list-tenants, then create-key <tenant_id>`,
    )
  const { secret } = key
  say(`
Octavo is ready at ${base_url}

Your key, shown only this once:

  ${secret}

Try it with any file:

  curl ${base_url}/api/v1/documents -H 'Authorization: Bearer ${secret}' -H 'Prefer: wait=30' -F file=@your.pdf
`)
}
