// Access tokens of users, without a sign-in and without a page that asks for consent.

import { createPrivateKey, sign } from 'node:crypto'
import { roleScopes, type Scope } from '@octavo/contract'
import { resourceUrl } from '../../server/src/auth/access-token.ts'
import { operator } from '../../server/src/lib/caller.ts'
import { CLI_CLIENT } from '../../server/src/lib/client-ids.ts'
import { newUuid, toId, uuid, uuidOf } from '../../server/src/lib/ids.ts'
import { currentKey, openSigningKeys } from '../../server/src/oauth/signing-keys.ts'
import { saveAuthorization } from '../../server/src/resources/authorizations/authorizations.service.ts'
import type { World } from './world.ts'

const DAY_MS = 86_400_000

export interface TokenSubject {
  tenant_id: string
  user_id: string
  /** null: the command line. */
  client_id: string | null
  scopes?: readonly Scope[]
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

export interface UserToken {
  secret: string
  grant_id: string
}

/** Saves the grant and returns a token as the server at `url` would sign it, for a day: some proofs take hours. */
export async function giveToken({ app }: Pick<World, 'app'>, url: string, subject: TokenSubject): Promise<UserToken> {
  const { tenant_id, user_id, client_id, scopes = roleScopes.viewer } = subject
  const grant = newUuid()
  const grant_id = toId('grt', grant)
  const expires_at = new Date(Date.now() + DAY_MS)
  const access = {
    grant,
    user: uuid(user_id),
    client: client_id && uuid(client_id),
    client_url: null,
    scopes,
    expires_at,
  }
  await app.db.transaction(operator(uuidOf('ten', tenant_id), []), (tx) => saveAuthorization(tx, access))
  const { id, private_key } = currentKey(await openSigningKeys(app))
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: url,
    aud: resourceUrl(url, 'api'),
    sub: user_id,
    client_id: client_id ?? CLI_CLIENT,
    tenant: tenant_id,
    grant_id,
    scope: scopes.join(' '),
    iat: now,
    auth_time: now,
    exp: now + DAY_MS / 1000,
  }
  const text = `${encode({ alg: 'RS256', typ: 'at+jwt', kid: id })}.${encode(claims)}`
  const key = createPrivateKey({ key: private_key, format: 'jwk' })
  return { secret: `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`, grant_id }
}
