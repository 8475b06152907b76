// Pure decisions about sources.

import { type Document, MAX_PAGE_CHARACTERS, MAX_PAGES, type NewSource } from '@octavo/contract'
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
