// A line of many jobs, made by SQL: as if they had been asked for one by one.

import { asAdmin } from '../lib/admin.ts'
import type { Script } from '../lib/scripts.ts'
import type { World } from '../lib/world.ts'

const CHUNK = 100_000
/** Like ids of a while ago, in order. */
const UUID = `(lpad(to_hex(1700000000000 + n), 12, '0') || '7aaa8' || lpad(to_hex(n), 15, '0'))::uuid`

/** Jobs numbered `first` to `last` of a tenant (uuid). */
export async function lineUp(
  world: World,
  tenant: string,
  script: Script,
  { first, last }: { first: number; last: number },
): Promise<void> {
  await asAdmin(world.database.name, async (client) => {
    for (let from = first; from <= last; from += CHUNK) {
      const until = Math.min(last, from + CHUNK - 1)
      await client.query('begin')
      await client.query(
        `insert into jobs (tenant_id, id, type, payload_version, payload, subject_object, subject_id, status, place, priority, max_attempts,
        timeout_seconds, last_seq, queued_at, created_at, updated_at)
        select $1, ${UUID}, 'ingestion', 1, $2, 'document', ${UUID}, 'queued', 'line', 1, 3, 600, 1, now(), now(), now() from generate_series($3::bigint, $4::bigint) n`,
        [tenant, JSON.stringify(script), from, until],
      )
      await client.query('update tenant_slots set waiting = waiting + $2 where tenant_id = $1', [
        tenant,
        until - from + 1,
      ])
      await client.query('commit')
    }
    await client.query('vacuum analyze jobs')
  })
}
