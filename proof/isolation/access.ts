// Tokens of users reach only the projects that their user is assigned to and their application may see, and only the
// authorizations of their user. A consent page asks only users of the application's tenant.

import { api } from '@octavo/contract'
import { toId } from '../../server/src/lib/ids.ts'
import { authorizationPath, REDIRECT_URI, signInBrowser } from '../../server/src/testing/oauth.ts'
import { createTestUser } from '../../server/src/testing/users.ts'
import { fillPath } from '../lib/belongings.ts'
import { callPatiently, type ProofCaller, parse } from '../lib/call.ts'
import { giveToken } from '../lib/user-tokens.ts'
import type { World } from '../lib/world.ts'
import type { Leak } from './judge.ts'
import type { Attacker, IsolationStage } from './parties.ts'

const LISTS = ['documents', 'projects', 'jobs', 'events', 'summaries', 'reports'] as const
const READS = [api.documents.get, api.projects.get, api.pages.list, api.chunks.list, api.files.contents, api.jobs.get]

interface AccessScene {
  world: World
  stage: IsolationStage
}

export async function compareAccess({ world, stage }: AccessScene): Promise<Leak[]> {
  const neighbour = find(stage, 'neighbour')
  const { caller, tenant } = stage.victim
  const tenant_id = toId('ten', tenant)
  const project_id = neighbour.own.ids.project_id ?? ''
  const assigned = await newUser(caller, 'assigned')
  await create(caller, `/projects/${project_id}/members`, { user_id: assigned })
  const unlimited = await newUser(caller, 'all')
  const limited = await newClient(caller, [project_id])
  const tokenOf = async (user_id: string, client_id: string | null): Promise<ProofCaller> => ({
    url: caller.url,
    secret: await giveToken(world, caller.url, { tenant_id, user_id, client_id }),
  })
  const ofUser = await tokenOf(assigned, null)
  return [
    ...(await findReached('a user who is assigned to another project', ofUser, stage)),
    ...(await findReached(
      'an application that is limited to another project',
      await tokenOf(unlimited, limited),
      stage,
    )),
    ...(await findAuthorizations(await tokenOf(unlimited, null), unlimited, stage)),
    ...(await findConsent(world, stage)),
  ]
}

function find({ attackers }: IsolationStage, name: Attacker['name']): Attacker {
  const found = attackers.find((attacker) => attacker.name === name)
  if (!found) throw new Error(`there is no ${name}`)
  return found
}

async function create(caller: ProofCaller, path: string, body: object): Promise<string> {
  const answer = await callPatiently(caller, { method: 'POST', path: `/api/v1${path}`, body: JSON.stringify(body) })
  if (answer.status !== 201) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`)
  return parse<{ id: string }>(answer).id
}

let count = 0
const newEmail = (): string => `access${++count}-${Date.now()}@example.com`

const newUser = (caller: ProofCaller, project_access: 'all' | 'assigned'): Promise<string> =>
  create(caller, '/users', { email: newEmail(), name: 'A viewer', role: 'viewer', project_access })

const newClient = (caller: ProofCaller, project_ids: string[] | null): Promise<string> =>
  create(caller, '/oauth-clients', {
    name: 'An application of the victim',
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: [REDIRECT_URI],
    scopes: ['documents:read', 'projects:read', 'jobs:read', 'events:read', 'summaries:read', 'reports:read'],
    project_ids,
  })

/** Its own project is there; nothing of the victim's is. */
async function findReached(who: string, caller: ProofCaller, stage: IsolationStage): Promise<Leak[]> {
  const { victim } = stage
  const leaks: Leak[] = []
  const own = find(stage, 'neighbour').own.ids.project_id ?? ''
  const get = (path: string) => callPatiently(caller, { method: 'GET', path })
  const control = await get(`/api/v1/projects/${own}`)
  if (control.status !== 200) throw new Error(`${who}: the own project was answered ${control.status}: ${control.text}`)
  for (const name of LISTS) {
    const { status, text } = await get(`/api/v1/${name}?limit=100`)
    const mark = victim.marks.find((one) => text.includes(one))
    if (status !== 200 || mark !== undefined)
      leaks.push({ operation: `${name}.list`, what: `${who}: ${name} were answered ${status} with '${mark}'` })
  }
  for (const endpoint of READS)
    for (const { ids } of victim.sets) {
      const path = fillPath(endpoint, ids)
      const { status } = await get(path)
      if (status !== 404) leaks.push({ operation: '', what: `${who}: ${path} was answered ${status}` })
    }
  return leaks
}

/** Without `members:manage`, a user sees and revokes only the access that it gave itself. */
async function findAuthorizations(caller: ProofCaller, user_id: string, { victim }: IsolationStage): Promise<Leak[]> {
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
  const client = { id: await newClient(stage.victim.caller, null), secret: null }
  const email = newEmail()
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
