// Every successful write has left exactly its events, and nothing else has left any.

import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Endpoint, type Event, operations } from '@octavo/contract'
import { findEndpoint, make, paramNames } from './fixtures.ts'
import type { ContractStage, ContractWrittenRow, Party } from './stage.ts'

const PATIENCE_MS = 4_000

/** Positions are given in the order of the writing: when the events of a last write are there, all others are too. */
export async function checkEvents(stage: ContractStage): Promise<void> {
  for (const party of [stage.owner, stage.stranger]) {
    if (party.written.length === 0) continue
    const last = operations.find(
      ({ endpoint }) =>
        endpoint.method === 'POST' && endpoint.events.length > 0 && paramNames(endpoint.path).length === 0,
    )
    await make(stage, last!.endpoint, {}, party)
    compare(stage, party, await readEvents(stage, party, party.written.at(-1)!))
  }
}

async function readEvents(stage: ContractStage, party: Party, last: ContractWrittenRow): Promise<Event[]> {
  const list = findEndpoint('GET', '/events') as Endpoint
  const events: Event[] = []
  let cursor = ''
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; ) {
    const { body } = await stage.send(list, { as: party, search: `sort=created_at&limit=100${cursor}` })
    events.push(...((body.data ?? []) as Event[]))
    if (typeof body.cursor === 'string') cursor = `&cursor=${body.cursor}`
    if (events.some((event) => event.request_id === last.request_id)) return events
    if (body.has_next_page !== true) await sleep(30)
  }
  return events
}

function compare(stage: ContractStage, party: Party, events: readonly Event[]): void {
  const byRequest = Map.groupBy(events, (event) => event.request_id)
  for (const written of party.written) {
    const seen = byRequest.get(written.request_id as Event['request_id']) ?? []
    byRequest.delete(written.request_id as Event['request_id'])
    const types = seen.map((event) => event.type).toSorted()
    stage.check(
      `${written.operation} writes exactly its events`,
      isDeepStrictEqual(types, [...written.types].toSorted()),
      {
        expected: written.types,
        seen: types,
      },
    )
    for (const event of seen) checkEvent(stage, written, event)
  }
  // The operator's own changes belong to no request.
  byRequest.delete(null)
  const surplus = [...byRequest.values()].flat().map(({ type, request_id }) => ({ type, request_id }))
  stage.check('what changed nothing wrote no event', surplus.length === 0, surplus)
  const positions = events.map((event) => event.position)
  stage.check(
    'positions only grow',
    positions.every((position, place) => place === 0 || position > positions[place - 1]!),
    positions,
  )
}

function checkEvent(stage: ContractStage, written: ContractWrittenRow, event: Event): void {
  const [object] = event.type.split('.')
  stage.check(`${event.type} is about its object`, event.subject.object === object, event)
  const isMain = written.body.object === undefined ? written.types.length === 1 : written.body.object === object
  if (isMain)
    stage.check(`${event.type} is about what was written`, event.subject.id === written.subject_id, { event, written })
  const { id, object: named } = event.data
  stage.check(`${event.type} tells the same in its data`, id === event.subject.id && named === object, event)
  stage.check(
    `${event.type} names who did it`,
    isDeepStrictEqual(event.actor, { type: 'api_key', id: written.key_id }),
    event,
  )
  if (isMain && 'project_id' in written.body)
    stage.check(`${event.type} belongs to the project`, event.project_id === written.body.project_id, {
      event,
      written,
    })
}
