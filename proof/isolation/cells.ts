// The matrix, from the contract alone: every operation × every way to name what is not yours × every attacker.

import { type Endpoint, operations, type Prefix } from '@octavo/contract'
import { newId } from '../../server/src/lib/ids.ts'
import {
  type BelongingsOperation,
  fillPath,
  idParamsOf,
  isReachable,
  objectOf,
  paramsOf,
  refsOf,
} from '../lib/belongings.ts'
import type { ProofRequest } from '../lib/call.ts'
import { fillBody, idPlaces, placesOf, readAt, referTo, type ShapesSchema } from '../lib/shapes.ts'
import * as allow from './allow.ts'
import { cell, fillingOf, type IsolationCell, type IsolationScene } from './cell.ts'
import { credentialCells } from './credential-cells.ts'
import { documentCells, imageCells, linkCells } from './file-cells.ts'
import { madeCells, streamCells } from './made-cells.ts'
import { type Attacker, type IsolationStage, isInside } from './party.ts'
import { rightsCells } from './rights-cells.ts'
import { searchCells } from './search-cells.ts'

const bodyOf = (endpoint: Endpoint, attacker: Attacker): string | null => {
  const body = fillBody(endpoint, fillingOf(attacker))
  return body && JSON.stringify(body)
}

/** In a sample, this many people try one cell of an operation, and as many are refused. They take turns, as do the cells. */
const SAMPLE = 2

/** `isSampled`: people try a sample of the cells; attackers with keys try all of them. */
export function* cellsOf(stage: IsolationStage, isSampled: boolean): Generator<IsolationCell> {
  for (const [turn, operation] of operations.entries()) {
    const choose = <T>(people: readonly T[]): readonly T[] =>
      isSampled ? people.filter((_, nth) => (nth + turn) % Math.ceil(people.length / SAMPLE) === 0) : people
    for (const powerless of [...stage.powerless, ...choose(stage.limited)]) yield* credentialCells(operation, powerless)
    for (const attacker of stage.attackers) yield* attackCells(stage, operation, attacker)
    for (const person of choose(stage.people)) {
      const cells = [...attackCells(stage, operation, person)]
      const chosen = (turn + stage.people.indexOf(person)) % cells.length
      yield* isSampled ? cells.slice(chosen, chosen + 1) : cells
    }
  }
}

function* attackCells(
  stage: IsolationStage,
  operation: BelongingsOperation,
  attacker: Attacker,
): Generator<IsolationCell> {
  for (const [nth, victims] of stage.victim.sets.entries()) {
    const cursor = stage.victim.cursors[operation.name]?.[nth] ?? null
    const scene = {
      operation,
      attacker,
      victims,
      nth,
      spare: stage.victim.spares[nth]!,
      cursor,
      tenant: stage.victim.tenant,
      signedPath: stage.signedPath,
      image_id: stage.victim.image_ids[nth]!,
    }
    yield* pathCells(scene)
    yield* bodyCells(scene)
    yield* keyCells(scene)
    yield* listCells(scene)
    yield* documentCells(scene)
    yield* linkCells(scene)
    yield* searchCells(scene)
    yield* rightsCells(scene)
    yield* streamCells(scene)
    yield* imageCells(scene)
    // The same for both sets of the victim's.
    if (nth === 0) yield* madeCells(scene)
  }
}

/** An unused id of the same kind. */
const likeOf = (id: string): string => newId(id.slice(0, id.indexOf('_')) as Prefix)

/** Every mixture of own and foreign along the path, but the one that is all one's own. */
function* pathCells(scene: IsolationScene): Generator<IsolationCell> {
  const { operation, attacker, victims } = scene
  const { endpoint } = operation
  if (!isReachable(endpoint, victims.ids)) return
  const names = paramsOf(endpoint).filter((name) => victims.ids[name] !== attacker.own.ids[name])
  const missing = names.filter((name) => !(name in attacker.own.ids))
  for (let mask = 1; mask < 1 << names.length; mask++) {
    const foreign = names.filter((_, bit) => mask & (1 << bit))
    if (!missing.every((name) => foreign.includes(name))) continue
    const ids = { ...attacker.own.ids, ...Object.fromEntries(foreign.map((name) => [name, victims.ids[name]!])) }
    const nobodys = {
      ...attacker.own.ids,
      ...Object.fromEntries(foreign.map((name) => [name, likeOf(victims.ids[name]!)])),
    }
    const words = names.map((name) => `${foreign.includes(name) ? 'foreign' : 'own'} ${name}`).join(', ')
    for (const [how, variant] of variantsOf(scene)) {
      yield cell(scene, 'path', `${words}${how}`, {
        request: { ...variant, path: fillPath(endpoint, ids) },
        absent: { ...variant, path: fillPath(endpoint, nobodys) },
        allows: allow.refusal,
      })
    }
  }
}

function* variantsOf({
  operation: { endpoint },
  attacker,
  victims,
}: IsolationScene): Generator<[string, Omit<ProofRequest, 'path'>]> {
  const { method } = endpoint
  const tags = Object.values(victims.things).flatMap(({ etag }) => (etag === null ? [] : [etag]))
  const body = bodyOf(endpoint, attacker)
  yield ['', { method, body }]
  if (method === 'GET') yield [' by HEAD', { method: 'HEAD' }]
  if (endpoint.is_bytes) yield [', a range', { method, headers: { range: 'bytes=0-3' } }]
  if (endpoint.is_bytes) yield [', a link', { method, headers: { accept: 'application/json' } }]
  if (method === 'GET')
    yield [', If-None-Match of theirs', { method, headers: { 'if-none-match': tags.join(', ') || '*' } }]
  yield [' with Prefer: wait', { method, body, headers: { prefer: 'wait=1' } }]
  if (method === 'GET') return
  yield [', If-Match of any', { method, body, headers: { 'if-match': '*' } }]
  yield [', If-Match of theirs', { method, body, headers: { 'if-match': tags.join(', ') || '*' } }]
  yield [', If-None-Match of any', { method, body, headers: { 'if-none-match': '*' } }]
  if (endpoint.body) yield [', bad body', { method, body: '{"no_such_member":1}' }]
}

