// Gives an application access without its user: the API only lists and revokes authorizations.

import type { App } from '../../server/src/app.ts'
import { operator } from '../../server/src/lib/caller.ts'
import { newUuid, toId, uuid, uuidOf } from '../../server/src/lib/ids.ts'
import { saveAuthorization } from '../../server/src/resources/authorizations/authorizations.service.ts'

const DAY_MS = 86_400_000

/** Returns the id of the authorization. */
export async function giveAccess(app: App, tenant: string, user_id: string, client_id: string): Promise<string> {
  const grant = newUuid()
  const access = {
    grant,
    user: uuid(user_id),
    client: uuid(client_id),
    client_url: null,
    scopes: ['documents:read'] as const,
    expires_at: new Date(Date.now() + DAY_MS),
  }
  await app.db.transaction(operator(uuidOf('ten', tenant), []), (tx) => saveAuthorization(tx, access))
  return toId('grt', grant)
}
