import type { Page } from '@octavo/contract'
import type { Reader, Tx } from '../../db/database.ts'
import { type Condition, listRows, type PageRequest } from '../../db/listing.ts'
import { sql } from '../../db/statement.ts'
import { newUuid, timeOfUuid, uuidOf } from '../../lib/ids.ts'

export type PageRow = Page & { version: number }
export interface PageFields extends Pick<Page, 'text' | 'text_source' | 'sha256' | 'metadata'> {}
interface Parent {
  id: string
  project_id: string | null
}

const COLUMNS = `id, 'page' as object, document_id, number, status, text, text_source, sha256, metadata, version, created_at, updated_at`
const OWN = 'tenant_id = $1 and document_id = $3 and id = $4 and ($2::uuid[] is null or project_id = any($2))'

const FIND = sql(
  `select ${COLUMNS} from pages where ${OWN}
  and exists (select from documents d where d.tenant_id = $1 and d.id = $3 and d.deleted_at is null)`,
  'page',
)
const LOCK = sql(`select ${COLUMNS} from pages where ${OWN} for no key update`, 'page')
const FIND_NUMBER = sql(`select id from pages where tenant_id = $1 and document_id = $3 and number = $4`, 'page')
const LAST_NUMBER = sql(`select coalesce(max(number), 0) as last from pages where tenant_id = $1 and document_id = $3`)
const INSERT = sql(
  `insert into pages (tenant_id, document_id, project_id, id, number, status, text, text_source, sha256, metadata, created_at, updated_at)
  values ($1, $3, $4, $5, $6, 'succeeded', $7, $8, $9, $10, $11, $11) on conflict (tenant_id, document_id, number) do nothing returning ${COLUMNS}`,
  'page',
)
const INSERT_MANY = sql(
  `insert into pages (tenant_id, document_id, project_id, id, number, status, text, text_source, sha256, created_at, updated_at)
  select $1, $3, $4, id, number, 'succeeded', text, 'supplied', sha256, $5, $5
  from unnest($6::uuid[], $7::bigint[], $8::text[], $9::text[]) as page (id, number, text, sha256)
  on conflict (tenant_id, document_id, number) do nothing returning id, number`,
  'page',
)
const UPDATE = sql(
  `update pages set text = $5, text_source = $6, sha256 = $7, metadata = $8, version = version + 1, updated_at = greatest(now(), created_at) where ${OWN} returning ${COLUMNS}`,
  'page',
)
const DELETE = sql(`delete from pages where ${OWN}`)
const DELETE_SOME = sql(
  `delete from pages where tenant_id = $1 and document_id = $3 and id = any (array(
    select id from pages where tenant_id = $1 and document_id = $3 limit $4)) returning id`,
  'page',
)

const ids = (document_id: string, id: string): [string, string] => [uuidOf('doc', document_id), uuidOf('page', id)]
const project = (parent: Parent): string | null => (parent.project_id === null ? null : uuidOf('proj', parent.project_id))

export const findPage = (db: Reader, document_id: string, id: string): Promise<PageRow | null> =>
  db.find<PageRow>(FIND, ids(document_id, id))
export const lockPage = (tx: Tx, document_id: string, id: string): Promise<PageRow | null> => tx.find<PageRow>(LOCK, ids(document_id, id))
export const findNumber = (db: Reader, document_id: string, number: number): Promise<{ id: string } | null> =>
  db.find<{ id: string }>(FIND_NUMBER, [uuidOf('doc', document_id), number])

export async function findLastNumber(db: Reader, document_id: string): Promise<number> {
  return (await db.find<{ last: number }>(LAST_NUMBER, [uuidOf('doc', document_id)]))!.last
}

/** null: the number is taken. */
export function insertPage(tx: Tx, parent: Parent, number: number, fields: PageFields): Promise<PageRow | null> {
  const id = newUuid()
  return tx.find<PageRow>(INSERT, [
    uuidOf('doc', parent.id),
    project(parent),
    id,
    number,
    fields.text,
    fields.text_source,
    fields.sha256,
    fields.metadata,
    timeOfUuid(id),
  ])
}

/** Several pages at once, numbered from `first`; those whose number is taken are left out. */
export function insertPages(
  tx: Tx,
  parent: Parent,
  first: number,
  texts: readonly { text: string; sha256: string }[],
): Promise<{ id: string; number: number }[]> {
  const pageIds = texts.map(() => newUuid())
  return tx.rows<{ id: string; number: number }>(INSERT_MANY, [
    uuidOf('doc', parent.id),
    project(parent),
    timeOfUuid(pageIds[0]!),
    pageIds,
    texts.map((_, i) => first + i),
    texts.map(({ text }) => text),
    texts.map(({ sha256 }) => sha256),
  ])
}

export async function updatePage(tx: Tx, page: PageRow, fields: PageFields): Promise<PageRow> {
  return (await tx.find<PageRow>(UPDATE, [
    ...ids(page.document_id, page.id),
    fields.text,
    fields.text_source,
    fields.sha256,
    fields.metadata,
  ]))!
}

export const deletePage = (tx: Tx, page: PageRow): void => tx.later(DELETE, ids(page.document_id, page.id))

/** Any pages of a document that nobody sees any more; says how many there were. */
export async function deletePages(tx: Tx, document_id: string, limit: number): Promise<number> {
  return (await tx.rows(DELETE_SOME, [uuidOf('doc', document_id), limit])).length
}

export interface PageFilters {
  status?: string
}

export function listPages(db: Reader, document_id: string, filters: PageFilters, page: PageRequest): Promise<PageRow[]> {
  const conditions: Condition[] = [['document_id = $', uuidOf('doc', document_id)]]
  if (filters.status !== undefined) conditions.push(['status = any($)', filters.status])
  return listRows<PageRow>(
    db,
    { table: 'pages', columns: COLUMNS, prefix: 'page', key: 'number', visible: 'project_id = any($2)' },
    conditions,
    page,
  )
}
