// Final checks on a book, however often its ingestion was interrupted.

import { findUuid } from '../../server/src/lib/ids.ts'
import { asAdmin } from '../lib/admin.ts'
import { headingsOf, textOfPage } from '../lib/book.ts'
import { differs } from '../lib/proof.ts'
import type { ReadingResumeMeasurement, ReadingResumeScene } from './scene.ts'

interface ReadingResumeChunk {
  start: number
  end: number
  position: number
  heading_path: string[]
}
interface ReadingResumeVerdictRow {
  number: number
  status: string
  text: string
  text_source: string
  chunks: ReadingResumeChunk[]
}

const PAGES = `select number::int, status, text, text_source, coalesce((
    select json_agg(json_build_object('start', c.start_offset, 'end', c.end_offset, 'position', c.position, 'heading_path', c.heading_path) order by c.position)
    from chunks c where c.document_id = p.document_id and c.page_id = p.id), '[]') as chunks
  from pages p where document_id = $1 order by number`
const IMAGES = `select count(*)::int as count from files where document_id = $1 and kind = 'page_image'`

/** `attempts`: how often a worker took it, at least; on a busy machine one may be thought lost that is not. */
export async function judgeWhole(
  scene: ReadingResumeScene,
  reading: ReadingResumeMeasurement,
  attempts: number,
): Promise<string[]> {
  const { world, key } = scene
  const { book, document_id, job_id } = reading
  const [document, job] = [await key.client().documents.get(document_id), await key.client().jobs.get(job_id)]
  const { pages, images } = await asAdmin(world.database.name, async (client) => {
    const id = [findUuid('doc', document_id)]
    const found = await client.query<{ count: number }>(IMAGES, id)
    return { pages: (await client.query<ReadingResumeVerdictRow>(PAGES, id)).rows, images: found.rows[0]!.count }
  })
  const numbers = new Set(pages.map(({ number }) => number))
  const missing = Array.from({ length: book.pages }, (_, i) => i + 1).filter((number) => !numbers.has(number))
  const told = {
    status: document.status,
    pages: document.page_count,
    ready: document.pages_ready,
    failed: document.pages_failed,
  }
  const job_told = {
    status: job.status,
    completed: job.progress?.completed,
    total: job.progress?.total,
    usage: job.usage?.pages,
  }
  return [
    ...differs('the document', told, { status: 'ready', pages: book.pages, ready: book.pages, failed: 0 }),
    ...differs('the job', job_told, {
      status: 'succeeded',
      completed: book.pages,
      total: book.pages,
      usage: book.pages,
    }),
    ...(job.attempts.length >= attempts ? [] : [`${job.attempts.length} attempts, not ${attempts}`]),
    ...(missing.length > 0 ? [`${missing.length} pages are missing, first ${missing[0]}`] : []),
    ...(pages.length === numbers.size ? [] : [`${pages.length - numbers.size} pages are there twice`]),
    ...(images === (book.scanned?.size ?? 0) ? [] : [`${images} pictures of ${book.scanned?.size ?? 0} scanned pages`]),
    ...pages.flatMap((page) => judgePage(page, reading)).slice(0, 5),
  ]
}

/** Minimum recall of the words of a scanned page. */
const RECALL = 0.95

function judgePage(
  { number, status, text, text_source, chunks }: ReadingResumeVerdictRow,
  { book }: ReadingResumeMeasurement,
): string[] {
  const expected = textOfPage(number, book.seed)
  const is_scanned = book.scanned?.has(number) ?? false
  const found: string[] = []
  if (status !== 'succeeded' || text_source !== (is_scanned ? 'ocr' : 'embedded'))
    found.push(`is ${status} by ${text_source}`)
  const words = new Set(text.split(/\s+/))
  const wanted = expected.split(' ')
  const recall = wanted.filter((word) => words.has(word)).length / wanted.length
  if (is_scanned ? recall < RECALL || !words.has(String(number)) : text.replace(/\s+/g, ' ') !== expected)
    found.push('has another text')
  // Offsets are code points, and these texts have no others than UTF-16 has.
  const covered = chunks.map(({ start, end }) => text.slice(start, end)).join('')
  if (covered.replace(/\s+/g, '') !== text.replace(/\s+/g, '')) found.push('is not covered by its chunks exactly once')
  const headings = headingsOf(number).join(' > ')
  const strange = chunks.find(({ heading_path }) => heading_path.join(' > ') !== headings)
  if (strange) found.push(`stands under '${strange.heading_path.join(' > ')}', not '${headings}'`)
  return found.map((what) => `page ${number} ${what}`)
}
