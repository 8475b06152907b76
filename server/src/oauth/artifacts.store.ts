// Codes, tokens and interactions of the authorization server. A row is visible only to the bearer of its secret.

import type { Database } from '../db/database.ts'
import { sql } from '../db/statement.ts'

const HASH = [17]
const COLUMNS = 'hash, payload, consumed_at, expires_at'
const FIND = sql(`select ${COLUMNS} from oauth_artifacts where hash = $1 and kind = $2`, null, HASH)
const FIND_BY_ALIAS = sql(`select ${COLUMNS} from oauth_artifacts where alias = $1 and kind = $2`, null, HASH)
/** A consumed artifact never changes again. */
const SAVE = sql(
  `insert into oauth_artifacts as a (hash, kind, alias, tenant_id, grant_id, payload, expires_at)
    values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))
    on conflict (hash) do update set alias = excluded.alias, tenant_id = excluded.tenant_id, grant_id = excluded.grant_id,
      payload = excluded.payload, expires_at = excluded.expires_at where a.consumed_at is null`,
  null,
  [17, 25, 17, 2950, 2950, 17, 701],
)
/** The check and the mark are one statement, so that of two parallel requests one gets no row. */
const CONSUME = sql(
  'update oauth_artifacts set consumed_at = now() where hash = $1 and consumed_at is null returning kind',
  null,
  HASH,
)
const DELETE = sql('delete from oauth_artifacts where hash = $1', null, HASH)

export interface ArtifactRow {
  hash: Buffer
  payload: Buffer
  consumed_at: string | null
  expires_at: string
}

export interface NewArtifact {
  kind: string
  alias: Buffer | null
  /** uuids. */
  tenant: string | null
  grant: string | null
  payload: Buffer
  seconds: number
}

export const findArtifact = async (db: Database, kind: string, hash: Buffer): Promise<ArtifactRow | null> =>
  (await db.withHash<ArtifactRow>(hash, FIND, [kind]))[0] ?? null

export const findByAlias = async (db: Database, kind: string, alias: Buffer): Promise<ArtifactRow | null> =>
  (await db.withHash<ArtifactRow>(alias, FIND_BY_ALIAS, [kind]))[0] ?? null

export async function saveArtifact(db: Database, hash: Buffer, row: NewArtifact): Promise<void> {
  const { kind, alias, tenant, grant, payload, seconds } = row
  await db.withHash(hash, SAVE, [kind, alias, tenant, grant, payload, seconds])
}

/** False: another request was first, or there is none. */
export const consumeArtifact = async (db: Database, hash: Buffer): Promise<boolean> =>
  (await db.withHash(hash, CONSUME)).length === 1

export async function deleteArtifact(db: Database, hash: Buffer): Promise<void> {
  await db.withHash(hash, DELETE)
}
