import type { InvitationPatch, InvitationWithLink, NewInvitation, Role } from '@octavo/contract'
import type { Needs } from '../../app.ts'
import type { Db, Reader, Tx } from '../../db/database.ts'
import type { PageRequest, TimeFilters } from '../../db/listing.ts'
import { record } from '../../events/record.ts'
import { hasSameFields, mergeMetadata, refuseFixed, requireRecentSignIn } from '../../lib/changes.ts'
import { bodyDetail, Failure, invalidValue, notFound } from '../../lib/failure.ts'
import { toId, uuidOf } from '../../lib/ids.ts'
import { instantOf } from '../../lib/time.ts'
import { createLink, removeLinks } from '../../links/links.service.ts'
import { invitationMail, type MailMessage } from '../../mail/messages.ts'
import { refuseMissingProjects } from '../projects/projects.service.ts'
import { refuseHigherRole, refuseLimitedRole } from '../users/users.rights.ts'
import { emailTaken, hasUser } from '../users/users.service.ts'
import * as store from './invitations.store.ts'

const DAY_MS = 86_400_000
const LIFETIME_MS = 7 * DAY_MS
const MAX_LIFETIME_MS = 30 * DAY_MS
const MAIL_RATE = { quota: 100, window_ms: 60 * 60_000 }

export function listInvitations(db: Db, filters: TimeFilters, page: PageRequest): Promise<store.InvitationRow[]> {
  return store.listInvitations(db, filters, page)
}

export async function readInvitation(db: Reader, id: string): Promise<store.InvitationRow> {
  const invitation = await store.findInvitation(db, id)
  if (!invitation) throw notFound()
  return invitation
}

type Created = InvitationWithLink & { version: number }

export async function createInvitation(
  app: Needs<'config' | 'limiter' | 'log' | 'mail'>,
  tx: Tx,
  input: NewInvitation,
): Promise<Created> {
  requireRecentSignIn(tx.caller)
  const project_ids = input.project_ids ?? null
  await refuseRights(tx, input.role, project_ids)
  const expires_at = resolveExpiry(input.expires_at)
  if (await hasUser(tx, input.email)) throw await emailTaken(tx, input.email)
  const row = { email: input.email, role: input.role, project_ids, expires_at, metadata: input.metadata ?? {} }
  const invitation = await store.insertInvitation(tx, row)
  if (!invitation) throw await invitationExists(tx, input.email)
  const secret = createLink(tx, { kind: 'invitation', subject_id: uuidOf('inv', invitation.id), expires_at })
  record(tx, 'invitation.created', invitation)
  const url = `${app.config.base_url}/sign-in/invitations/${secret}`
  if (app.mail.is_configured) {
    const { name: tenant_name } = await store.readTenant(tx)
    const { email: to, role } = invitation
    const message = invitationMail({ to, role, url, tenant_name, expires_at })
    tx.afterCommit(() => mailWithinLimit(app, tx.caller.tenant, message))
  }
  return { ...invitation, url }
}

/** The caller has the link in any case. */
async function mailWithinLimit(
  app: Needs<'limiter' | 'log' | 'mail'>,
  tenant: string,
  message: MailMessage,
): Promise<void> {
  const policy = { ...MAIL_RATE, name: 'invitation_mails', key: `invitation-mails:${tenant}`, cost: 1 }
  const states = await app.limiter.take([policy])
  if (states.every(({ is_admitted }) => is_admitted)) app.mail.send(message)
  else
    app.log.warn('mail was not sent', {
      tenant_id: toId('ten', tenant),
      reason: 'the tenant has mailed too many invitations',
    })
}

export async function updateInvitation(
  tx: Tx,
  id: string,
  patch: InvitationPatch,
  fixed: Record<string, unknown>,
): Promise<store.InvitationRow> {
  const invitation = await lockInvitation(tx, id)
  refuseFixed(invitation, fixed)
  if (invitation.accepted_at !== null)
    throw new Failure('invalid_state', `Invitation '${id}' was accepted. Change user '${invitation.user_id}' instead.`)
  const fields: store.InvitationFields = {
    role: patch.role ?? invitation.role,
    project_ids: patch.project_ids === undefined ? invitation.project_ids : patch.project_ids,
    metadata: mergeMetadata(invitation.metadata, patch.metadata),
  }
  if (hasSameFields(invitation, fields)) {
    tx.is_unchanged = true
    return invitation
  }
  await refuseRights(tx, fields.role, fields.project_ids)
  const saved = await store.updateInvitation(tx, id, fields)
  record(tx, 'invitation.updated', saved)
  return saved
}

export async function removeInvitation(tx: Tx, id: string): Promise<null> {
  const invitation = await lockInvitation(tx, id)
  removeLinks(tx, uuidOf('inv', id), 'invitation')
  store.deleteInvitation(tx, id)
  record(tx, 'invitation.deleted', invitation)
  return null
}

async function lockInvitation(tx: Tx, id: string): Promise<store.InvitationRow> {
  const invitation = await store.lockInvitation(tx, id)
  if (!invitation) throw notFound()
  refuseHigherRole(tx.caller, invitation.role)
  tx.precondition.check(invitation)
  return invitation
}

/** A caller offers only roles and projects that it has itself. */
async function refuseRights(tx: Tx, role: Role, project_ids: readonly string[] | null): Promise<void> {
  refuseHigherRole(tx.caller, role)
  refuseLimitedRole(role, project_ids !== null, 'project_ids')
  if (project_ids !== null) return refuseMissingProjects(tx, project_ids)
  if (tx.caller.projects !== null)
    throw new Failure(
      'permission_denied',
      'Your credentials are limited to projects, so you can invite only to these projects. Set project_ids.',
    )
}

function resolveExpiry(requested: string | undefined): Date {
  const now = Date.now()
  if (requested === undefined) return new Date(now + LIFETIME_MS)
  const expires_at = instantOf(requested)
  if (expires_at.getTime() <= now) throw invalidValue('expires_at', 'too_small', 'Must be in the future.')
  if (expires_at.getTime() > now + MAX_LIFETIME_MS)
    throw invalidValue('expires_at', 'too_large', 'Must be at most 30 days from now.')
  return expires_at
}

async function invitationExists(tx: Tx, email: string): Promise<Failure> {
  const id = (await store.findOpenId(tx, email)) ?? undefined
  return new Failure('conflict', 'This address already has an invitation. Delete it to create a new link.', {
    details: [bodyDetail('email', 'taken', 'Another invitation has this address.', id)],
  })
}
