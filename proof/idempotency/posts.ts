// One POST with an Idempotency-Key, and what came back.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Answered, ConnectionError, type Octavo, OctavoError } from '@octavo/sdk'
import { sql } from '../../server/src/db/statement.ts'
import { operator } from '../../server/src/lib/caller.ts'
import { findUuid } from '../../server/src/lib/ids.ts'
import type { World } from '../lib/world.ts'

const ATTEMPTS = 50
const WAIT_MS = 100

export interface IdempotencyPostResult {
  id: string
  is_replayed: boolean
  /** Status, Location, ETag and body: what a replay must repeat. */
  answer: string
}

const PAGES = [{ text: 'Lease between A and B' }, { text: 'Rent: 1,200 a month' }]

/** The title is the key, so that documents can be counted by it. */
export const postDocument = async (client: Octavo, key: string): Promise<IdempotencyPostResult> =>
  read(
    await client.documents
      .create({ title: key, source: { type: 'pages', pages: PAGES } }, { idempotency_key: key })
      .withResponse(),
  )

export const postApiKey = async (client: Octavo, key: string): Promise<IdempotencyPostResult> =>
  read(await client.apiKeys.create({ name: key, scopes: ['documents:read'] }, { idempotency_key: key }).withResponse())

function read<T extends { id: string }>({ data, response: { status, headers } }: Answered<T>): IdempotencyPostResult {
  return {
    id: data.id,
    is_replayed: headers.get('idempotent-replayed') === 'true',
    answer: JSON.stringify([status, headers.get('location'), headers.get('etag'), data]),
  }
}

/** Retries like the documentation tells you to: while the first request is running, and when there was no answer. */
export async function persist(post: () => Promise<IdempotencyPostResult>): Promise<IdempotencyPostResult> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await post()
    } catch (error) {
      const isPassing =
        error instanceof ConnectionError ||
        (error instanceof OctavoError &&
          (error.code === 'idempotency_in_progress' || error.code === 'service_unavailable'))
      if (!isPassing || attempt === ATTEMPTS) throw error
      await sleep(WAIT_MS)
    }
  }
}

const COUNT_DOCUMENTS = sql('select title, count(*) as count from documents where tenant_id = $1 group by title')
const COUNT_KEYS = sql(`select name as title, count(*) as count from api_keys where tenant_id = $1 group by name`)
const COUNT_REST = sql(`select (select count(*) from jobs where tenant_id = $1) as jobs,
  (select count(*) from events where tenant_id = $1 and type = 'document.created') as events`)

/** How many rows each key made, straight from the database. */
export async function countByKey(world: World, tenant: string): Promise<Map<string, number>> {
  const db = world.app.db.for(operator(findUuid('ten', tenant)!, []))
  const rows = await Promise.all(
    [COUNT_DOCUMENTS, COUNT_KEYS].map((statement) => db.rows<{ title: string; count: number }>(statement)),
  )
  return new Map(rows.flat().map(({ title, count }) => [title, count]))
}

export async function countRest(world: World, tenant: string): Promise<{ jobs: number; events: number }> {
  return (await world.app.db
    .for(operator(findUuid('ten', tenant)!, []))
    .find<{ jobs: number; events: number }>(COUNT_REST))!
}
