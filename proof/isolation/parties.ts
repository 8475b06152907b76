// The parties: a victim with two sets of resources (inside a project, and outside all projects if possible), an
// attacker from another tenant, one from another project of the same tenant, and credentials that must not work at all.

import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { operations, type Scope, scopeNames } from '@octavo/contract'
import { newSecret } from '../../server/src/auth/credential.ts'
import { encodePng } from '../../server/src/extract/raster.ts'
import { type SignedLink, signedUrl } from '../../server/src/files/signed-links.ts'
import { findUuid, uuid } from '../../server/src/lib/ids.ts'
import { suspendTenant } from '../../server/src/tenants/tenants.service.ts'
import { giveAccess } from '../lib/authorizations.ts'
import { type Belongings, fillPath, makeBelongings, makeThing, paramsOf, post, untilRead } from '../lib/belongings.ts'
import { callPatiently as call, type ProofCaller, parse } from '../lib/call.ts'
import type { World } from '../lib/world.ts'
import { GENERATOR } from './generator.ts'

export interface Attacker {
  name: 'stranger' | 'neighbour'
  caller: ProofCaller
  /** A key of the whole tenant, whose results for the attacker's project the attacker can read. */
  colleague: ProofCaller
  /** The project that limits the attacker; null: the attacker sees its whole tenant. */
  project_id: string | null
  own: Belongings
  mark: string
  /** Its tenant's uuid. */
  tenant: string
  /** Uuids that its rows carry: its tenant, or its project and its key. */
  seeds: string[]
}

/** A credential without access; `scope` for a key that lacks only this scope. */
export interface Powerless {
  name: string
  caller: ProofCaller
  status: 401 | 403
  scope: Scope | null
  /** Resources that the credentials would give access to. */
  target: Belongings
}

interface IsolationVictim {
  tenant: string
  caller: ProofCaller
  marks: string[]
  sets: Belongings[]
  /** For each set, further requests with keys. */
  spares: Belongings['keyed'][]
  /** By operation, one for each set. */
  cursors: Record<string, (string | null)[]>
  /** For each set, the stored picture of a page. */
  image_ids: string[]
}

export interface IsolationStage {
  victim: IsolationVictim
  attackers: Attacker[]
  powerless: Powerless[]
  suspended: { tenant: string; mark: string }
  /** As the server itself would sign it: what a link opens must not hang on the signature alone. */
  signedPath: (link: SignedLink) => string
}

const newMark = (): string => `canary${randomBytes(6).toString('hex')}`
const accessOf = (world: World, tenant: string) => (user_id: string, client_id: string) =>
  giveAccess(world.app, tenant, user_id, client_id)
const uuidOfTenant = (id: string): string => findUuid('ten', id)!

export async function castParties(world: World, url: string): Promise<IsolationStage> {
  const { tenant, key } = await world.newTenant()
  const caller: ProofCaller = { url, secret: key.secret }
  const marks = [newMark(), newMark()]
  const access = { giveAccess: accessOf(world, tenant) }
  const filed = await makeBelongings(caller, { mark: marks[0]!, refs: {} }, access)
  const unfiled = await makeBelongings(caller, { mark: marks[1]!, refs: { proj: null } }, access)
  const victim: IsolationVictim = {
    tenant: uuidOfTenant(tenant),
    caller,
    marks,
    sets: [filed, unfiled],
    spares: [],
    cursors: {},
    image_ids: [],
  }
  for (const set of victim.sets) victim.image_ids.push(await addImage(caller, set))
  for (const set of victim.sets) victim.spares.push(await askAgain(victim, set))
  await spend(victim)
  await takeCursors(victim)
  const attackers = [await castStranger(world, url), await castNeighbour(world, victim, tenant)]
  const suspended = await castSuspended(world, url)
  const powerless = [...(await castPowerless(world, victim, tenant)), suspended]
  for (const set of victim.sets) await sendBytes(set)
  const signedPath = (link: SignedLink): string => new URL(signedUrl(world.app.config, link)).pathname
  return { victim, attackers, powerless, suspended: { tenant: suspended.tenant, mark: suspended.mark }, signedPath }
}

