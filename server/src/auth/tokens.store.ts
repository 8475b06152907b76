// The lookups behind an access token.

import type { Scope, TierName } from '@octavo/contract'
import type { Database, Db } from '../db/database.ts'
import { sql } from '../db/statement.ts'
import type { ClientSubject } from '../lib/client-ids.ts'
import type { PublicKeyRow } from './verification-keys.ts'

const NO_HASH = Buffer.alloc(0)
const PUBLIC_KEYS = sql('select id, public_key from oauth_signing_keys where $1::bytea is not null', null, [17])
const CLIENT =
  sql(`select c.scopes, c.project_ids::text[] as projects, t.tier, t.suspended_at is not null as is_suspended
  from oauth_clients c join tenants t on t.id = c.tenant_id
  where c.tenant_id = $1 and c.id = $3 and 'client_credentials' = any (c.grant_types)`)

const GRANT =
  sql(`select g.scopes as grant_scopes, g.last_used_at, c.scopes as client_scopes, c.project_ids::text[] as client_projects
  from oauth_grants g left join oauth_clients c on c.tenant_id = g.tenant_id and c.id = g.client_id
  where g.tenant_id = $1 and g.id = $3 and g.user_id = $4 and g.client_id is not distinct from $5::uuid
  and g.client_url is not distinct from $6 and g.expires_at > now()`)

interface ClientAccess {
  scopes: Scope[]
  projects: string[] | null
  tier: TierName
  is_suspended: boolean
}

/** Public keys, so neither a tenant nor a hash protects them. */
export const listPublicKeys = (db: Database): Promise<PublicKeyRow[]> => db.withHash<PublicKeyRow>(NO_HASH, PUBLIC_KEYS)

export const findClientAccess = (db: Db, client: string): Promise<ClientAccess | null> =>
  db.find<ClientAccess>(CLIENT, [client])

interface GrantAccess {
  grant_scopes: Scope[]
  last_used_at: string | null
  /** null: the client is part of Octavo, or describes itself. */
  client_scopes: Scope[] | null
  client_projects: string[] | null
}

/** Ids are uuids. */
export const findGrantAccess = (
  db: Db,
  { grant, user, client, client_url }: ClientSubject & { grant: string; user: string },
): Promise<GrantAccess | null> => db.find<GrantAccess>(GRANT, [grant, user, client, client_url])
