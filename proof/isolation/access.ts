// Users of the same tenant see only their own authorizations. A consent page asks only users of the application's tenant.

import { toId } from '../../server/src/lib/ids.ts'
import { authorizationPath, registerWebApp, signInBrowser } from '../../server/src/testing/oauth.ts'
import { createTestUser } from '../../server/src/testing/users.ts'
import { callPatiently, parse } from '../lib/call.ts'
import { newUser } from '../lib/people.ts'
import { giveToken } from '../lib/user-tokens.ts'
import type { World } from '../lib/world.ts'
import type { Leak } from './judge.ts'
import { type Attacker, type IsolationStage, sdkOf } from './party.ts'

interface AccessScene {
  world: World
  stage: IsolationStage
}

export async function compareAccess({ world, stage }: AccessScene): Promise<Leak[]> {
  return [...(await findAuthorizations(world, stage)), ...(await findConsent(world, stage))]
}

function find({ attackers }: IsolationStage, name: Attacker['name']): Attacker {
  const found = attackers.find((attacker) => attacker.name === name)
  if (!found) throw new Error(`there is no ${name}`)
  return found
}

/** Without `members:manage`, a user sees and revokes only the access that it gave itself. */
async function findAuthorizations(world: World, { victim }: IsolationStage): Promise<Leak[]> {
  const { url } = victim.caller
  const { id: user_id } = await newUser(sdkOf(victim.caller), { role: 'viewer' })
  const subject = { tenant_id: toId('ten', victim.tenant), user_id, client_id: null }
  const { secret } = await giveToken(world, url, subject)
  const caller = { url, secret }
  const leaks: Leak[] = []
  const list = await callPatiently(caller, { method: 'GET', path: '/api/v1/authorizations?limit=100' })
  const { data = [] } = parse<{ data?: { user_id: string }[] }>(list)
  if (data.length === 0 || data.some((row) => row.user_id !== user_id))
    leaks.push({
      operation: 'authorizations.list',
      what: `a user sees authorizations of others: ${list.text.slice(0, 200)}`,
    })
  for (const { things } of victim.sets)
    for (const method of ['GET', 'DELETE']) {
      const path = `/api/v1/authorizations/${things.authorization?.id}`
      const { status } = await callPatiently(caller, { method, path })
      if (status !== 404)
        leaks.push({
          operation: 'authorizations.get',
          what: `${method} of another user's authorization was answered ${status}`,
        })
    }
  return leaks
}

/** A user of another tenant opens the address that the application would send it to. */
async function findConsent(world: World, stage: IsolationStage): Promise<Leak[]> {
  const { url } = stage.victim.caller
  const client = await registerWebApp(sdkOf(stage.victim.caller))
  const email = 'visitor@example.com'
  await createTestUser({ app: world.app, owner_tenant: toId('ten', find(stage, 'stranger').tenant) }, email)
  const browser = await signInBrowser({ url, owner_key: '' }, email)
  const page = await browser.open(authorizationPath(client))
  if (page.text.includes('belongs to another tenant')) return []
  return [
    {
      operation: 'oauth_clients.get',
      what: `a user of another tenant is asked for consent: ${page.text.slice(0, 200)}`,
    },
  ]
}
