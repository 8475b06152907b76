// Pure decisions about sources, and about the state that a document is in.

import { type Document, type JobError, type JobStatus, MAX_PAGE_CHARACTERS, MAX_PAGES, type NewSource } from '@octavo/contract'
import { sha256 } from '../../lib/digest.ts'
import { invalidValue } from '../../lib/failure.ts'

/** The separator of pages in plain text. */
const FORM_FEED = '\f'

export interface ReadSource extends Pick<Document, 'source' | 'media_type' | 'size_bytes' | 'sha256'> {
  texts: string[]
}

/** What a document is made of; without a source it is empty. */
export function readSource(source: NewSource | undefined): ReadSource {
  if (!source) return { source: null, media_type: null, size_bytes: null, sha256: null, texts: [] }
  const texts = source.type === 'pages' ? source.pages.map((page) => page.text) : splitText(source.text)
  const whole = texts.join(FORM_FEED)
  return { source: { type: source.type }, media_type: 'text/plain', size_bytes: Buffer.byteLength(whole), sha256: sha256(whole), texts }
}

function splitText(text: string): string[] {
  const texts = text.split(FORM_FEED)
  if (texts.length > MAX_PAGES) throw invalidValue('source.text', 'too_many_items', `Must have at most ${MAX_PAGES} pages.`)
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

/** The pages that are written together, by their numbers. The same for the same texts, since finished parts are known by them. */
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

/** What is read stays, whatever became of the job. null: the job has not ended and was not begun again. */
export function stateAfter(
  job: { status: JobStatus; error: JobError | null },
  document: { pages_ready: number },
): Pick<Document, 'status' | 'error'> | null {
  if (job.status === 'running') return null
  if (job.status === 'queued') return { status: 'processing', error: null }
  if (job.status === 'succeeded') return { status: 'ready', error: null }
  const cancelled = { code: 'cancelled', message: 'The job that read the document was cancelled.' }
  const error = job.status === 'cancelled' ? cancelled : job.error && { code: job.error.code, message: job.error.message }
  return { status: document.pages_ready > 0 ? 'partially_ready' : 'failed', error }
}
