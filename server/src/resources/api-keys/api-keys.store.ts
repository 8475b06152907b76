import type { ApiKey, Scope } from '@octavo/contract'
import type { Reader, Tx } from '../../db/database.ts'
import { createdBetween, listRows, type PageRequest, type TimeFilters } from '../../db/listing.ts'
import { sql } from '../../db/statement.ts'
import { columnsOf, expression, insertInto, type RowOf, updateRows } from '../../db/tables.ts'
import { actorId } from '../../lib/caller.ts'
import { newUuid, timeOfUuid, uuidOf } from '../../lib/ids.ts'

export type ApiKeyRow = RowOf<'api_keys', ApiKey>
export interface NewApiKeyRow {
  name: string
  scopes: readonly Scope[]
  project_ids: readonly string[] | null
  expires_at: Date | null
  key_preview: string
  metadata: Record<string, string>
}

const COLUMNS = `'api_key' as object, ${columnsOf('api_keys')}`
// A caller limited to projects sees only keys that see no more than itself.
const VISIBLE = '($2::uuid[] is null or coalesce(project_ids <@ $2, false))'
const OWN = `tenant_id = $1 and id = $3 and ${VISIBLE}`

const FIND = sql(`select ${COLUMNS} from api_keys where ${OWN}`, 'key')
const LOCK = sql(`select ${COLUMNS} from api_keys where ${OWN} for update`, 'key')
const COUNT = sql('select count(*) as count from api_keys where tenant_id = $1')
const INSERT_SECRET = sql('insert into key_secrets (tenant_id, key_id, hash) values ($1, $3, $4)')
const END_SECRETS = sql(
  `update key_secrets set expires_at = least(expires_at, now() + make_interval(secs => $4)) where tenant_id = $1 and key_id = $3`,
)
const DELETE = sql(`delete from api_keys where ${OWN}`)
const NOTIFY = sql(`select pg_notify('octavo_keys', $3)`)

export const findKey = (db: Reader, id: string): Promise<ApiKeyRow | null> =>
  db.find<ApiKeyRow>(FIND, [uuidOf('key', id)])
export const lockKey = (tx: Tx, id: string): Promise<ApiKeyRow | null> => tx.find<ApiKeyRow>(LOCK, [uuidOf('key', id)])
export const countKeys = async (db: Reader): Promise<number> => (await db.one<{ count: number }>(COUNT)).count

export async function insertKey(tx: Tx, row: NewApiKeyRow): Promise<ApiKeyRow> {
  const id = newUuid()
  const created_at = timeOfUuid(id)
  const values = {
    ...row,
    id,
    created_by: expression('$::uuid', actorId(tx.caller, 'api_key')),
    created_by_user_id: expression('$::uuid', actorId(tx.caller, 'user')),
    created_at,
    updated_at: created_at,
  }
  return tx.one<ApiKeyRow>(...insertInto('api_keys', values, { prefix: 'key', tail: `returning ${COLUMNS}` }))
}

export const insertSecret = (tx: Tx, id: string, hash: Buffer): void =>
  tx.queue(INSERT_SECRET, [uuidOf('key', id), hash])
export const endSecrets = (tx: Tx, id: string, seconds: number): void =>
  tx.queue(END_SECRETS, [uuidOf('key', id), seconds])

export async function updateKey(
  tx: Tx,
  id: string,
  { name, metadata, key_preview }: Pick<ApiKeyRow, 'name' | 'metadata' | 'key_preview'>,
): Promise<ApiKeyRow> {
  const target = { where: OWN, values: [uuidOf('key', id)], prefix: 'key', returning: COLUMNS } as const
  return tx.one<ApiKeyRow>(...updateRows('api_keys', { name, metadata, key_preview }, target))
}

export const deleteKey = (tx: Tx, id: string): void => tx.queue(DELETE, [uuidOf('key', id)])

/** Every process forgets the key when this transaction commits. */
export const notifyChange = (tx: Tx, id: string): void => tx.queue(NOTIFY, [uuidOf('key', id)])

export function listKeys(db: Reader, filters: TimeFilters, page: PageRequest): Promise<ApiKeyRow[]> {
  const source = { table: 'api_keys', columns: COLUMNS, prefix: 'key', key: 'id', visible: VISIBLE } as const
  return listRows<ApiKeyRow>(db, source, createdBetween(filters), page)
}
