// Clients as the authorization server finds them: by an id, before the tenant is known.

import type { OauthGrantType, Scope } from '@octavo/contract'
import { hashSecret } from '../auth/credential.ts'
import type { Database } from '../db/database.ts'
import { sql } from '../db/statement.ts'
import { operator } from '../lib/caller.ts'

const TENANT = sql(
  'select tenant_id::text as tenant, client_id::text as client from oauth_client_ids where hash = $1',
  null,
  [17],
)
const CLIENT = sql(`select c.name, c.grant_types, c.redirect_uris, c.scopes, c.secret_hash, t.name as tenant_name
  from oauth_clients c join tenants t on t.id = c.tenant_id
  where c.tenant_id = $1 and c.id = $3 and t.suspended_at is null`)

export interface StoredClient {
  name: string
  grant_types: OauthGrantType[]
  redirect_uris: string[]
  scopes: Scope[]
  secret_hash: Buffer | null
  tenant_name: string
}

/** null also for a client of a suspended tenant. */
export async function findClient(db: Database, id: string): Promise<(StoredClient & { tenant: string }) | null> {
  const found = await db.findSecret<{ tenant: string; client: string }>(hashSecret(id), TENANT)
  if (!found) return null
  const client = await db.for(operator(found.tenant, [])).find<StoredClient>(CLIENT, [found.client])
  return client && { ...client, tenant: found.tenant }
}
