// The people: users of each role in another tenant, a member of the neighbor's project and an application with few
// scopes. In the victim's tenant, users try what their role does not allow, and former users try everything.

import { type Role, roleScopes, type Scope } from '@octavo/contract'
import { hashSecret } from '../../server/src/auth/credential.ts'
import { operator } from '../../server/src/lib/caller.ts'
import { newUuid, toId, uuid } from '../../server/src/lib/ids.ts'
import { newSessionSecret } from '../../server/src/sign-in/sessions.ts'
import { deleteSession, insertSession } from '../../server/src/sign-in/sign-in.store.ts'
import { registerWebApp } from '../../server/src/testing/oauth.ts'
import type { Belongings } from '../lib/belongings.ts'
import { callPatiently as call } from '../lib/call.ts'
import { newUser } from '../lib/people.ts'
import { giveToken } from '../lib/user-tokens.ts'
import type { World } from '../lib/world.ts'
import { type Attacker, type IsolationStage, type IsolationVictim, type Powerless, sdkOf } from './party.ts'
import { spread } from './powerless.ts'

interface PeopleScene {
  world: World
  victim: IsolationVictim
  stranger: Attacker
  neighbour: Attacker
}

/** Scopes of the applications. */
const FEW = ['projects:read', 'documents:read', 'documents:write'] as const

export async function castPeople(scene: PeopleScene): Promise<Pick<IsolationStage, 'people' | 'limited'>> {
  const people: Attacker[] = []
  for (const role of ['owner', 'admin', 'editor', 'viewer'] as const) people.push(await castForeigner(scene, role))
  people.push(await castMember(scene), await castApplication(scene))
  const limited = [...(await castRoles(scene)), ...(await castFormer(scene)), ...(await castVisitors(scene))]
  return { people, limited }
}

/** The party's authorization is that of another user. */
function withoutAuthorization({ ids, ...own }: Belongings): Belongings {
  const { authorization_id: _, ...rest } = ids
  return { ...own, ids: rest }
}

/** The party with the token of a user instead of its key. */
const withToken = (party: Attacker, person: Pick<Attacker, 'name' | 'caller' | 'scopes' | 'seeds'>): Attacker => ({
  ...party,
  ...person,
  colleague: person.caller,
  own: withoutAuthorization(party.own),
})

async function castForeigner({ world, stranger }: PeopleScene, role: Role): Promise<Attacker> {
  const { url } = stranger.caller
  const scopes = roleScopes[role]
  const { id: user_id } = await newUser(sdkOf(stranger.caller), { role })
  const subject = { tenant_id: toId('ten', stranger.tenant), user_id, client_id: null, scopes }
  const { secret } = await giveToken(world, url, subject)
  const person = { name: `${role} of another tenant`, caller: { url, secret }, scopes: new Set(scopes) }
  return withToken(stranger, { ...person, seeds: stranger.seeds })
}

async function castMember({ world, neighbour }: PeopleScene): Promise<Attacker> {
  const owner = sdkOf(neighbour.colleague)
  const { url } = neighbour.caller
  const scopes = roleScopes.editor
  const { id: user_id } = await newUser(owner, { role: 'editor', project_access: 'assigned' })
  await owner.members.create(neighbour.project_id ?? '', { user_id })
  const subject = { tenant_id: toId('ten', neighbour.tenant), user_id, client_id: null, scopes }
  const { secret, grant_id } = await giveToken(world, url, subject)
  const person = { name: 'member of another project', caller: { url, secret }, scopes: new Set<Scope>(scopes) }
  return withToken(neighbour, { ...person, seeds: [uuid(user_id), uuid(grant_id)] })
}

/** Acts for an owner, who sees everything: only the application itself is limited. */
async function castApplication({ world, neighbour }: PeopleScene): Promise<Attacker> {
  const owner = sdkOf(neighbour.colleague)
  const { url } = neighbour.caller
  const { id: user_id } = await newUser(owner, { role: 'owner' })
  const project_ids = [neighbour.project_id ?? '']
  const { id: client_id } = await registerWebApp(owner, { scopes: [...FEW], project_ids })
  const subject = { tenant_id: toId('ten', neighbour.tenant), user_id, client_id, scopes: FEW }
  const { secret, grant_id } = await giveToken(world, url, subject)
  const person = { name: 'application with few scopes', caller: { url, secret }, scopes: new Set<Scope>(FEW) }
  return withToken(neighbour, { ...person, seeds: [user_id, client_id, grant_id].map((id) => uuid(id)) })
}

