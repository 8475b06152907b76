// The parties: a victim with two sets of resources (inside a project, and outside all projects if possible), an
// attacker from another tenant, one from another project of the same tenant, and credentials that must not work at all.

import { operations, type Scope, scopeNames } from '@octavo/contract'
import { encodePng } from '../../extract/src/raster.ts'
import { type SignedLink, signedUrl } from '../../server/src/files/signed-links.ts'
import { uuid } from '../../server/src/lib/ids.ts'
import { type Belongings, fillPath, makeBelongings, makeThing, paramsOf, post, untilRead } from '../lib/belongings.ts'
import { callPatiently as call, type ProofCaller, parse } from '../lib/call.ts'
import type { World } from '../lib/world.ts'
import { GENERATOR } from './generator.ts'
import { type Attacker, accessOf, type IsolationStage, type IsolationVictim, newMark, uuidOfTenant } from './party.ts'
import { castPeople } from './people.ts'
import { castPowerless, castSuspended } from './powerless.ts'

const EVERY_SCOPE: ReadonlySet<Scope> = new Set(scopeNames)
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
  const stranger = await castStranger(world, url)
  const neighbour = await castNeighbour(world, victim, tenant)
  const { people, limited } = await castPeople({ world, victim, stranger, neighbour })
  const suspended = await castSuspended(world, url)
  const powerless = [...(await castPowerless(world, victim, tenant)), suspended]
  for (const set of victim.sets) await sendBytes(set)
  const signedPath = (link: SignedLink): string => new URL(signedUrl(world.app.config, link)).pathname
  return {
    victim,
    attackers: [stranger, neighbour],
    people,
    powerless,
    limited,
    suspended: { tenant: suspended.tenant, mark: suspended.mark },
    signedPath,
  }
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
  return {
    name: 'stranger',
    caller,
    colleague: caller,
    project_id: null,
    mark,
    own,
    scopes: EVERY_SCOPE,
    tenant: uuid,
    seeds: [uuid],
  }
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
    scopes: EVERY_SCOPE,
    mark,
    own,
    tenant: victim.tenant,
    seeds: [project.id, key.id, maker.id, own.ids.user_id ?? ''].map((id) => uuid(id)),
  }
}
