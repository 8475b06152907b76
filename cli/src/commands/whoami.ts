import { exits } from '../exits.ts'
import { type Identity, readIdentity } from '../identity.ts'
import { readLogin } from '../login.ts'
import { scopes as allScopes } from '../scopes.ts'
import { plural, spoken } from '../words.ts'
import type { Session } from './session.ts'

export async function whoami({ terminal, signal }: Session): Promise<number> {
  const login = readLogin()
  const identity = await readIdentity(login, signal)
  const { user, key, tenant_id, scopes, expires_at, tier, version } = identity
  if (terminal.is_json) {
    terminal.json({ url: login.url, version, tier, tenant_id, user, key, scopes, expires_at })
    return exits.fine
  }
  terminal.facts({
    server: `${login.url} (Octavo ${version})`,
    user: user && `${user.name}, ${user.email}`,
    key: key && `${key.name}, ${key.id}`,
    tenant: tenant_id,
    tier: tier && spoken(tier),
    role: user?.role,
    scopes: scopesText(identity),
    until: expires_at ?? (scopes && 'revoked'),
  })
  if (scopes === null)
    terminal.remark('The name and scopes of this key are unknown: it lacks the scope api_keys:manage.')
  return exits.fine
}

/** A login that requested all scopes is limited only by the user's role. */
function scopesText({ user, scopes }: Identity): string | null {
  if (!scopes) return null
  return user && scopes.length >= allScopes.length ? 'all that the role allows' : scopes.join(', ')
}

/** One line about a new login. */
export function introduce({ user, key }: Identity): string | null {
  if (user) return `You are ${user.name}, ${user.email}, with the role ${user.role}.`
  return key && `Key ${key.id}, “${key.name}”, ${plural(key.scopes.length, 'scope')}.`
}
