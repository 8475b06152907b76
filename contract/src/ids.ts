// Ids are TypeIDs outside (`doc_01h455vb4pex5vsknk084sn02q`) and uuids in the database.

import type { idMembers, objectPrefixes, prefixes } from './generated/tables.ts'

/** Ids of things that are not resources of the API, by the members that hold them. */
export const internalIds = { tenant_id: 'ten', request_id: 'req' } as const

export type Prefix = (typeof prefixes)[number]
export type Id<P extends Prefix = Prefix> = `${P}_${string}`
export type IdMember = keyof typeof idMembers
/** The `object` member of a resource. */
export type ObjectName = keyof typeof objectPrefixes