/** Adds a document that is a picture, and returns the stored picture of its page. */
async function addImage(caller: ProofCaller, { things, file_text }: Belongings): Promise<string> {
  const width = 200
  const png = encodePng({ width, height: width, pixels: new Uint8Array(width * width).fill(255), dpi: 150 })
  const source = { type: 'base64', media_type: 'image/png', data: Buffer.from(png).toString('base64') }
  const body = JSON.stringify({ title: file_text, project_id: things.document?.row.project_id, source })
  const made = await call(caller, { method: 'POST', path: '/api/v1/documents', headers: { prefer: 'wait=50' }, body })
  const { id } = await untilRead(caller, made)
  const pages = await call(caller, { method: 'GET', path: `/api/v1/documents/${id}/pages` })
  const image = parse<{ data?: { image_file_id: string | null }[] }>(pages).data?.[0]?.image_file_id
  if (!image) throw new Error(`a picture became no page: ${made.text} ${pages.text}`)
  return image
}

/** A model call that costs something, so that there are rows about money. */
async function spend({ caller, marks }: IsolationVictim): Promise<void> {
  const body = JSON.stringify({ text: `The rent of ${marks[0]} is 900 a month.`, model: GENERATOR, length: 'short' })
  const answer = await call(caller, { method: 'POST', path: '/api/v1/summaries', headers: { prefer: 'wait=50' }, body })
  if (parse<{ status?: string }>(answer).status !== 'succeeded')
    throw new Error(`a generated summary was answered ${answer.status}: ${answer.text}`)
}

/** Sends the bytes, so that an attacker who got the upload could create a document from them. */
async function sendBytes({ things: { upload } }: Belongings): Promise<void> {
  const { put, size_bytes, file_name } = upload!.row as { put: { url: string }; size_bytes: number; file_name: string }
  const answer = await fetch(put.url, { method: 'PUT', body: file_name.padEnd(size_bytes, '.') })
  if (!answer.ok) throw new Error(`the bytes of an upload were answered ${answer.status}`)
}

/** Sends every POST again, for a second key: one key to try with the same request, another with a different one. */
async function askAgain(victim: IsolationVictim, set: Belongings): Promise<Belongings['keyed']> {
  const filling = {
    mark: `${victim.marks[victim.spares.length]}b`,
    refs: victim.spares.length === 0 ? {} : { proj: null },
  }
  const spare = { ids: set.ids, keyed: {} }
  for (const operation of operations) {
    const { name, endpoint } = operation
    if (endpoint.method !== 'POST' || !paramsOf(endpoint).every((param) => param in set.ids)) continue
    // Operations that create no resource, such as a new secret, have not been called yet.
    if (!(name in set.keyed)) await post(victim.caller, operation, set, filling)
    await post(victim.caller, operation, spare, filling)
  }
  return spare.keyed
}

async function takeCursors(victim: IsolationVictim): Promise<void> {
  for (const { name, endpoint } of operations.filter(({ endpoint }) => endpoint.list)) {
    victim.cursors[name] = []
    for (const { ids } of victim.sets) {
      if (!paramsOf(endpoint).every((param) => param in ids)) continue
      const answer = await call(victim.caller, { method: 'GET', path: `${fillPath(endpoint, ids)}?limit=1` })
      victim.cursors[name].push(parse<{ cursor?: string | null }>(answer).cursor ?? null)
    }
  }
}

async function castStranger(world: World, url: string): Promise<Attacker> {
  const { tenant, key } = await world.newTenant()
  const caller = { url, secret: key.secret }
  const mark = newMark()
  const own = await makeBelongings(caller, { mark, refs: {} }, { giveAccess: accessOf(world, tenant) })
  const uuid = uuidOfTenant(tenant)
  return { name: 'stranger', caller, colleague: caller, project_id: null, mark, own, tenant: uuid, seeds: [uuid] }
}

