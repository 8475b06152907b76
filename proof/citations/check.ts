// Checks everything that is stored with one query: every reference to a place in a page must match the page's text.

import type pg from 'pg'
import { toId } from '../../server/src/lib/ids.ts'
import { asAdmin } from '../lib/admin.ts'
import type { Corrections } from './correct.ts'
import { liars, truthful } from './writers.ts'

/** PostgreSQL counts code points, whatever the server's own language counts. */
const PLACES = `
  select o.object, o.id, o.updated_at, o.model->>'id' as model, place.value as place, p.sha256,
    substr(p.text, (place.value->>'start')::int + 1, (place.value->>'end')::int - (place.value->>'start')::int) as stands
  from outcomes o
  cross join lateral jsonb_path_query(o.result, 'strict $.** ? (exists (@.page_id) && exists (@.start) && exists (@.end))') as place (value)
  left join named_pages n on n.name = place.value->>'page_id'
  left join pages p on p.tenant_id = o.tenant_id and p.id = n.id`

interface CitationsRow {
  object: string
  id: string
  updated_at: Date
  model: string | null
  place: {
    page_id: string | null
    /** Only in citations; search passages have just their text. */
    page_sha256?: string
    quote?: string
    match?: string
    text?: string
    start: number
    end: number
  }
  /** The page's current hash and text. */
  sha256: string | null
  stands: string | null
}

export interface CitationsCheckResult {
  citations: number
  passages: number
  /** Citations of pages that were corrected after the outcome. */
  older: number
  mismatches: string[]
  /** Stored citations whose quotes appear on no page. */
  invented: number
  /** Approximate matches for models that quote exactly. */
  nearly: string[]
  by_object: Map<string, number>
}

/** `texts`: by their hash, those that pages had and those that came with requests. */
export async function checkStored(
  database: string,
  texts: ReadonlyMap<string, string>,
  corrections: Corrections,
): Promise<CitationsCheckResult> {
  const rows = await asAdmin(database, async (client) => {
    await namePages(client)
    return (await client.query<CitationsRow>(PLACES)).rows
  })
  const checked: CitationsCheckResult = {
    citations: 0,
    passages: 0,
    older: 0,
    mismatches: [],
    invented: 0,
    nearly: [],
    by_object: new Map(),
  }
  const corrected = new Map<string, number>()
  for (const [key, at] of corrections)
    corrected.set(key.split(' ')[0]!, Math.max(at, corrected.get(key.split(' ')[0]!) ?? 0))
  for (const row of rows) {
    const isCitation = row.place.page_sha256 !== undefined
    if (isCitation) checked.citations++
    else checked.passages++
    checked.by_object.set(row.object, (checked.by_object.get(row.object) ?? 0) + 1)
    if (isCitation && liars.includes(row.model as never)) checked.invented++
    if (row.place.match === 'fuzzy' && truthful.includes(row.model as never))
      checked.nearly.push(`${row.model}: ${row.place.quote}`)
    const verdict = isCitation ? judgeCitation(row, texts, corrections) : judgePassage(row, corrected)
    if (verdict === 'older') checked.older++
    else if (verdict !== null)
      checked.mismatches.push(`${row.object} ${row.id}: ${verdict}: ${JSON.stringify(row.place).slice(0, 300)}`)
  }
  return checked
}

/** Ids are stored as they are shown. */
async function namePages(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ id: string }>('select id from pages')
  await client.query('create temp table named_pages (name text primary key, id uuid not null)')
  await client.query('insert into named_pages select * from unnest($1::text[], $2::uuid[])', [
    rows.map(({ id }) => toId('page', id)),
    rows.map(({ id }) => id),
  ])
}

const slice = (text: string, start: number, end: number): string => [...text].slice(start, end).join('')

function judgeCitation(row: CitationsRow, texts: ReadonlyMap<string, string>, corrections: Corrections): string | null {
  const { page_id, page_sha256 = '', quote, start, end } = row.place
  if (quote === undefined || quote === '') return 'it quotes nothing'
  if (page_id !== null && row.sha256 === null) return 'there is no such page'
  if (page_id !== null && row.sha256 === page_sha256)
    return row.stands === quote ? null : `'${row.stands}' stands there`
  const text = texts.get(page_sha256)
  if (text === undefined) return 'no text had this hash'
  if (slice(text, start, end) !== quote) return `'${slice(text, start, end)}' stood there`
  if (page_id === null) return null
  const corrected_ms = corrections.get(`${page_id} ${page_sha256}`)
  if (corrected_ms === undefined) return 'the page has another text, although it was not corrected'
  // Its transaction began when the correction had been answered.
  return row.updated_at.getTime() > corrected_ms ? 'the page had been corrected before' : 'older'
}

function judgePassage(
  { place, stands, updated_at }: CitationsRow,
  corrected: ReadonlyMap<string, number>,
): string | null {
  if (stands === (place.text ?? place.quote)) return null
  const corrected_ms = corrected.get(place.page_id ?? '')
  return corrected_ms !== undefined && updated_at.getTime() <= corrected_ms ? 'older' : `'${stands}' stands there`
}
