import type { Db } from '../../db/database.ts'
import type { PageRequest } from '../../db/listing.ts'
import { notFound } from '../../lib/failure.ts'
import * as store from './events.store.ts'

export function listEvents(db: Db, filters: store.EventFilters, page: PageRequest): Promise<store.EventRow[]> {
  return store.listEvents(db, filters, page)
}

export async function readEvent(db: Db, id: string): Promise<store.EventRow> {
  const event = await store.findEvent(db, id)
  if (!event) throw notFound()
  return event
}

export const listEventsOf = (
  db: Db,
  subject: { id: string; created_at: string },
  page: PageRequest,
): Promise<store.EventRow[]> => store.listEventsOf(db, subject, page)