/** Every member of a body that names another resource, also those that a request may carry but not change. */
function* bodyCells(scene: IsolationScene): Generator<IsolationCell> {
  const { operation, attacker, victims } = scene
  const { endpoint } = operation
  if (!endpoint.body || !isReachable(endpoint, attacker.own.ids)) return
  const path = fillPath(endpoint, attacker.own.ids)
  const shown = idPlaces(endpoint.answer)
  const fixed = shown.filter((place) => endpoint.fixed.includes(place.path[0]!))
  const ignored = shown.filter((place) => endpoint.ignored.includes(place.path[0]!))
  const own = allow.ownEffect(endpoint, attacker)
  const idsOf = refsOf(victims.ids)
  for (const place of [...idPlaces(endpoint.body), ...fixed, ...ignored]) {
    const id = idsOf[place.prefix!]
    if (id === undefined) continue
    const filling = fillingOf(attacker)
    const isIgnored = ignored.includes(place)
    const make = (to: string): ProofRequest => {
      const body = JSON.stringify(referTo(fillBody(endpoint, filling)!, place, to, filling))
      return { method: endpoint.method, path, body }
    }
    yield cell(scene, 'body', `foreign ${place.path.join('.')}`, {
      request: make(id),
      // A request with an ignored id succeeds, and a second one would conflict with it.
      absent: isIgnored ? null : make(newId(place.prefix!)),
      allows: isIgnored ? (answer) => own(answer) && !answer.text.includes(id) : allow.refusedReference,
    })
  }
}

/** Another party's Idempotency-Key: with the same request on either path, and with the attacker's own request. */
function* keyCells(scene: IsolationScene): Generator<IsolationCell> {
  const { operation, attacker, victims, spare } = scene
  const { endpoint } = operation
  const [theirs, other] = [victims.keyed[operation.name], spare[operation.name]]
  if (!theirs || !other || !isReachable(endpoint, attacker.own.ids)) return
  const path = fillPath(endpoint, attacker.own.ids)
  const send = (what: string, key: string, request: { path: string; body: string | null }): IsolationCell =>
    cell(scene, 'key', what, {
      request: { method: 'POST', headers: { 'idempotency-key': key }, ...request },
      absent: null,
      allows: allow.freshEffect(endpoint, attacker),
    })
  yield send('their request again', theirs.key, { path, body: theirs.body })
  yield send('their key, own request', other.key, { path, body: bodyOf(endpoint, attacker) })
  if (theirs.path !== path) yield send('their request at their place', theirs.key, theirs)
}

/** Lists contain nothing of the victim's; the victim's filter values and cursors give no access. */
function* listCells(scene: IsolationScene): Generator<IsolationCell> {
  const { operation, attacker, victims, cursor } = scene
  const { endpoint } = operation
  if (endpoint.method !== 'GET' || !isReachable(endpoint, attacker.own.ids)) return
  const path = fillPath(endpoint, attacker.own.ids)
  const get = (search: string): ProofRequest => ({ method: 'GET', path: search ? `${path}?${search}` : path })
  const plain = { absent: null, allows: allow.success }
  yield cell(scene, 'list', 'as it is', { request: get(''), ...plain })
  if (!endpoint.list) return
  for (const sort of endpoint.list.sorts.flatMap((key) => [key.replace('-', ''), `-${key.replace('-', '')}`]))
    for (const size of ['limit=100', 'page=1&per_page=100'])
      yield cell(scene, 'list', `sort=${sort}&${size}`, { request: get(`sort=${sort}&${size}`), ...plain })
  yield* filterCells(scene, get)
  const mayRead = isInside(attacker) ? allow.cursorOfTenant : allow.cursorOfNobody
  if (cursor !== null)
    yield cell(scene, 'cursor', 'their cursor', {
      request: get(`limit=100&cursor=${cursor}`),
      absent: null,
      allows: mayRead,
    })
  if (cursor !== null && isReachable(endpoint, victims.ids) && idParamsOf(endpoint).length > 0) {
    const request = { method: 'GET', path: `${fillPath(endpoint, victims.ids)}?cursor=${cursor}` }
    yield cell(scene, 'cursor', 'their cursor at their place', {
      request,
      absent: null,
      allows: (answer) => allow.refusal(answer) || allow.cursorOfNobody(answer),
    })
  }
}

function* filterCells(scene: IsolationScene, get: (search: string) => ProofRequest): Generator<IsolationCell> {
  const { endpoint } = scene.operation
  const row = scene.victims.things[objectOf(endpoint) ?? '']?.row
  const ids = refsOf(scene.victims.ids)
  for (const place of placesOf(endpoint.query as ShapesSchema)) {
    const name = place.path[0]!
    if (!endpoint.list!.filters.includes(name)) continue
    const words = place.kind === 'text' && row ? readAt(row, [name]) : undefined
    const theirs = place.prefix ? ids[place.prefix] : words
    if (typeof theirs !== 'string') continue
    const nobodys = place.prefix ? newId(place.prefix) : 'a word that nobody has'
    yield cell(scene, 'filter', `${name} of theirs`, {
      request: get(new URLSearchParams({ [name]: theirs }).toString()),
      absent: get(new URLSearchParams({ [name]: nobodys }).toString()),
      allows: allow.emptyList,
    })
  }
}
