import { firstOf } from '@octavo/base/required.ts'
import type { Block, Page } from '@octavo/contract'
import type { Reader, Tx } from '../../db/database.ts'
import { type Condition, listRows, type PageRequest } from '../../db/listing.ts'
import { sql } from '../../db/statement.ts'
import { CHANGED, columnsOf, insertInto, type RowOf, updateRows } from '../../db/tables.ts'
import { newUuid, timeOfUuid, uuidOf } from '../../lib/ids.ts'

/** As it is stored: without blocks it is paragraphs of text, and markdown follows from the blocks. */
export type PageRow = RowOf<
  'pages',
  Omit<Page, 'markdown' | 'blocks'> & { blocks: Block[] | null; heading_path: OpenHeading[] }
>
interface OpenHeading {
  level: number
  text: string
}
export type PageFields = Pick<
  PageRow,
  'text' | 'text_source' | 'language' | 'sha256' | 'metadata' | 'blocks' | 'heading_path'
>
/** A page that a reader has read, or could not read. */
export type ReadPageRow = Pick<
  PageRow,
  | 'number'
  | 'status'
  | 'text'
  | 'text_source'
  | 'sha256'
  | 'language'
  | 'confidence'
  | 'width'
  | 'height'
  | 'blocks'
  | 'reader'
  | 'image_file_id'
  | 'error'
  | 'heading_path'
>
interface PageParent {
  id: string
  project_id: string | null
}

const COLUMNS = `'page' as object, ${columnsOf('pages', ['project_id'])}`
const OWN = 'tenant_id = $1 and document_id = $3 and id = $4 and ($2::uuid[] is null or project_id = any($2))'
const OF_DOCUMENT = 'tenant_id = $1 and document_id = $3'

const FIND = sql(
  `select ${COLUMNS} from pages where ${OWN}
  and exists (select from documents d where d.tenant_id = $1 and d.id = $3 and d.deleted_at is null)`,
  'page',
)
const LOCK = sql(`select ${COLUMNS} from pages where ${OWN} for no key update`, 'page')
const FIND_NUMBER = sql(`select id from pages where ${OF_DOCUMENT} and number = $4`, 'page')
const LAST_NUMBER = sql(`select coalesce(max(number), 0) as last from pages where ${OF_DOCUMENT}`)
const HEADINGS_BEFORE = sql(
  `select heading_path from pages where ${OF_DOCUMENT} and number < $4 order by number desc limit 1`,
)
const BLOCKS_BEFORE = sql(`select blocks from pages where ${OF_DOCUMENT} and number < $4 order by number desc limit $5`)
const LIST_DONE = sql(`select number from pages where ${OF_DOCUMENT} and status in ('succeeded', 'failed')`)
const COUNT_CHARACTERS = sql(
  `select coalesce(sum(length(text)), 0)::bigint as characters from pages where ${OF_DOCUMENT}`,
)
const MAIN_LANGUAGE = sql(
  `select language from pages where ${OF_DOCUMENT} and language is not null group by language order by sum(length(text)) desc, language limit 1`,
)
const IN_RANGE = `${OF_DOCUMENT} and status = 'succeeded' and number between $4 and $5`
const HASHES = sql(`select sha256 from pages where ${IN_RANGE} order by number`)
const TEXT = `id, document_id, number, text, sha256, language, blocks, coalesce((select before.heading_path from pages before
  where before.tenant_id = $1 and before.document_id = pages.document_id and before.number < pages.number
  order by before.number desc limit 1), '[]') as headings_before`
const TEXTS = sql(`select ${TEXT} from pages where ${IN_RANGE} order by number limit $6`, 'page')
const BY_ID = sql(
  `select ${TEXT} from pages
  where tenant_id = $1 and document_id = any($3::uuid[]) and id = any($4::uuid[]) and ($2::uuid[] is null or project_id = any($2))`,
  'page',
)
const READ = `status, text, text_source, sha256, language, confidence, width, height, blocks, reader, image_file_id, error, heading_path`
const TYPES = `id uuid, number bigint, status text, text text, text_source text, sha256 text, language text, confidence real, width real,
  height real, blocks jsonb, reader jsonb, image_file_id uuid, error jsonb, heading_path jsonb`
