import type { Scope } from '@octavo/contract'
import type { Db, Tx } from '../../db/database.ts'
import type { PageRequest, TimeFilters } from '../../db/listing.ts'
import { record } from '../../events/record.ts'
import type { Caller } from '../../lib/caller.ts'
import { hasSameFields } from '../../lib/changes.ts'
import type { ClientSubject } from '../../lib/client-ids.ts'
import { notFound } from '../../lib/failure.ts'
import { toId } from '../../lib/ids.ts'
import * as store from './authorizations.store.ts'

/** uuid of the user whose grants the caller sees; null: those of all users. */
const onlyUser = ({ actor, scopes }: Caller): string | null =>
  actor.type === 'user' && !scopes.has('members:manage') ? actor.id : null

/** Users see their own grants, whichever projects they see. */
export function listAuthorizations(db: Db, filters: TimeFilters, page: PageRequest): Promise<store.AuthorizationRow[]> {
  const user = onlyUser(db.caller)
  if (user === null) return store.listGrants(db, filters, page, null)
  return db.allProjects((reader) => store.listGrants(reader, filters, page, user))
}

export async function readAuthorization(db: Db, id: string): Promise<store.AuthorizationRow> {
  const user = onlyUser(db.caller)
  const grant = await (user === null
    ? store.findGrant(db, id)
    : db.allProjects((reader) => store.findGrant(reader, id, user)))
  if (!grant) throw notFound()
  return grant
}

export async function removeAuthorization(tx: Tx, id: string): Promise<null> {
  const user = onlyUser(tx.caller)
  await tx.allProjects(async (reader) => {
    const grant = await store.lockGrant(reader, id, user)
    if (!grant) throw notFound()
    tx.precondition.check(grant)
    revokeGrant(tx, grant, user)
  })
  return null
}

function revokeGrant(tx: Tx, grant: store.AuthorizationRow, user: string | null): void {
  store.deleteGrant(tx, grant.id, user)
  store.notifyChange(tx, grant.id)
  record(tx, 'authorization.revoked', grant)
}

/** For the authorization server: the user answered, an application gave a token back, or a code was used twice. */
export async function endAuthorization(tx: Tx, id: string): Promise<void> {
  const grant = await store.lockGrant(tx, id)
  if (grant) revokeGrant(tx, grant, null)
}

/** For a new password: ends the access of all applications and of the command line. `user`: a uuid. */
export async function endAuthorizationsOf(tx: Tx, user: string): Promise<void> {
  for (const grant of await store.lockGrantsOf(tx, user)) revokeGrant(tx, grant, user)
}

export interface GivenAccess extends ClientSubject {
  /** uuid of a new grant. */
  grant: string
  /** uuid. */
  user: string
  scopes: readonly Scope[]
  expires_at: Date
}

/** Creates the grant, or changes the scopes of the one that has this id. */
export async function saveAuthorization(tx: Tx, access: GivenAccess): Promise<void> {
  const { scopes, expires_at } = access
  const id = toId('grt', access.grant)
  const known = await store.lockGrant(tx, id)
  if (!known) {
    const row = {
      user_id: toId('usr', access.user),
      client_id: access.client && toId('cli', access.client),
      client_url: access.client_url,
      scopes,
      expires_at,
    }
    record(tx, 'authorization.created', await store.insertGrant(tx, row, access.grant))
    return
  }
  if (hasSameFields(known, { scopes })) return
  const saved = await store.updateGrant(tx, id, { scopes, expires_at })
  store.notifyChange(tx, id)
  record(tx, 'authorization.updated', saved)
}

export const findAuthorization = (db: Db, id: string): Promise<store.AuthorizationRow | null> => store.findGrant(db, id)
export const findAuthorizationFor = (
  db: Db,
  user: string,
  client: ClientSubject,
): Promise<store.AuthorizationRow | null> => store.findGrantFor(db, user, client)