function targetOf({ victim }: PeopleScene): Belongings {
  const [target] = victim.sets
  if (!target) throw new Error('the victim has no resources')
  return target
}

/** Operations beyond the role. Owners may do everything. */
async function castRoles(scene: PeopleScene): Promise<Powerless[]> {
  const { world, victim } = scene
  const { url } = victim.caller
  const roles: Powerless[] = []
  for (const role of ['admin', 'editor', 'viewer'] as const) {
    const scopes = roleScopes[role]
    const { id: user_id } = await newUser(sdkOf(victim.caller), { role })
    const subject = { tenant_id: toId('ten', victim.tenant), user_id, client_id: null, scopes }
    const { secret } = await giveToken(world, url, subject)
    roles.push({ name: role, caller: { url, secret }, status: 403, scopes: new Set(scopes), target: targetOf(scene) })
  }
  return roles
}

interface Former {
  name: string
  client_id: string | null
  end: (user_id: string, grant_id: string) => Promise<unknown>
}

/** All were seen to work before they ended. */
async function castFormer(scene: PeopleScene): Promise<Powerless[]> {
  const { world, victim } = scene
  const { url } = victim.caller
  const owner = sdkOf(victim.caller)
  const { id: client_id } = await registerWebApp(owner, { scopes: [...FEW] })
  const all: Former[] = [
    {
      name: 'suspended user',
      client_id: null,
      end: (user_id) => owner.users.update(user_id, { status: 'suspended' }),
    },
    { name: 'removed user', client_id: null, end: (user_id) => owner.users.remove(user_id) },
    {
      name: 'token of a revoked authorization',
      client_id: null,
      end: (_, grant_id) => owner.authorizations.remove(grant_id),
    },
    { name: 'token of a removed application', client_id, end: () => owner.oauthClients.remove(client_id) },
  ]
  const former: Powerless[] = []
  for (const { name, client_id, end } of all) {
    const scopes = client_id === null ? roleScopes.owner : FEW
    const { id: user_id } = await newUser(owner, { role: 'owner' })
    const { secret, grant_id } = await giveToken(world, url, {
      tenant_id: toId('ten', victim.tenant),
      user_id,
      client_id,
      scopes,
    })
    const { status } = await call({ url, secret }, { method: 'GET', path: '/api/v1/projects' })
    if (status !== 200) throw new Error(`${name}: the token was answered ${status} before it ended`)
    await end(user_id, grant_id)
    const caller = spread({ url, secret })
    former.push({ name, caller, status: 401, scopes: null, target: targetOf(scene) })
  }
  return former
}

/** Sessions are for the sign-in pages: the API accepts no cookie, whether its session has ended or not. */
async function castVisitors(scene: PeopleScene): Promise<Powerless[]> {
  const { world, victim } = scene
  const { url } = victim.caller
  const { id: user_id } = await newUser(sdkOf(victim.caller), { role: 'owner' })
  const visitors: Powerless[] = []
  for (const name of ['cookie of a session', 'cookie of an ended session']) {
    const secret = newSessionSecret()
    const [user, session] = [uuid(user_id), newUuid()]
    const row = { user, session, hash: hashSecret(secret), user_agent: '', address: '127.0.0.1' }
    await world.app.db.transaction(operator(victim.tenant, []), async (tx) => {
      insertSession(tx, { ...row, method: 'password' })
      if (name === 'cookie of an ended session') deleteSession(tx, user, session)
    })
    const caller = spread({ url, secret: null, headers: { cookie: `octavo_session=${secret}` } })
    visitors.push({ name, caller, status: 401, scopes: null, target: targetOf(scene) })
  }
  return visitors
}