// Replaces a page that is queued to be read again; a page that a user has added under the same number is kept.
const INSERT_READ = sql(
  `insert into pages (tenant_id, document_id, project_id, id, number, ${READ}, created_at, updated_at)
  select $1, $3, $4, id, number, ${READ}, $5, $5 from json_to_recordset($6::json) as page (${TYPES})
  on conflict (tenant_id, document_id, number) do update set (${READ}) = (${READ.split(', ')
    .map((column) => `excluded.${column}`)
    .join(
      ', ',
    )}), ${CHANGED.replace('version = version + 1', 'version = pages.version + 1').replace('created_at)', 'pages.created_at)')}
  where pages.status in ('queued', 'running') returning id, number, xmax::text <> '0' as is_replaced`,
  'page',
)
const QUEUE = sql(`update pages set status = 'queued', ${CHANGED} where ${OWN} returning ${COLUMNS}`, 'page')
const SETTLE_QUEUED = sql(
  `update pages set status = case when error is null then 'succeeded' else 'failed' end, ${CHANGED}
  where ${OF_DOCUMENT} and status in ('queued', 'running') returning status`,
)
const DELETE = sql(`delete from pages where ${OWN}`)
const DELETE_SOME = sql(
  `delete from pages where ${OF_DOCUMENT} and id = any (array(select id from pages where ${OF_DOCUMENT} limit $4)) returning id`,
  'page',
)

const ids = (document_id: string, id: string): [string, string] => [uuidOf('doc', document_id), uuidOf('page', id)]
const project = (parent: PageParent): string | null =>
  parent.project_id === null ? null : uuidOf('proj', parent.project_id)

export const findPage = (db: Reader, document_id: string, id: string): Promise<PageRow | null> =>
  db.find<PageRow>(FIND, ids(document_id, id))
export const lockPage = (tx: Tx, document_id: string, id: string): Promise<PageRow | null> =>
  tx.find<PageRow>(LOCK, ids(document_id, id))
export const findNumber = (db: Reader, document_id: string, number: number): Promise<{ id: string } | null> =>
  db.find<{ id: string }>(FIND_NUMBER, [uuidOf('doc', document_id), number])

export async function findLastNumber(db: Reader, document_id: string): Promise<number> {
  return (await db.one<{ last: number }>(LAST_NUMBER, [uuidOf('doc', document_id)])).last
}

/** The headings that are open where this page begins. */
export async function listHeadingsBefore(db: Reader, document_id: string, number: number): Promise<OpenHeading[]> {
  const row = await db.find<{ heading_path: OpenHeading[] }>(HEADINGS_BEFORE, [uuidOf('doc', document_id), number])
  return row?.heading_path ?? []
}

/** The last pages before a number, from the first to the last one. */
export async function listBlocksBefore(
  db: Reader,
  document_id: string,
  { number, limit }: { number: number; limit: number },
): Promise<Block[][]> {
  const rows = await db.rows<{ blocks: Block[] | null }>(BLOCKS_BEFORE, [uuidOf('doc', document_id), number, limit])
  return rows.map(({ blocks }) => blocks ?? []).reverse()
}

/** The numbers of pages that were read, or could not be. */
export async function listDone(db: Reader, document_id: string): Promise<number[]> {
  return (await db.rows<{ number: number }>(LIST_DONE, [uuidOf('doc', document_id)])).map(({ number }) => number)
}

export async function countCharacters(db: Reader, document_id: string): Promise<number> {
  return (await db.one<{ characters: number }>(COUNT_CHARACTERS, [uuidOf('doc', document_id)])).characters
}

export async function findMainLanguage(db: Reader, document_id: string): Promise<string | null> {
  return (await db.find<{ language: string }>(MAIN_LANGUAGE, [uuidOf('doc', document_id)]))?.language ?? null
}

/** null: the number is taken. */
export function insertPage(tx: Tx, parent: PageParent, number: number, fields: PageFields): Promise<PageRow | null> {
  const id = newUuid()
  const created_at = timeOfUuid(id)
  const place = { document_id: parent.id, project_id: parent.project_id, id, number, status: 'succeeded' }
  const row = { ...place, ...valuesOf(fields), created_at, updated_at: created_at }
  const tail = `on conflict (tenant_id, document_id, number) do nothing returning ${COLUMNS}`
  return tx.find<PageRow>(...insertInto('pages', row, { prefix: 'page', tail }))
}

const valuesOf = (fields: PageFields): PageFields => {
  const { text, text_source, language, sha256, metadata, blocks, heading_path } = fields
  return { text, text_source, language, sha256, metadata, blocks, heading_path }
}

export interface WrittenPage {
  id: string
  number: number
  is_replaced: boolean
}

/** Several pages at once; those whose number is already taken are left out. */
export function insertReadPages(tx: Tx, parent: PageParent, pages: readonly ReadPageRow[]): Promise<WrittenPage[]> {
  const rows = pages.map((page) => ({
    ...page,
    id: newUuid(),
    image_file_id: page.image_file_id === null ? null : uuidOf('file', page.image_file_id),
  }))
  return tx.rows<WrittenPage>(INSERT_READ, [
    uuidOf('doc', parent.id),
    project(parent),
    timeOfUuid(firstOf(rows).id),
    JSON.stringify(rows),
  ])
}

