import type { ApplicationScope, OauthClient, OauthGrantType } from '@octavo/contract'
import type { Reader, Tx } from '../../db/database.ts'
import { createdBetween, listRows, type PageRequest, type TimeFilters } from '../../db/listing.ts'
import { sql } from '../../db/statement.ts'
import { columnsOf, insertInto, type RowOf, updateRows } from '../../db/tables.ts'
import { newUuid, timeOfUuid, toId, uuidOf } from '../../lib/ids.ts'

export type OauthClientRow = RowOf<'oauth_clients', OauthClient, 'is_confidential'>
interface NewOauthClientRow {
  name: string
  grant_types: readonly OauthGrantType[]
  redirect_uris: readonly string[]
  scopes: readonly ApplicationScope[]
  project_ids: readonly string[] | null
  secret_hash: Buffer | null
  secret_preview: string | null
  metadata: Record<string, string>
}

const COLUMNS = `'oauth_client' as object, secret_hash is not null as is_confidential, ${columnsOf('oauth_clients', ['secret_hash'])}`
// A caller limited to projects sees only clients that see no more than itself.
const CLIENT_IN_PROJECTS = '($2::uuid[] is null or coalesce(project_ids <@ $2, false))'
const OWN = `tenant_id = $1 and id = $3 and ${CLIENT_IN_PROJECTS}`

const FIND = sql(`select ${COLUMNS} from oauth_clients where ${OWN}`, 'cli')
const LOCK = sql(`select ${COLUMNS} from oauth_clients where ${OWN} for update`, 'cli')
const COUNT = sql('select count(*) as count from oauth_clients where tenant_id = $1')
const DELETE = sql(`delete from oauth_clients where ${OWN}`)
const NOTIFY = sql(`select pg_notify('octavo_keys', $3)`)

export const findClient = (db: Reader, id: string): Promise<OauthClientRow | null> =>
  db.find<OauthClientRow>(FIND, [uuidOf('cli', id)])
export const lockClient = (tx: Tx, id: string): Promise<OauthClientRow | null> =>
  tx.find<OauthClientRow>(LOCK, [uuidOf('cli', id)])
export const countClients = async (db: Reader): Promise<number> => (await db.one<{ count: number }>(COUNT)).count

/** With the row that finds the client's tenant by its id. */
export async function insertClient(
  tx: Tx,
  row: NewOauthClientRow,
  hashId: (id: string) => Buffer,
): Promise<OauthClientRow> {
  const id = newUuid()
  const created_at = timeOfUuid(id)
  const values = { ...row, id, created_at, updated_at: created_at }
  const client = await tx.one<OauthClientRow>(
    ...insertInto('oauth_clients', values, { prefix: 'cli', tail: `returning ${COLUMNS}` }),
  )
  tx.queue(...insertInto('oauth_client_ids', { hash: hashId(toId('cli', id)), client_id: client.id }))
  return client
}

export function updateClient(
  tx: Tx,
  id: string,
  fields: Pick<OauthClientRow, 'name' | 'redirect_uris' | 'scopes' | 'metadata'>,
): Promise<OauthClientRow> {
  const target = { where: OWN, values: [uuidOf('cli', id)], prefix: 'cli', returning: COLUMNS } as const
  return tx.one<OauthClientRow>(...updateRows('oauth_clients', fields, target))
}

export const deleteClient = (tx: Tx, id: string): void => tx.queue(DELETE, [uuidOf('cli', id)])

/** Every process forgets the tokens of the client when this transaction commits. */
export const notifyChange = (tx: Tx, id: string): void => tx.queue(NOTIFY, [uuidOf('cli', id)])

export function listClients(db: Reader, filters: TimeFilters, page: PageRequest): Promise<OauthClientRow[]> {
  const source = {
    table: 'oauth_clients',
    columns: COLUMNS,
    prefix: 'cli',
    key: 'id',
    visible: CLIENT_IN_PROJECTS,
  } as const
  return listRows<OauthClientRow>(db, source, createdBetween(filters), page)
}
