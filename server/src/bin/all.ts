// Everything in one process, for a small host: migrates the database (unless AUTO_MIGRATE is off), serves requests and
// runs jobs. API_PROCESSES and WORKER_PROCESSES start more of both. The first start creates a tenant and prints its key.

import { scopeNames } from '@octavo/contract'
import type { App } from '../app.ts'
import { readConfigOrExit } from '../config/config.ts'
import { hasOwnRoles, readPasswords, singleEnvironment } from '../config/single.ts'
import { adminCommand } from '../doctor/operator-commands.ts'
import { install } from '../install.ts'
import { operator } from '../lib/caller.ts'
import { uuidOf } from '../lib/ids.ts'
import { createKey } from '../resources/api-keys/api-keys.service.ts'
import { beginFirstTenant } from '../tenants/tenants.service.ts'
import { Children, childSpecs } from './children.ts'
import { runJobs, runProcess, serveRequests } from './process.ts'
import { loadSecretFilesOrExit } from './secret-files.ts'
import { prepareSingle } from './single-start.ts'
import { refuseStart } from './start.ts'

const say = (text: string): boolean => process.stdout.write(`${text}\n`)

loadSecretFilesOrExit()
const env = await makeEnvironment()
const config = readConfigOrExit(env)
try {
  const logins = { passwords: readPasswords(env), are_own: hasOwnRoles(process.env) }
  if (config.has_auto_migrate) await install(config.database_owner_url, say, logins)
} catch (error) {
  refuseStart(error)
}
await runProcess(config, [startChildren, serveRequests, runJobs], welcome)

async function startChildren({ log }: App) {
  const children = new Children(childSpecs(config, env), log)
  children.start()
  return children
}

async function makeEnvironment() {
  try {
    return process.env.AUTO_MIGRATE === 'off'
      ? singleEnvironment(process.env)
      : await prepareSingle(process.env, (line) => void say(line))
  } catch (error) {
    return refuseStart(error)
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
