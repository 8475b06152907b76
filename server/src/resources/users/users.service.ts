import type { NewUser, UserPatch } from '@octavo/contract'
import type { Db, Reader, Tx } from '../../db/database.ts'
import type { PageRequest } from '../../db/listing.ts'
import { record } from '../../events/record.ts'
import { actorId, type Caller } from '../../lib/caller.ts'
import { hasSameFields, mergeMetadata, refuseFixed, requireRecentSignIn } from '../../lib/changes.ts'
import { bodyDetail, Failure, notFound } from '../../lib/failure.ts'
import { newUuid, toId } from '../../lib/ids.ts'
import { refuseHigherRole, refuseLimited, refuseLimitedRole } from './users.rights.ts'
import * as store from './users.store.ts'

export function listUsers(db: Db, filters: store.UserFilters, page: PageRequest): Promise<store.UserRow[]> {
  return store.listUsers(db, filters, page)
}

export async function readUser(db: Reader, id: string): Promise<store.UserRow> {
  const user = await findUser(db, resolveId(db.caller, id))
  if (!user) throw notFound()
  return user
}

export const findUser = (db: Reader, id: string): Promise<store.UserRow | null> =>
  id === findSelfId(db.caller) ? store.findSelf(db, id) : store.findUser(db, id)

export async function createUser(tx: Tx, input: NewUser): Promise<store.UserRow> {
  requireRecentSignIn(tx.caller)
  refuseLimited(tx.caller)
  refuseHigherRole(tx.caller, input.role)
  const project_access = input.project_access ?? 'all'
  refuseLimitedRole(input.role, project_access === 'assigned', 'project_access')
  return insertUser(tx, {
    id: newUuid(),
    email: input.email,
    name: input.name,
    role: input.role,
    project_access,
    metadata: input.metadata ?? {},
    password_hash: null,
    signed_in_at: null,
  })
}

/** Without a check of rights: an invitation was checked when it was created. */
export async function insertUser(tx: Tx, row: store.NewUserRow): Promise<store.UserRow> {
  const user = await store.insertUser(tx, row)
  if (!user) throw await emailTaken(tx, row.email)
  record(tx, 'user.created', user)
  return user
}

export async function updateUser(
  tx: Tx,
  id: string,
  patch: UserPatch,
  fixed: Record<string, unknown>,
): Promise<store.UserRow> {
  const { user, owners, is_self } = await lockUser(tx, id)
  const fields: store.UserFields = {
    name: patch.name ?? user.name,
    role: patch.role ?? user.role,
    project_access: patch.project_access ?? user.project_access,
    status: patch.status ?? user.status,
    metadata: mergeMetadata(user.metadata, patch.metadata),
  }
  if (!is_self || hasOtherRights(user, fields)) refuseChange(tx.caller, user)
  tx.precondition.check(user)
  refuseFixed(user, fixed)
  if (fields.role !== user.role) {
    requireRecentSignIn(tx.caller)
    refuseHigherRole(tx.caller, fields.role)
  }
  refuseLimitedRole(fields.role, fields.project_access === 'assigned', 'project_access')
  if (fields.role !== 'owner' || fields.status === 'suspended') refuseLastOwner(user, owners)
  if (hasSameFields(user, fields)) {
    tx.is_unchanged = true
    return user
  }
  const saved = await store.updateUser(tx, { id: user.id, is_self }, fields)
  store.notifyChange(tx, user.id)
  record(tx, 'user.updated', saved)
  return saved
}

/** The memberships, sessions and grants of the user are deleted with it. */
export async function removeUser(tx: Tx, id: string): Promise<null> {
  const { user, owners, is_self } = await lockUser(tx, id)
  if (!is_self) refuseChange(tx.caller, user)
  tx.precondition.check(user)
  refuseLastOwner(user, owners)
  await store.deleteUser(tx, { id: user.id, is_self })
  store.notifyChange(tx, user.id)
  record(tx, 'user.deleted', user)
  return null
}

/** For changes of what a user may see: every process reads its access again. */
export const evictUser = (tx: Tx, id: string): void => store.notifyChange(tx, id)

/** 409 with the id of the user if the caller may see it. */
export async function emailTaken(tx: Tx, email: string): Promise<Failure> {
  const id = (await store.findIdByEmail(tx, email)) ?? undefined
  return new Failure('conflict', 'A user with this address already exists.', {
    details: [bodyDetail('email', 'taken', 'Another user has this address.', id)],
  })
}

export const hasUser = (tx: Tx, email: string): Promise<boolean> => store.hasEmail(tx, email)

function findSelfId(caller: Caller): string | null {
  const uuid = actorId(caller, 'user')
  return uuid === null ? null : toId('usr', uuid)
}

function resolveId(caller: Caller, id: string): string {
  if (id !== 'me') return id
  const self = findSelfId(caller)
  if (self === null)
    throw new Failure('not_found', "An API key does not belong to a user, so it cannot use 'me'. Use the id of a user.")
  return self
}

/** Owners first and always in one order, so that of two owners who leave at once the second sees that it is the last. */
async function lockUser(tx: Tx, id: string) {
  const owners: readonly string[] = await store.lockOwners(tx)
  const is_self = id === 'me'
  const user = await (is_self ? store.lockSelf : store.lockUser)(tx, resolveId(tx.caller, id))
  if (!user) throw notFound()
  return { user, owners, is_self }
}

const hasOtherRights = (user: store.UserRow, { role, project_access, status }: store.UserFields): boolean =>
  role !== user.role || project_access !== user.project_access || status !== user.status

/** Users rename themselves and leave without these rights. */
function refuseChange(caller: Caller, { role }: store.UserRow): void {
  if (!caller.scopes.has('members:manage'))
    throw new Failure(
      'permission_denied',
      'You can change only your name and metadata. Ask an admin to change your role, access or status.',
    )
  refuseLimited(caller)
  refuseHigherRole(caller, role)
}

function refuseLastOwner(user: store.UserRow, owners: readonly string[]): void {
  if (owners.includes(user.id) && owners.length === 1)
    throw new Failure(
      'invalid_state',
      `User '${user.id}' is the last active owner of the tenant. Make another user an owner first.`,
    )
}
