// Page pixels → words. Every engine runs in separate processes, so a page that crashes one affects nothing else.

import type { Word } from '../layout/types.ts'
import type { Sandbox } from '../sandbox/launch.ts'
import type { PageImage } from '../types.ts'

export interface OcrPage {
  words: Word[]
  /** 0 to 1, of the page as a whole; 0 if nothing was found. */
  confidence: number
  /** Which were assumed in the end. Good as `likely` for the next page of the same document. */
  languages: string[]
  /** By how many degrees, clockwise, the image was turned because its text stood on its side or its head. Words are in the turned image. */
  turned: Turn
  warnings: string[]
}

export type Turn = 0 | 90 | 180 | 270

export interface Asked {
  /** BCP 47; none means that they are found out. */
  languages: readonly string[]
  /** A first guess where none are given. */
  likely?: readonly string[]
  signal: AbortSignal
}

export interface OcrEngine {
  readonly id: string
  readonly version: string
  /** BCP 47 primary tags. */
  languages(): Promise<string[]>
  /** May throw `UnsupportedLanguage`, `UnsupportedScript` and `OcrFailure`; the reason of the signal if that ends it. */
  read(image: PageImage, asked: Asked): Promise<OcrPage>
  close(): Promise<void>
}

export interface OcrConfig {
  engine: 'auto' | 'tesseract' | 'tesseract_js' | 'pp_ocr'
  models_dir: string | null
  /** Environment of a native engine: `PATH`, to find it, and `TESSDATA_PREFIX`. No other variable is passed to it. */
  env?: Readonly<Record<string, string | undefined>>
  /** Where engines run; by default the strongest sandbox of this machine. */
  sandbox?: Sandbox
}

export class UnsupportedLanguage extends Error {
  readonly language: string
  readonly available: readonly string[]
  constructor(language: string, available: readonly string[]) {
    super(`OCR for '${language}' is not available. Available: ${available.join(', ')}.`)
    this.language = language
    this.available = available
  }
}

/** The page is in a script that no installed data reads. The others of its document may be in another one. */
export class UnsupportedScript extends Error {
  /** `script`: null if it could not be determined. */
  constructor(script: string | null, available: readonly string[]) {
    const named = script === null ? 'a script' : `the script ${script}`
    super(`its text is in ${named}, which OCR for ${available.join(', ')} cannot read, or it is illegible`)
  }
}

export class OcrFailure extends Error {
  readonly reason: 'timeout' | 'crashed'
  constructor(reason: 'timeout' | 'crashed', message: string) {
    super(message)
    this.reason = reason
  }
}
