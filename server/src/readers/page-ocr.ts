// OCR as the built-in reader asks for it. The engine is looked for by the first page that needs it.

import { traced } from '@octavo/base/trace.ts'
import type { Block } from '@octavo/contract'
import { blocksOf } from '@octavo/extract/ocr/blocks.ts'
import {
  type Asked,
  type OcrConfig,
  type OcrEngine,
  OcrFailure,
  UnsupportedLanguage,
  UnsupportedScript,
} from '@octavo/extract/ocr/ocr.ts'
import { openOcr } from '@octavo/extract/ocr/open.ts'
import type { PageImage } from '@octavo/extract/types.ts'
import { ReaderAnswerInvalid, ReaderUnavailable } from './reader.ts'

export interface PageOcr {
  /** BCP 47; none: there is no engine. */
  languages(): Promise<string[]>
  read(
    image: PageImage,
    asked: Asked & { is_first_page: boolean },
  ): Promise<{ blocks: Block[]; confidence: number; languages: string[]; warnings: string[] }>
}

export function openPageOcr(config: OcrConfig): PageOcr & { close(): Promise<void> } {
  let opening: Promise<OcrEngine | null> | null = null
  const open = (): Promise<OcrEngine | null> => (opening ??= openOcr(config))
  return {
    languages: async () => (await (await open())?.languages()) ?? [],
    async read(image, { is_first_page, ...asked }) {
      const engine = await open()
      if (!engine) throw new ReaderUnavailable('built_in')
      try {
        const page = await traced({ name: 'ocr' }, () => engine.read(image, asked))
        return { ...blocksOf(page, image, { is_first_page }), languages: page.languages, warnings: page.warnings }
      } catch (error) {
        const isOfPage = [UnsupportedLanguage, UnsupportedScript, OcrFailure].some((type) => error instanceof type)
        if (isOfPage && error instanceof Error)
          throw new ReaderAnswerInvalid('built_in', error.message.replace(/\.$/, ''), error)
        throw error
      }
    },
    close: async () => (await opening)?.close(),
  }
}
