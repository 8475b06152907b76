// Many documents of one tenant, made by SQL, and the line that a report must have for each.

import type pg from 'pg'
import { newUuid, toId } from '../../server/src/lib/ids.ts'

export interface ReportsSeedResult {
  count: number
  project_id: string
  /** The line of the document with this number, from 1, as RFC 4180 has it. */
  lineOf(number: number): string
}

const PART = 100_000
/** A time in the past: a report excludes rows that are newer than its start. */
const FIRST_MS = 1_700_000_000_000
const PROJECT = 'Leases, all'
/** Long, so that rows kept in memory are noticed. */
const TITLE = `A "lease" of a house${' in a street with a long name'.repeat(8)}, number`
const STATUSES = ['ready', 'partially_ready', 'failed'] as const
const LANGUAGES = ['en', 'de', 'fr'] as const

const hexOf = (number: number, length: number): string => number.toString(16).padStart(length, '0')
const idOf = (number: number): string => {
  const [time, rest] = [hexOf(FIRST_MS + number, 12), hexOf(number, 15)]
  return toId('doc', `${time.slice(0, 8)}-${time.slice(8)}-7200-8${rest.slice(0, 3)}-${rest.slice(3)}`)
}
const UUID = `(lpad(to_hex(${FIRST_MS} + n), 12, '0') || '72008' || lpad(to_hex(n), 15, '0'))::uuid`
const oneOf = (values: readonly string[]): string => `(array['${values.join("','")}'])[n % ${values.length} + 1]`

export async function seed(client: pg.Client, tenant: string, count: number): Promise<ReportsSeedResult> {
  const project = newUuid()
  await client.query(
    'insert into projects (tenant_id, id, name, created_at, updated_at) values ($1, $2, $3, now(), now())',
    [tenant, project, PROJECT],
  )
  // Foreign keys hold by construction; checking them row by row would double the time.
  await client.query('set session_replication_role = replica')
  for (let first = 1; first <= count; first += PART)
    await client.query(
      `insert into documents (tenant_id, id, project_id, title, status, media_type, size_bytes, language, page_count, pages_ready, pages_failed, created_at, updated_at)
      select $1, ${UUID}, $2, '${TITLE} ' || n, ${oneOf(STATUSES)}, 'text/plain', n * 3, ${oneOf(LANGUAGES)}, n % 50, n % 50, 0, t, t
      from (select n, to_timestamp((${FIRST_MS} + n) / 1000.0) as t from generate_series($3::bigint, $4::bigint) n) as numbers`,
      [tenant, project, first, Math.min(count, first + PART - 1)],
    )
  await client.query('set session_replication_role = origin')
  await client.query('analyze documents')
  return { count, project_id: toId('proj', project), lineOf: (number) => copyLine(number, toId('proj', project)) }
}

const copyLine = (number: number, project_id: string): string =>
  [
    idOf(number),
    `"${TITLE.replaceAll('"', '""')} ${number}"`,
    project_id,
    `"${PROJECT}"`,
    STATUSES[number % STATUSES.length],
    number % 50,
    LANGUAGES[number % LANGUAGES.length],
    'text/plain',
    number * 3,
    new Date(FIRST_MS + number).toISOString(),
  ].join(',')
