// Apache Tika server: converts formats that Octavo does not read to XHTML, which the sandboxed parser then reads.

import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { Unreadable } from '@octavo/extract/types.ts'
import { type EgressAnswer, operatorFetch } from '../egress/egress.ts'
import { EgressFailed, EgressRefused } from '../egress/errors.ts'
import { type PageReader, type PageToRead, ReaderUnavailable, type ReadPage } from './reader.ts'

export interface TikaConfig {
  /** Where it runs, such as http://tika:9998. */
  url: string
}

export interface FileToConvert {
  open: () => Promise<Readable>
  size_bytes: number
  signal: AbortSignal
}

const ID = 'tika'
const MAX_ANSWER_BYTES = 64 * 1024 * 1024
const MAX_SHORT_BYTES = 1024
const SHORT_MS = 5_000
const TOTAL_MS = 120_000

/** Text formats only. Tika also opens archives, pictures and sound, of which it gives file names and settings. */
const CONVERTED = new RegExp(
  `^application/(${[
    'msword',
    'vnd\\.ms-(excel|powerpoint|works|project|htmlhelp|xpsdocument)',
    'vnd\\.ms-excel\\.sheet\\.binary.*',
    'x-mspublisher',
    'vnd\\.(ms-)?visio',
    'vnd\\.wordperfect',
    'x-quattro-pro',
    'onenote',
    'vnd\\.apple\\.(pages|numbers|keynote)(\\.13)?',
    'vnd\\.sun\\.xml\\.(writer|calc|impress)',
    'x-(hwp|hwp-v5|dbf|msaccess|abiword)',
  ].join('|')})$`,
)

export class TikaReader implements PageReader {
  readonly id = ID
  readonly locality = 'remote'
  readonly #url: string
  #version: Promise<void> | null = null
  #known_version = 'unknown'

  constructor({ url }: TikaConfig) {
    this.#url = url
  }

  get version(): string {
    return this.#known_version
  }

  async read({ parsed }: PageToRead): Promise<ReadPage> {
    return { blocks: parsed.blocks, text_source: 'embedded', confidence: null }
  }

  /** The media type by Tika's detection, and the document as XHTML. Null: the file has no format that Tika converts to text. */
  async convert(file: FileToConvert): Promise<{ media_type: string; html: Buffer } | null> {
    try {
      const detected = await this.#put('/detect/stream', file, { accept: 'text/plain', max_bytes: MAX_SHORT_BYTES })
      const [media_type = ''] = (await buffer(detected.body)).toString('latin1').trim().split(';')
      if (detected.status !== 200 || !CONVERTED.test(media_type)) return null
      const learning = this.learnVersion()
      const answer = await this.#put('/tika', file, { accept: 'text/html', max_bytes: MAX_ANSWER_BYTES })
      const html = await buffer(answer.body)
      await learning
      if (answer.status !== 200) throw unreadable(answer.status)
      return { media_type, html }
    } catch (error) {
      throw file.signal.aborted ? file.signal.reason : typed(error)
    }
  }

  async #put(
    path: string,
    { open, size_bytes, signal }: FileToConvert,
    { accept, max_bytes }: { accept: string; max_bytes: number },
  ): Promise<EgressAnswer> {
    return operatorFetch(this.#url + path, {
      method: 'PUT',
      // The text of pictures is not needed, and OCR takes minutes.
      headers: { accept, 'content-length': String(size_bytes), 'x-tika-ocrskipocr': 'true' },
      body: await open(),
      max_bytes,
      total_ms: TOTAL_MS,
      signal,
    })
  }

  /** Fetched once. Never throws: files can be read without it. */
  learnVersion(): Promise<void> {
    return (this.#version ??= this.#askVersion())
  }

  async #askVersion(): Promise<void> {
    try {
      const { body } = await operatorFetch(`${this.#url}/version`, { max_bytes: MAX_SHORT_BYTES, total_ms: SHORT_MS })
      const [, version] = /Tika (\S{1,50})/.exec((await buffer(body)).toString('latin1')) ?? []
      this.#known_version = version ?? this.#known_version
    } catch {
      this.#version = null
    }
  }
}

/** 422 is Tika's answer for a file that it cannot parse. */
const unreadable = (status: number): Unreadable =>
  status === 204
    ? new Unreadable('document_empty', 'The file has no readable content. Upload a file with content.')
    : new Unreadable(
        'document_unreadable',
        'The file is damaged or protected by a password. Save it again without a password and upload the new file.',
      )

function typed(error: unknown): unknown {
  if (error instanceof EgressFailed && error.status === 500) return unreadable(error.status)
  if (error instanceof EgressFailed) return new ReaderUnavailable(ID, error)
  if (!(error instanceof EgressRefused)) return error
  return error.status !== null && error.status >= 300 && error.status < 400
    ? new ReaderUnavailable(ID, error)
    : new Unreadable('document_too_large', 'The document is too large to be read. Split it and upload the parts.')
}
