// The interface of page readers: the built-in one, docling-serve or a vision model.

import type { Block } from '@octavo/contract'
import type { PageImage, ParsedPage } from '@octavo/extract/types.ts'
import type { Tokens } from '../ai/model.ts'

export interface PageToRead {
  /** From 1. */
  number: number
  /** Content extracted from the file format itself. */
  parsed: ParsedPage
  /** Draws it; only where `parsed.has_image`. */
  image(dpi: number): Promise<PageImage>
}

export interface ReadPage {
  blocks: Block[]
  text_source: 'embedded' | 'ocr'
  /** 0 to 1; null if the text is embedded or the reader gives no confidence. */
  confidence: number | null
  /** The page image to store. */
  image?: PageImage
  /** Doubts about the text. */
  warnings?: string[]
  /** Where a model was paid for it. */
  spent?: Tokens
}

export interface PageReader {
  readonly id: string
  /** As far as it is known: that of a remote reader is, once it has answered. */
  readonly version: string
  /** Whether pages leave this machine. */
  readonly locality: 'local' | 'remote'
  /** Throws `ReaderUnavailable`, `ReaderAnswerInvalid`, `Unreadable`, or the reason of the signal. */
  read(page: PageToRead, given: { languages: string[]; signal: AbortSignal }): Promise<ReadPage>
}

/** Later it may be there again. The message names the reader and not where it runs. */
export class ReaderUnavailable extends Error {
  readonly reader: string
  constructor(reader: string, cause?: unknown) {
    super(`The reader '${reader}' is currently not available.`, { cause })
    this.reader = reader
  }
}

/** It answered, and the answer is of no use for this page. */
export class ReaderAnswerInvalid extends Error {
  readonly reader: string
  constructor(reader: string, reason: string, cause?: unknown) {
    super(`The reader '${reader}' could not read this page: ${reason}.`, { cause })
    this.reader = reader
  }
}
