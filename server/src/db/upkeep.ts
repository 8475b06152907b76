// Scheduled maintenance: creates partitions ahead of time and deletes rows after their retention period.

import type pg from 'pg'

const BATCH = 5_000
const EVERY_MS = 10 * 60_000

/** Idempotent responses after 24 hours, secrets after their overlap, links, sessions and OAuth codes when they expire, jobs and events after 30 days. */
const FORGET = [
  `delete from idempotency_keys where ctid = any (array(select ctid from idempotency_keys where created_at < now() - interval '24 hours' limit ${BATCH}))`,
  `delete from key_secrets where (tenant_id, key_id, expires_at) in (select tenant_id, key_id, expires_at from key_secrets where expires_at < now() - interval '1 hour' limit ${BATCH})`,
  `delete from link_secrets where (tenant_id, subject_id, expires_at) in (select tenant_id, subject_id, expires_at from link_secrets where expires_at < now() limit ${BATCH})`,
  `delete from sessions where (tenant_id, id, expires_at) in (select tenant_id, id, expires_at from sessions where expires_at < now() limit ${BATCH})`,
  `delete from oauth_artifacts where hash in (select hash from oauth_artifacts where expires_at < now() limit ${BATCH})`,
  `delete from oauth_grants where (tenant_id, id) in (select tenant_id, id from oauth_grants where expires_at < now() limit ${BATCH})`,
  `delete from jobs where ctid = any (array(select ctid from jobs where finished_at < now() - interval '30 days' limit ${BATCH}))`,
  `delete from events e using (select tenant_id, id, created_at from events where created_at < now() - interval '30 days' limit ${BATCH}) old
    where e.tenant_id = old.tenant_id and e.id = old.id and e.created_at = old.created_at`,
]

/** One round; says how long to rest. The connection is the system role's. */
export async function keepUp(pool: pg.Pool): Promise<number> {
  await pool.query('select prepare_event_partitions()')
  let isMoreLeft = false
  for (const statement of FORGET) isMoreLeft = ((await pool.query(statement)).rowCount ?? 0) === BATCH || isMoreLeft
  return isMoreLeft ? 100 : EVERY_MS
}
