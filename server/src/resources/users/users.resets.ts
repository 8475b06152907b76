// Links with which a user chooses a new password.

import type { Needs } from '../../app.ts'
import type { Tx } from '../../db/database.ts'
import { notFound } from '../../lib/failure.ts'
import { uuidOf } from '../../lib/ids.ts'
import { createLink, removeLinks } from '../../links/links.service.ts'
import * as store from './users.store.ts'

const LIFETIME_MS = 86_400_000

export interface PasswordReset {
  url: string
  expires_at: Date
}

/** `user`: a uuid. Earlier links of the user stay usable: everybody can request a new one. */
export function createPasswordReset(app: Needs<'config'>, tx: Tx, user: string): PasswordReset {
  const expires_at = new Date(Date.now() + LIFETIME_MS)
  const secret = createLink(tx, { kind: 'password_reset', subject_id: user, expires_at })
  return { url: `${app.config.base_url}/sign-in/resets/${secret}`, expires_at }
}

/** For the operator, who knows the address. Earlier links of the user stop working. */
export async function resetByEmail(app: Needs<'config'>, tx: Tx, email: string): Promise<PasswordReset> {
  const id = await store.findIdByEmail(tx, email)
  if (id === null) throw notFound()
  const user = uuidOf('usr', id)
  removeLinks(tx, user, 'password_reset')
  return createPasswordReset(app, tx, user)
}