async function castNeighbour(world: World, victim: IsolationVictim, tenant: string): Promise<Attacker> {
  const mark = newMark()
  // Readers of a project see its creator, so none of the keys that must stay hidden creates it.
  const maker = await world.newKey(tenant)
  const colleague = { url: victim.caller.url, secret: maker.secret }
  const project = await makeThing(colleague, 'project', { ids: {}, keyed: {} }, { mark, refs: {} })
  const key = await world.newKey(tenant, { project_ids: [project.id] })
  const caller = { url: victim.caller.url, secret: key.secret }
  const own = await makeBelongings(caller, { mark, refs: {} }, { given: { project_id: project.id }, maker: colleague })
  return {
    name: 'neighbour',
    caller,
    colleague,
    project_id: project.id,
    mark,
    own,
    tenant: victim.tenant,
    seeds: [project.id, key.id, maker.id, own.ids.user_id ?? ''].map((id) => uuid(id)),
  }
}

async function castSuspended(world: World, url: string): Promise<Powerless & { tenant: string; mark: string }> {
  const { tenant, key } = await world.newTenant()
  const caller = { url, secret: key.secret }
  const mark = newMark()
  const target = await makeBelongings(caller, { mark, refs: {} }, { giveAccess: accessOf(world, tenant) })
  await suspendTenant(world.app.system, tenant, true)
  return {
    name: 'key of a suspended tenant',
    caller: spread(caller),
    status: 401,
    scope: null,
    target,
    tenant: uuidOfTenant(tenant),
    mark,
  }
}

let count = 0
/** Failed credentials are counted by address, so each of these uses different addresses. */
const spread = (caller: ProofCaller): ProofCaller => ({
  ...caller,
  get headers() {
    count++
    return { 'x-forwarded-for': `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}` }
  },
})

/** All were seen to work before they stopped working, so that a remembered credential would show. */
async function castPowerless(world: World, victim: IsolationVictim, tenant: string): Promise<Powerless[]> {
  const { url } = victim.caller
  const [target] = victim.sets as [Belongings]
  const main = victim.caller.secret!
  const expires_at = new Date(Date.now() + 1_500).toISOString()
  const [revoked, rotated, expired] = await Promise.all([
    world.newKey(tenant),
    world.newKey(tenant),
    world.newKey(tenant, { expires_at }),
  ])
  for (const { secret } of [revoked, rotated, expired])
    await call({ url, secret }, { method: 'GET', path: '/api/v1/capabilities' })
  await call(victim.caller, { method: 'DELETE', path: `/api/v1/api-keys/${revoked.id}` })
  await call(victim.caller, { method: 'POST', path: `/api/v1/api-keys/${rotated.id}/rotations` })
  await sleep(Math.max(0, Date.parse(expires_at) - Date.now()) + 50)

  const secrets: Record<string, string> = {
    'malformed key': 'oct_key_nonsense',
    'key with a wrong checksum': `${main.slice(0, -1)}${main.endsWith('0') ? '1' : '0'}`,
    'unknown key': newSecret('key'),
    'revoked key': revoked.secret,
    'expired key': expired.secret,
    'rotated secret': rotated.secret,
  }
  const callers = Object.entries(secrets).map(([name, secret]): [string, ProofCaller] => [name, { url, secret }])
  callers.push(['no credential', { url, secret: null }])
  callers.push([
    'key by another scheme',
    { url, secret: null, headers: { authorization: `Basic ${Buffer.from(`${main}:`).toString('base64')}` } },
  ])
  const broken = callers.map(([name, caller]): Powerless => {
    return { name, caller: caller.headers ? caller : spread(caller), status: 401, scope: null, target }
  })
  const narrow = scopeNames.map(async (scope): Promise<Powerless> => {
    const key = await world.newKey(tenant, { scopes: scopeNames.filter((name) => name !== scope) })
    return { name: `key without ${scope}`, caller: { url, secret: key.secret }, status: 403, scope, target }
  })
  return [...broken, ...(await Promise.all(narrow))]
}
