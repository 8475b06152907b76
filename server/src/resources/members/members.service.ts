import type { MemberPatch, NewMember } from '@octavo/contract'
import type { Db, Reader, Tx } from '../../db/database.ts'
import type { PageRequest, TimeFilters } from '../../db/listing.ts'
import { record } from '../../events/record.ts'
import { hasSameFields, mergeMetadata, refuseFixed } from '../../lib/changes.ts'
import { bodyDetail, Failure, invalidValue, notFound } from '../../lib/failure.ts'
import { readProject } from '../projects/projects.service.ts'
import { refuseHigherRole } from '../users/users.rights.ts'
import { evictUser, findUser, readUser } from '../users/users.service.ts'
import * as store from './members.store.ts'

export async function listMembers(
  db: Db,
  project_id: string,
  filters: TimeFilters,
  page: PageRequest,
): Promise<store.MemberRow[]> {
  await readProject(db, project_id)
  return store.listMembers(db, project_id, filters, page)
}

export async function readMember(db: Reader, at: store.MemberPlace): Promise<store.MemberRow> {
  const member = await store.findMember(db, at)
  if (!member) throw notFound()
  return member
}

export async function createMember(tx: Tx, project_id: string, input: NewMember): Promise<store.MemberRow> {
  const project = await readProject(tx, project_id)
  tx.precondition.check(project)
  const { user_id } = input
  const user = await findUser(tx, user_id)
  if (!user) throw noUser()
  refuseHigherRole(tx.caller, user.role)
  const member = await store.insertMember(tx, { project_id: project.id, user_id, metadata: input.metadata ?? {} })
  if (member === 'gone') throw notFound()
  if (member === 'taken') throw await memberExists(tx, project_id, user_id)
  evictUser(tx, user_id)
  record(tx, 'member.created', member)
  return member
}

/** For a new user; projects that were deleted in the meantime are left out. */
export const addMemberships = (tx: Tx, user_id: string, project_ids: readonly string[]): void =>
  store.insertMemberships(tx, user_id, project_ids)

export async function updateMember(
  tx: Tx,
  at: store.MemberPlace,
  patch: MemberPatch,
  fixed: Record<string, unknown>,
): Promise<store.MemberRow> {
  const member = await lockMember(tx, at)
  refuseFixed(member, fixed)
  const fields = { metadata: mergeMetadata(member.metadata, patch.metadata) }
  if (hasSameFields(member, fields)) {
    tx.is_unchanged = true
    return member
  }
  const saved = await store.updateMember(tx, at, fields)
  record(tx, 'member.updated', saved)
  return saved
}

export async function removeMember(tx: Tx, at: store.MemberPlace): Promise<null> {
  const member = await lockMember(tx, at)
  store.deleteMember(tx, at)
  evictUser(tx, member.user_id)
  record(tx, 'member.deleted', member)
  return null
}

async function lockMember(tx: Tx, at: store.MemberPlace): Promise<store.MemberRow> {
  const member = await store.lockMember(tx, at)
  if (!member) throw notFound()
  refuseHigherRole(tx.caller, (await readUser(tx, member.user_id)).role)
  tx.precondition.check(member)
  return member
}

const noUser = (): Failure =>
  invalidValue(
    'user_id',
    'reference_not_found',
    'No user with this id exists, or your credentials do not give access to it.',
  )

async function memberExists(tx: Tx, project_id: string, user_id: string): Promise<Failure> {
  const id = (await store.findIdOfUser(tx, project_id, user_id)) ?? undefined
  return new Failure('conflict', 'The user is already a member of this project.', {
    details: [bodyDetail('user_id', 'taken', 'The user is already a member.', id)],
  })
}
