import type { Invitation } from '@octavo/contract'
import type { Reader, Tx } from '../../db/database.ts'
import { createdBetween, listRows, type PageRequest, type TimeFilters } from '../../db/listing.ts'
import { sql } from '../../db/statement.ts'
import { CHANGED, columnsOf, expression, insertInto, type RowOf, updateRows } from '../../db/tables.ts'
import { actorId } from '../../lib/caller.ts'
import { emailKey } from '../../lib/email.ts'
import { newUuid, timeOfUuid, uuidOf } from '../../lib/ids.ts'

export type InvitationRow = RowOf<'invitations', Invitation>
export type InvitationFields = Pick<InvitationRow, 'role' | 'project_ids' | 'metadata'>
export type NewInvitationRow = InvitationFields & { email: string; expires_at: Date }

const COLUMNS = `'invitation' as object, ${columnsOf('invitations', ['email_key'])}`
// A caller limited to projects sees only invitations that give no more than these projects.
const WITHIN_PROJECTS = '($2::uuid[] is null or coalesce(project_ids <@ $2, false))'
const OWN = `tenant_id = $1 and id = $3 and ${WITHIN_PROJECTS}`

const FIND = sql(`select ${COLUMNS} from invitations where ${OWN}`, 'inv')
const LOCK = sql(`select ${COLUMNS} from invitations where ${OWN} for update`, 'inv')
const FIND_OPEN = sql(
  `select id from invitations where tenant_id = $1 and email_key = $3 and accepted_at is null and ${WITHIN_PROJECTS}`,
  'inv',
)
const ACCEPT = sql(
  `update invitations set accepted_at = now(), user_id = $4, ${CHANGED} where ${OWN} and accepted_at is null returning ${COLUMNS}`,
  'inv',
)
const DELETE = sql(`delete from invitations where ${OWN}`)
const TENANT = sql('select name, suspended_at is not null as is_suspended from tenants where id = $1')

export const findInvitation = (db: Reader, id: string): Promise<InvitationRow | null> =>
  db.find<InvitationRow>(FIND, [uuidOf('inv', id)])
export const lockInvitation = (tx: Tx, id: string): Promise<InvitationRow | null> =>
  tx.find<InvitationRow>(LOCK, [uuidOf('inv', id)])

export async function findOpenId(db: Reader, email: string): Promise<string | null> {
  return (await db.find<{ id: string }>(FIND_OPEN, [emailKey(email)]))?.id ?? null
}

/** null: the address has an open invitation. */
export async function insertInvitation(tx: Tx, row: NewInvitationRow): Promise<InvitationRow | null> {
  const id = newUuid()
  const created_at = timeOfUuid(id)
  const values = {
    ...row,
    id,
    email_key: emailKey(row.email),
    invited_by: expression('$::uuid', actorId(tx.caller, 'user')),
    created_at,
    updated_at: created_at,
  }
  const tail = `on conflict (tenant_id, email_key) where accepted_at is null do nothing returning ${COLUMNS}`
  return tx.find<InvitationRow>(...insertInto('invitations', values, { prefix: 'inv', tail }))
}

export async function updateInvitation(tx: Tx, id: string, fields: InvitationFields): Promise<InvitationRow> {
  const target = { where: OWN, values: [uuidOf('inv', id)], prefix: 'inv', returning: COLUMNS } as const
  return tx.one<InvitationRow>(...updateRows('invitations', fields, target))
}

/** null: it was deleted or accepted. */
export const acceptInvitation = (tx: Tx, id: string, user: string): Promise<InvitationRow | null> =>
  tx.find<InvitationRow>(ACCEPT, [uuidOf('inv', id), user])

export const deleteInvitation = (tx: Tx, id: string): void => tx.queue(DELETE, [uuidOf('inv', id)])

export const readTenant = (db: Reader): Promise<{ name: string; is_suspended: boolean }> => db.one(TENANT)

export function listInvitations(db: Reader, filters: TimeFilters, page: PageRequest): Promise<InvitationRow[]> {
  const source = { table: 'invitations', columns: COLUMNS, prefix: 'inv', key: 'id', visible: WITHIN_PROJECTS } as const
  return listRows<InvitationRow>(db, source, createdBetween(filters), page)
}