export async function updatePage(
  tx: Tx,
  page: PageRow,
  fields: PageFields & Pick<PageRow, 'status' | 'error' | 'confidence'>,
): Promise<PageRow> {
  const { status, error, confidence } = fields
  const target = { where: OWN, values: ids(page.document_id, page.id), prefix: 'page', returning: COLUMNS } as const
  const changes = { ...valuesOf(fields), status, error, confidence }
  return tx.one<PageRow>(...updateRows('pages', changes, target))
}

/** It keeps what it has until it is read again. */
export async function queuePage(tx: Tx, page: PageRow): Promise<PageRow> {
  return tx.one<PageRow>(QUEUE, ids(page.document_id, page.id))
}

/** Restores the status of pages that will not be read again after all; returns the restored statuses. */
export async function settleQueued(tx: Tx, document_id: string): Promise<string[]> {
  return (await tx.rows<{ status: string }>(SETTLE_QUEUED, [uuidOf('doc', document_id)])).map(({ status }) => status)
}

export const deletePage = (tx: Tx, page: PageRow): void => tx.queue(DELETE, ids(page.document_id, page.id))

/** For a deleted document: deletes up to `limit` pages and returns how many. */
export async function deletePages(tx: Tx, document_id: string, limit: number): Promise<number> {
  return (await tx.rows(DELETE_SOME, [uuidOf('doc', document_id), limit])).length
}

export interface PageFilters {
  status?: string
}

/**
 * Approximate size of a page in a list response: its text occurs three times, and its blocks are compressed in the
 * table.
 */
const SIZE = 'number, (octet_length(text) * 3 + coalesce(pg_column_size(blocks), 0) * 3) as bytes'

export const listSizes = (
  db: Reader,
  document_id: string,
  filters: PageFilters,
  page: PageRequest,
): Promise<{ bytes: number }[]> => listOf(db, document_id, filters, { ...page, columns: SIZE })

export const listPages = (
  db: Reader,
  document_id: string,
  filters: PageFilters,
  page: PageRequest,
): Promise<PageRow[]> => listOf(db, document_id, filters, { ...page, columns: COLUMNS })

function listOf<Row>(
  db: Reader,
  document_id: string,
  filters: PageFilters,
  page: PageRequest & { columns: string },
): Promise<Row[]> {
  const conditions: Condition[] = [['document_id = $', uuidOf('doc', document_id)]]
  if (filters.status !== undefined) conditions.push(['status = any($)', filters.status])
  return listRows<Row>(
    db,
    { table: 'pages', columns: page.columns, prefix: 'page', key: 'number', visible: 'project_id = any($2)' },
    conditions,
    page,
  )
}

export interface NumberRange {
  first: number
  last: number
}
export async function listHashes(db: Reader, document_id: string, { first, last }: NumberRange): Promise<string[]> {
  return (await db.rows<{ sha256: string }>(HASHES, [uuidOf('doc', document_id), first, last])).map(
    ({ sha256 }) => sha256,
  )
}
const LOCK_HASHES = sql(
  `select id, sha256 from pages where tenant_id = $1 and document_id = any($3::uuid[]) and id = any($4::uuid[]) order by id for share`,
  'page',
)
/** The hashes of these pages, by id. The pages stay locked until the transaction ends. */
export async function lockHashes(
  tx: Tx,
  pages: readonly (readonly [page_id: string, document_id: string])[],
): Promise<Map<string, string>> {
  if (pages.length === 0) return new Map()
  const documents = [...new Set(pages.map(([, document]) => uuidOf('doc', document)))]
  const rows = await tx.rows<{ id: string; sha256: string }>(LOCK_HASHES, [
    documents,
    pages.map(([page]) => uuidOf('page', page)),
  ])
  return new Map(rows.map(({ id, sha256 }) => [id, sha256]))
}
export interface PageText
  extends Pick<PageRow, 'id' | 'document_id' | 'number' | 'text' | 'sha256' | 'language' | 'blocks'> {
  /** Headings that are open where the page begins. */
  headings_before: OpenHeading[]
}
/** The first of the pages that were read within a range. */
export const listTexts = (
  db: Reader,
  document_id: string,
  { first, last }: NumberRange,
  limit: number,
): Promise<PageText[]> => db.rows<PageText>(TEXTS, [uuidOf('doc', document_id), first, last, limit])

export const listPagesById = (
  db: Reader,
  places: readonly { document_id: string; page_id: string }[],
): Promise<PageText[]> =>
  db.rows<PageText>(BY_ID, [
    [...new Set(places.map(({ document_id }) => uuidOf('doc', document_id)))],
    [...new Set(places.map(({ page_id }) => uuidOf('page', page_id)))],
  ])
