// Links that work once: an invitation, a new password. Only the hash of a link's secret is stored.

import type { Needs } from '../app.ts'
import { hashSecret, isWellFormedSecret, newSecret, type SecretKind } from '../auth/credential.ts'
import type { Tx } from '../db/database.ts'
import * as store from './links.store.ts'

const secretKinds: Readonly<Record<store.LinkKind, SecretKind>> = { invitation: 'inv', password_reset: 'rst' }

interface LinkRequest {
  kind: store.LinkKind
  /** The uuid of the invitation or the user. */
  subject_id: string
  expires_at: Date
}

/** The secret of a new link. Earlier links stay usable. */
export function createLink(tx: Tx, { kind, subject_id, expires_at }: LinkRequest): string {
  const secret = newSecret(secretKinds[kind])
  store.insertLink(tx, { hash: hashSecret(secret), kind, subject_id, expires_at })
  return secret
}

/** The tenant and the subject of a link, which stays usable. */
export async function findLink({ db }: Needs<'db'>, secret: string, kind: store.LinkKind): Promise<store.Link | null> {
  if (!secret.startsWith(`oct_${secretKinds[kind]}_`) || !isWellFormedSecret(secret)) return null
  const link = await store.findLink(db, hashSecret(secret))
  return link?.kind === kind ? { tenant: link.tenant, subject: link.subject } : null
}

/** Uses the link up and gives the uuid of its subject; null if it was used or has expired. */
export const redeemLink = (tx: Tx, secret: string, kind: store.LinkKind): Promise<string | null> =>
  store.redeemLink(tx, hashSecret(secret), kind)

export const removeLinks = (tx: Tx, subject_id: string, kind: store.LinkKind): void =>
  store.deleteLinks(tx, subject_id, kind)
