// Pure decisions about sources, and about the state that a document is in.

import {
  type Block,
  type Document,
  type JobError,
  type JobStatus,
  MAX_BLOCKS,
  MAX_CELLS,
  MAX_PAGE_CHARACTERS,
  MAX_PAGES,
  type NewDocument,
  type NewSource,
} from '@octavo/contract'
import { sha256 } from '../../lib/digest.ts'
import { invalidValue } from '../../lib/failure.ts'
import type { StoredFile } from '../../lib/file-name.ts'

/** The separator of pages in plain text. */
const FORM_FEED = '\f'

export interface ReadSource extends Pick<Document, 'source' | 'media_type' | 'size_bytes' | 'sha256'> {
  /** For the job that reads it; null: there is nothing to read. */
  payload: { texts?: string[]; url?: string } | null
  page_count: number
}

/** Without a source the document is empty. `file`: the stored file of the source. */
export function readSource(source: NewSource | undefined, file: StoredFile | null): ReadSource {
  if (file) {
    const { file_name, media_type, size_bytes, sha256 } = file
    const shown = source?.type === 'upload' ? { upload_id: source.upload_id } : {}
    return {
      source: { type: source?.type ?? 'file', file_name, ...shown },
      media_type,
      size_bytes,
      sha256,
      payload: {},
      page_count: 0,
    }
  }
  const nothing = { media_type: null, size_bytes: null, sha256: null, page_count: 0 }
  if (source?.type === 'url')
    return { ...nothing, source: { type: 'url', url: shownUrl(source.url) }, payload: { url: source.url } }
  if (source?.type !== 'text' && source?.type !== 'pages') return { ...nothing, source: null, payload: null }
  const texts = source.type === 'pages' ? source.pages.map((page) => page.text) : splitText(source.text)
  const whole = texts.join(FORM_FEED)
  const size_bytes = Buffer.byteLength(whole)
  const described = { media_type: 'text/plain', size_bytes, sha256: sha256(whole), page_count: texts.length }
  return { ...described, source: { type: source.type }, payload: { texts } }
}

/** A query may hold a secret, and so may a name before the host. */
function shownUrl(text: string): string {
  const url = URL.parse(text)
  return url ? `${url.origin}${url.pathname}`.slice(0, 2_000) : ''
}

export function checkUrl(text: string, allows_http: boolean): void {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'https:' && !(allows_http && url.protocol === 'http:')) || url.username || url.password)
    throw invalidValue('source.url', 'invalid_format', 'Must be an https URL without a user name.')
}

/** Duplicates are found by hash, so `on_duplicate` needs a hash that is known. */
export function checkDuplicates(
  input: Pick<NewDocument, 'on_duplicate'>,
  source: Pick<ReadSource, 'sha256' | 'payload'>,
): void {
  const { on_duplicate = 'allow' } = input
  if (on_duplicate === 'allow' || source.payload === null || source.sha256 !== null) return
  throw invalidValue(
    'on_duplicate',
    'inconsistent',
    "Must be 'allow' for a file whose sha256 is not known yet. Create the upload with a sha256, or send the file itself.",
  )
}

function splitText(text: string): string[] {
  const texts = text.split(FORM_FEED)
  if (texts.length > MAX_PAGES)
    throw invalidValue('source.text', 'too_many_items', `Must have at most ${MAX_PAGES} pages.`)
  if (texts.some((page) => page.length > MAX_PAGE_CHARACTERS && countCharacters(page) > MAX_PAGE_CHARACTERS)) {
    throw invalidValue(
      'source.text',
      'too_long',
      `A page must have at most ${MAX_PAGE_CHARACTERS} characters. Separate the pages with form feeds.`,
    )
  }
  return texts
}

/** As the schemas count: a character outside the basic plane is one, although it takes two places in a string. */
function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

const PAGES_OF_A_PART = 50
/** Parts of large pages are smaller, so that each is written well within the time limit of a statement. */
const CHARACTERS_OF_A_PART = 2_000_000

/** Page ranges that are written together. Deterministic, because checkpoints are named after them. */
export function partsOf(texts: readonly string[]): { first: number; last: number }[] {
  const parts: { first: number; last: number }[] = []
  let characters = 0
  for (const [index, text] of texts.entries()) {
    const part = parts.at(-1)
    characters += text.length
    if (part && part.last - part.first + 1 < PAGES_OF_A_PART && characters <= CHARACTERS_OF_A_PART) {
      part.last++
    } else {
      parts.push({ first: index + 1, last: index + 1 })
      characters = text.length
    }
  }
  return parts
}

/** Pages that were read are kept even if the job fails. null: the job is running, so the state does not change. */
export function stateAfter(
  job: { status: JobStatus; error: JobError | null },
  document: { pages_ready: number; page_count: number },
): Pick<Document, 'status' | 'error'> | null {
  if (job.status === 'running') return null
  if (job.status === 'queued') return { status: 'processing', error: null }
  const isWhole = document.pages_ready === document.page_count
  if (isWhole && (job.status === 'succeeded' || job.status === 'partially_succeeded'))
    return { status: 'ready', error: null }
  const cancelled = { code: 'cancelled', message: 'The job that read the document was canceled.' }
  const error =
    job.status === 'cancelled' ? cancelled : job.error && { code: job.error.code, message: job.error.message }
  return { status: document.pages_ready > 0 ? 'partially_ready' : 'failed', error }
}

/** Attachments of an email and of the emails attached to it that become documents. */
export const MAX_ATTACHED = 100

/** The indexes of attachments that can become documents. */
export const filesToAttach = (attachments: readonly { size_bytes: number | null }[], max_bytes: number): number[] =>
  attachments
    .flatMap(({ size_bytes }, index) =>
      size_bytes !== null && size_bytes > 0 && size_bytes <= max_bytes ? [index] : [],
    )
    .slice(0, MAX_ATTACHED)

/** Removes characters that PostgreSQL cannot store, and text beyond the page limit. */
export function storable(blocks: readonly Block[]): Block[] {
  let left = MAX_PAGE_CHARACTERS
  const kept: Block[] = []
  for (const block of blocks.slice(0, MAX_BLOCKS)) {
    const text = clean(block.text)
      .slice(0, Math.max(0, left - 2))
      .toWellFormed()
    left -= text.length + 2
    const table = block.table && {
      ...block.table,
      cells: block.table.cells.slice(0, MAX_CELLS).map((cell) => ({ ...cell, text: clean(cell.text) })),
    }
    kept.push({ ...block, text, ...(table ? { table } : {}) })
    if (left <= 2) break
  }
  return kept
}

const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed()
