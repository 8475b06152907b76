// The vector space that each tenant was last searched by. A search embeds its query for this space at once, and reads the
// active space together with the vectors: if another one was taken into use, it searches again.

import { required } from '@octavo/base/required.ts'
import type { Needs } from '../../app.ts'
import type { Db } from '../../db/database.ts'
import { findActiveSpace, type Space } from '../../vector-spaces/vector-spaces.service.ts'

const MAX_KNOWN = 10_000
const known = new WeakMap<object, Map<string, Space>>()

function spacesOf({ db }: Needs<'db'>): Map<string, Space> {
  const spaces = known.get(db) ?? new Map<string, Space>()
  known.set(db, spaces)
  return spaces
}

export const findKnownSpace = (app: Needs<'db'>, { caller }: Pick<Db, 'caller'>): Space | null =>
  spacesOf(app).get(caller.tenant) ?? null

/** Null forgets it. */
export function keepSpace(app: Needs<'db'>, { caller }: Pick<Db, 'caller'>, space: Space | null): void {
  const spaces = spacesOf(app)
  // The oldest goes first.
  spaces.delete(caller.tenant)
  if (space === null) return
  if (spaces.size >= MAX_KNOWN) spaces.delete(required(spaces.keys().next().value, 'known space'))
  spaces.set(caller.tenant, space)
}

export const findSearchedSpace = async (app: Needs<'db'>, db: Db): Promise<Space | null> =>
  findKnownSpace(app, db) ?? findActiveSpace(db)
