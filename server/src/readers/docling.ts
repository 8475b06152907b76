// docling-serve over HTTP: the image of a page goes there, a DoclingDocument comes back.

import { buffer } from 'node:stream/consumers'
import { encodePng } from '@octavo/extract/raster.ts'
import type { PageImage } from '@octavo/extract/types.ts'
import { type EgressAnswer, operatorFetch } from '../egress/egress.ts'
import { EgressFailed, EgressRefused } from '../egress/errors.ts'
import { blocksOfDocument, InvalidDocument } from './docling-document.ts'
import { findNumber, findObject, findText, type Json } from './json.ts'
import { type PageReader, type PageToRead, ReaderAnswerInvalid, ReaderUnavailable, type ReadPage } from './reader.ts'

export interface DoclingConfig {
  /** Where it runs, such as http://docling:5001. */
  url: string
  api_key: string | null
  /** For one page. docling-serve itself gives up after DOCLING_SERVE_MAX_SYNC_WAIT, 120 s unless set. */
  total_ms?: number
}

type DoclingInput = Parameters<PageReader['read']>[1]

const ID = 'docling'
const DPI = 200
const MAX_ANSWER_BYTES = 32 * 1024 * 1024
const MAX_VERSION_BYTES = 64 * 1024
const VERSION_MS = 5_000
const TOTAL_MS = 130_000
/** Not what the page is, but who asks and where: the operator can put it right, and then it works. */
const OPERATORS = new Set([401, 403, 404, 405])

export class DoclingReader implements PageReader {
  readonly id = ID
  readonly locality = 'remote'
  #config: DoclingConfig
  #version: Promise<void> | null = null
  #known_version = 'unknown'

  constructor(config: DoclingConfig) {
    this.#config = { ...config, url: config.url.replace(/\/+$/, '') }
  }

  get version(): string {
    return this.#known_version
  }

  async read(page: PageToRead, given: DoclingInput): Promise<ReadPage> {
    // Pages without an image (a text file, an email) use their embedded text.
    if (!page.parsed.has_image) return { blocks: page.parsed.blocks, text_source: 'embedded', confidence: null }
    const image = await page.image(DPI)
    const learning = this.learnVersion()
    const answer = await this.#convert(image, given)
    await learning
    return { ...answer, text_source: 'ocr', image }
  }

  async #convert(
    image: PageImage,
    { languages, signal }: DoclingInput,
  ): Promise<Pick<ReadPage, 'blocks' | 'confidence'>> {
    try {
      const { headers, body } = await doclingForm(image, languages)
      const answer = await operatorFetch(`${this.#config.url}/v1/convert/file`, {
        method: 'POST',
        headers: { ...headers, ...this.#credentials(), accept: 'application/json' },
        body,
        max_bytes: MAX_ANSWER_BYTES,
        total_ms: this.#config.total_ms ?? TOTAL_MS,
        signal,
      })
      return readAnswer(await readJson(answer))
    } catch (error) {
      throw signal.aborted ? signal.reason : typed(error)
    }
  }

  #credentials(): Record<string, string> {
    return this.#config.api_key === null ? {} : { 'x-api-key': this.#config.api_key }
  }

  /** Fetched once. Never throws: a server may hide its version, and pages can be read without it. */
  learnVersion(): Promise<void> {
    return (this.#version ??= this.#askVersion())
  }

  async #askVersion(): Promise<void> {
    try {
      const bounds = { max_bytes: MAX_VERSION_BYTES, total_ms: VERSION_MS }
      const versions = await readJson(
        await operatorFetch(`${this.#config.url}/version`, { ...bounds, headers: this.#credentials() }),
      )
      this.#known_version = findText(findObject(versions), 'docling-serve')?.slice(0, 100) ?? this.#known_version
    } catch (error) {
      // Try again later after a temporary failure.
      if (error instanceof EgressFailed) this.#version = null
    }
  }
}

async function doclingForm(
  image: PageImage,
  languages: readonly string[],
): Promise<{ headers: Record<string, string>; body: Uint8Array }> {
  const form = new FormData()
  form.append('files', new Blob([encodePng(image) as Uint8Array<ArrayBuffer>], { type: 'image/png' }), 'page.png')
  form.append('from_formats', 'image')
  form.append('to_formats', 'json')
  form.append('image_export_mode', 'placeholder')
  form.append('do_ocr', 'true')
  for (const language of languages) form.append('ocr_lang', language)
  const encoded = new Response(form)
  return { headers: { 'content-type': encoded.headers.get('content-type') ?? '' }, body: await encoded.bytes() }
}

async function readJson({ status, body }: EgressAnswer): Promise<Json> {
  if (status !== 200) {
    body.destroy()
    throw OPERATORS.has(status)
      ? new ReaderUnavailable(ID, new Error(`it returned ${status}`))
      : new InvalidDocument('it was refused')
  }
  try {
    return JSON.parse((await buffer(body)).toString('utf8')) as Json
  } catch (error) {
    throw error instanceof SyntaxError ? new InvalidDocument('the response is not JSON') : error
  }
}

function readAnswer(json: Json): Pick<ReadPage, 'blocks' | 'confidence'> {
  const answer = findObject(json)
  const status = findText(answer, 'status')
  // A part of a page would look like the whole of it.
  if (status !== 'success') throw new InvalidDocument(`it ended with '${status?.slice(0, 50) ?? 'no status'}'`)
  const document = findObject(findObject(answer?.document)?.json_content)
  if (!document) throw new InvalidDocument('the response has no document')
  const scores = findObject(answer?.confidence)
  const score = findNumber(scores, 'ocr_score') ?? findNumber(scores, 'mean_score')
  return { blocks: blocksOfDocument(document), confidence: score === null || score < 0 || score > 1 ? null : score }
}

function typed(error: unknown): unknown {
  if (error instanceof InvalidDocument) return new ReaderAnswerInvalid(ID, error.message, error)
  if (error instanceof EgressFailed) return new ReaderUnavailable(ID, error)
  if (!(error instanceof EgressRefused)) return error
  // A redirect is a matter of the address; anything else that is refused was in the answer.
  return error.status !== null && error.status < 400 && error.status >= 300
    ? new ReaderUnavailable(ID, error)
    : new ReaderAnswerInvalid(ID, 'the response is too large or compressed', error)
}
