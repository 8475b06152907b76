// The reader that is always there: what the file itself says, and OCR where it says nothing that can be used.

import type { Block, OcrMode } from '@octavo/contract'
import type { PageOcr } from './page-ocr.ts'
import type { PageReader, PageToRead, ReadPage } from './reader.ts'

export interface BuiltInConfig {
  version: string
  /** `auto`: where the file says nothing that can be used. */
  ocr: OcrMode
  engine: PageOcr
}

const DPI = 200
const NEEDS_OCR = 'The file has no readable text for this page, and `ocr` is `never`.'

/** For the pages of one document. */
export class BuiltInReader implements PageReader {
  readonly id = 'built_in'
  readonly locality = 'local'
  readonly version: string
  #config: BuiltInConfig
  /** A document mostly goes on in the language it began in. */
  #likely: string[] = []

  constructor(config: BuiltInConfig) {
    this.version = config.version
    this.#config = config
  }

  async read(page: PageToRead, given: Parameters<PageReader['read']>[1]): Promise<ReadPage> {
    given.signal.throwIfAborted()
    const { parsed, number } = page
    const { ocr, engine } = this.#config
    const embedded: ReadPage = { blocks: parsed.blocks, text_source: 'embedded', confidence: null }
    const is_wanted = ocr === 'always' || (ocr === 'auto' && parsed.needs_ocr)
    if (parsed.needs_ocr && ocr === 'never') return { ...embedded, warnings: [NEEDS_OCR] }
    if (!is_wanted || !parsed.has_image) return embedded
    const image = await page.image(DPI)
    given.signal.throwIfAborted()
    const { blocks, confidence, languages, warnings } = await engine.read(image, {
      ...given,
      likely: this.#likely,
      is_first_page: number === 1,
    })
    if (hasText(blocks)) {
      this.#likely = languages
      return { blocks, text_source: 'ocr', confidence, image, warnings }
    }
    // The little that the file says is more than nothing at all.
    if (ocr === 'auto' && hasText(parsed.blocks)) return { ...embedded, image }
    return { blocks, text_source: 'ocr', confidence: null, image, warnings }
  }
}

const hasText = (blocks: readonly Block[]): boolean => blocks.some(({ text }) => text.trim() !== '')
