// Finished jobs of the last weeks, made by SQL: the API would take days.

import type pg from 'pg'

/** Share of the jobs, and of the load, that belongs to the large tenant. */
const LARGE_SHARE = 0.9
const CHUNK = 500_000
/** Younger than the retention period, so that nothing is deleted during the run. */
const DAYS = 20

const time = (count: number): string => `(now() - interval '${DAYS} days' * (1 - n / ${count}.0))`
/** UUIDv7-like: ordered by time and `n`. */
const uuid = (count: number, kind: string): string =>
  `(lpad(to_hex((extract(epoch from ${time(count)}) * 1000)::bigint), 12, '0') || '7${kind}8' || lpad(to_hex(n), 15, '0'))::uuid`

/** `tenants`: uuids; the first one gets most of the jobs. */
export async function seedFinishedJobs(
  client: pg.Client,
  tenants: readonly string[],
  count: number,
  say: (line: string) => void,
): Promise<void> {
  const [large, ...others] = tenants
  // Foreign keys hold by construction; checking them row by row would double the time.
  await client.query('set session_replication_role = replica')
  const indexes = await dropIndexes(client)
  for (let first = 1; first <= count; first += CHUNK) {
    const last = Math.min(count, first + CHUNK - 1)
    await client.query(
      `insert into jobs (tenant_id, id, type, payload_version, payload, subject_object, subject_id, document_id, status, priority, max_attempts, attempt,
        timeout_seconds, last_seq, error, queued_at, started_at, finished_at, created_at, updated_at)
      select case when n % 100 < $1 then $2 else ($3::uuid[])[1 + n % ${others.length}] end, ${uuid(count, 'aaa')}, 'ingestion', 1, '{}', 'document',
        ${uuid(count, 'bbb')}, ${uuid(count, 'bbb')}, case when n % 50 = 0 then 'failed' else 'succeeded' end, 1, 3, 1,
        600, 3, case when n % 50 = 0 then '{"code": "internal_error", "message": "It failed.", "details": []}'::jsonb end, t, t, t, t, t
      from (select n, ${time(count)} as t from generate_series(${first}, ${last}) n) as numbers`,
      [LARGE_SHARE * 100, large, others],
    )
    say(`seeded ${last} of ${count} finished jobs`)
  }
  for (const definition of indexes) await client.query(definition)
  await client.query('set session_replication_role = origin')
  await client.query('vacuum analyze jobs')
}

/** Returns the statements that create them again: one sort costs less than millions of single inserts. */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = 'jobs'::regclass and not indisprimary`,
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ definition }) => definition)
}
