import { type Static, Type } from 'typebox'
import { endpoint, GetQuery, listOf } from './endpoint.ts'
import { eventTypes } from './event-types.ts'
import { Count, IdOf, Nullable, OneOf, OpenEnum, Resource, Text } from './schema.ts'

const Subject = Type.Object(
  { object: Text(0, 64), id: Text(0, 64) },
  { title: 'Subject', description: 'The resource that an event is about.' },
)
const Actor = Type.Object(
  { type: OpenEnum(['api_key', 'user', 'client', 'system']), id: Nullable(Text(0, 64)) },
  { title: 'Actor', description: 'Who caused it.' },
)

export const Event = Resource(
  {
    title: 'Event',
    object: 'event',
    prefix: 'evt',
    description: 'Something that happened, written in the same transaction as the change.',
  },
  {
    type: OpenEnum(eventTypes, { title: 'EventType' }),
    subject: Subject,
    actor: Actor,
    request_id: Nullable(IdOf('req', { description: 'The request that caused it.' })),
    project_id: Nullable(IdOf('proj')),
    position: Count({ description: 'The place in the order of committed events of the tenant.' }),
    seq: Nullable(Count({ description: 'The number within its job, from 1; null outside jobs.' })),
    data: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      description: 'Thin: enough to decide whether to fetch the subject.',
      additionalProperties: {},
    }),
  },
)
export type Event = Static<typeof Event>

export const events = {
  list: endpoint({
    method: 'GET',
    path: '/events',
    scope: 'events:read',
    summary: 'List events',
    description:
      'Newest first. With `sort=created_at` it is read upwards and always gives a cursor: come back with it to follow what happens.',
    ...listOf(Event, {
      sorts: ['-created_at'],
      key: 'position',
      is_followed: true,
      filters: {
        type: Type.Optional(Type.Unsafe<string>({ ...OneOf(eventTypes), 'x-comma-list': true })),
        project_id: Type.Optional(IdOf('proj')),
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
