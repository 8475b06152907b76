// Many tenants and documents, made by SQL: the API would take hours.

import type pg from 'pg'

export interface GrowthSize {
  tenants: number
  documents: number
  /** Documents of the tenant that is looked at. */
  own: number
}

/** The same on both sides, so that a project's rows lie equally far apart. */
const PROJECTS = 10
const CHUNK = 250_000

/** UUIDv7-like: ordered by `n`, the rest fixed. */
const uuid = (n: string, kind: string): string =>
  `(lpad(to_hex(1700000000000 + ${n}), 12, '0') || '7${kind}008' || lpad(to_hex(${n}), 15, '0'))::uuid`

/** The first two projects hold the oldest fifth: a list of them that filters the newest ones away walks through all of them. */
const projectOf = (own: number): string =>
  `case when n <= ${own / 5} then (n % 2) + 1 else (n % ${PROJECTS - 2}) + 3 end`

export async function seed(
  client: pg.Client,
  tenant: string,
  size: GrowthSize,
  say: (line: string) => void,
): Promise<void> {
  // Foreign keys hold by construction; checking them row by row would double the time.
  await client.query(`set session_replication_role = replica`)
  await client.query(
    `insert into tenants (id, name, tier, created_at, updated_at) select ${uuid('n', '0')}, 'Tenant ' || n, 'self_hosted', now(), now() from generate_series(1, ${size.tenants - 1}) n`,
  )
  await client.query(
    `insert into projects (tenant_id, id, name, created_at, updated_at) select $1, ${uuid('n', '1')}, 'Project ' || n, now(), now() from generate_series(1, ${PROJECTS}) n`,
    [tenant],
  )
  await seedDocuments(client, {
    first: 1,
    last: size.own,
    tenant: `'${tenant}'::uuid`,
    project: uuid(projectOf(size.own), '1'),
  })
  for (let first = size.own + 1; first <= size.documents; first += CHUNK) {
    const last = Math.min(size.documents, first + CHUNK - 1)
    await seedDocuments(client, {
      first,
      last,
      tenant: uuid(`(n % ${size.tenants - 1}) + 1`, '0'),
      project: 'null::uuid',
    })
    say(`seeded ${last} of ${size.documents} documents`)
  }
  await client.query(`set session_replication_role = origin`)
  await client.query('vacuum analyze documents, projects, tenants')
}

async function seedDocuments(
  client: pg.Client,
  range: { first: number; last: number; tenant: string; project: string },
): Promise<void> {
  await client.query(`insert into documents (tenant_id, id, project_id, title, source, status, media_type, size_bytes, sha256, page_count, pages_ready, pages_failed, created_at, updated_at)
    select ${range.tenant}, ${uuid('n', '2')}, ${range.project}, 'Document ' || n, '{"type":"text"}', 'ready', 'text/plain', 1000, md5(n::text) || md5(n::text), 1, 1, 0, t, t
    from (select n, to_timestamp(1700000000 + n / 1000.0) as t from generate_series(${range.first}, ${range.last}) n) as numbers`)
}
