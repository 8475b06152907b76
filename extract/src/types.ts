// Data read from a file. Formats produce it in a confined child process; the worker receives it.

import type { Block, JobErrorCode } from '@octavo/contract'

/** Information about a file before it is opened; both fields are only claims by the sender. */
export interface Claims {
  media_type: string | null
  file_name: string | null
}

export interface Bounds {
  /** Bytes of the file. */
  max_bytes: number
  /** Pages that are read; a longer document is cut there, with a warning. */
  max_pages: number
  /** Bytes that an archive may inflate to in all. */
  max_inflated_bytes: number
  /** Width times height of an image that is decoded. */
  max_pixels: number
}

export interface OpenedFile {
  /** As in the name of its file under `formats/`. */
  format: string
  /** Detected from the bytes, not taken from the claims. */
  media_type: string
  title: string | null
  /** Pages in the file; up to `max_pages` of them can be read. */
  page_count: number
  warnings: string[]
  /** Files inside the file, such as attachments of an email. */
  attachments: Attachment[]
}

export interface Attachment {
  file_name: string
  /** null: it cannot be saved as a file. */
  size_bytes: number | null
}

export interface ParsedPage {
  /** In points (1/72 inch); null where the format knows no size. */
  width: number | null
  height: number | null
  /** In reading order. `bbox` where the format knows places. */
  blocks: Block[]
  /** Whether `image()` can draw it. */
  has_image: boolean
  /** Text that a person would see is missing, or it cannot be used as it is (a scan, glyphs without meaning): worth an OCR. */
  needs_ocr: boolean
  warnings: string[]
}

/** An upright page as pixels: 8 bits of gray each, row by row. */
export interface PageImage {
  width: number
  height: number
  dpi: number
  pixels: Uint8Array
  /** Degrees by which the page was turned to make it upright. */
  tilt: number
  /** Straight lines that were drawn in it, such as those of tables, in pixels. */
  rules: Rule[]
}

export interface Rule {
  x0: number
  y0: number
  x1: number
  y1: number
}

/** Inside the child: a file that was opened. Pages are numbered from 1 and may be asked for in any order. */
export interface OpenFormat extends Omit<OpenedFile, 'format' | 'media_type' | 'attachments'> {
  attachments?: Attachment[]
  /** The bytes of one of `attachments`. */
  attachment?(index: number): Uint8Array
  /** Compares pages with each other before the first is read. Never throws. */
  survey?(): Promise<void>
  page(number: number): ParsedPage | Promise<ParsedPage>
  image?(number: number, dpi: number): PageImage | Promise<PageImage>
  close?(): void
}

/** Inside the child: one for each file under `formats/`. */
export interface Format {
  readonly name: string
  /** The first is the one that is answered. */
  readonly media_types: readonly [string, ...string[]]
  open(
    bytes: Uint8Array,
    given: { claims: Claims; media_type: string; bounds: Bounds; password?: string | null },
  ): OpenFormat | Promise<OpenFormat>
}

/** Why a file, or one page of it, cannot be read. The message is for its owner and says what to do next. */
export type Verdict = Extract<
  JobErrorCode,
  'document_unreadable' | 'document_empty' | 'document_too_large' | 'unsupported_format'
>

export class Unreadable extends Error {
  readonly code: Verdict
  readonly page: number | null
  constructor(code: Verdict, message: string, page: number | null = null) {
    super(message)
    this.code = code
    this.page = page
  }
}
