// Files that clients send. Every page says whose it is and which one, as pages that come as text do.

import { pdfOf } from '../../extract/src/testing/pdf-files.ts'
import type { Random } from '../lib/random.ts'
import type { CrashGivenFile } from './ledger.ts'

/** A long file is committed in three parts; a large one is stored in several. */
const mix = { text: 60, markdown: 25, long: 9, large: 6 }
const MOST_PAGES = 4
const LONG_PAGES = 120
const LARGE_BYTES = 9 * 2 ** 20
/** Below the place of a running title. */
const TOP: readonly string[] = Array.from({ length: 5 }, () => '')

export function newFile(random: Random, marker: string): CrashGivenFile {
  const kind = random.weighted(mix)
  const pages = kind === 'markdown' ? 1 : kind === 'long' ? LONG_PAGES : random.whole(1, MOST_PAGES)
  const texts = Array.from({ length: pages }, (_, i) => `${marker} page ${i + 1}`)
  if (kind === 'text' || kind === 'markdown') {
    const [ending, media_type] = kind === 'text' ? ['txt', 'text/plain'] : ['md', 'text/markdown']
    return { name: `${marker}.${ending}`, media_type, bytes: Buffer.from(texts.join('\n\f')), pages }
  }
  const pdf = pdfOf(...texts.map((text) => [...TOP, text]))
  const bytes =
    kind === 'large' ? Buffer.concat([pdf, Buffer.from(`% ${'x'.repeat(LARGE_BYTES)}\n`)]) : Buffer.from(pdf)
  return { name: `${marker}.pdf`, media_type: 'application/pdf', bytes, pages }
}
