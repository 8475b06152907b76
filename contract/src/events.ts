import { type Static, Type } from 'typebox'
import { defineResource } from './definition.ts'
import { endpoint, GetQuery, listOf } from './endpoint.ts'
import { eventTypes } from './generated/tables.ts'
import { AnyOf, Count, FilterId, IdOf, Nullable, OneOf, OpenEnum, Resource, Text } from './schema.ts'

const Subject = Type.Object(
  { object: Text(0, 64), id: Text(0, 64) },
  { title: 'Subject', description: 'The resource that an event is about.' },
)
const Actor = Type.Object(
  { type: OpenEnum(['api_key', 'user', 'client', 'system']), id: Nullable(Text(0, 64)) },
  { title: 'Actor', description: 'The key, user or process that caused it.' },
)

export const eventResource = defineResource({
  title: 'Event',
  object: 'event',
  prefix: 'evt',
  description: 'A record of a change, written in the same transaction.',
  scopes: { 'events:read': 'Read the events of the tenant' },
  events: [],
})

export const Event = Resource(eventResource, {
  type: OpenEnum(eventTypes, { title: 'EventType' }),
  subject: Subject,
  actor: Actor,
  request_id: Nullable(IdOf('req', { description: 'The request that caused it.' })),
  project_id: Nullable(IdOf('proj')),
  position: Count({ description: "Position in the order of the tenant's committed events." }),
  seq: Nullable(Count({ description: 'Number within its job, starting at 1; null for events without a job.' })),
  data: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    description: 'A few fields, enough to decide whether to get the subject.',
    additionalProperties: {},
  }),
})
export type Event = Static<typeof Event>

export const events = {
  list: endpoint({
    method: 'GET',
    path: '/events',
    scope: 'events:read',
    summary: 'List events',
    description:
      'Lists the newest events first. With `sort=created_at` it lists the oldest first and always returns a cursor: request again with it to follow new events.',
    ...listOf(Event, {
      sorts: ['-created_at'],
      key: 'position',
      is_followed: true,
      filters: {
        type: Type.Optional(AnyOf(OneOf(eventTypes))),
        project_id: FilterId('proj'),
      },
    }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/events/{event_id}',
    scope: 'events:read',
    summary: 'Get an event',
    query: GetQuery,
    success: { 200: Event },
  }),
}
