// Writes the pages of a file to the database. Pages are read ahead and written in order; fast ones are written in
// batches, and a slow page is committed at once.

import { Readable } from 'node:stream'
import { textFromBlocks } from '@octavo/base/blocks.ts'
import { firstOf, lastOf } from '@octavo/base/required.ts'
import { recordOf } from '@octavo/base/unknown.ts'
import type { JobErrorCode, JobProgress, Stage } from '@octavo/contract'
import type { OpenReading } from '@octavo/extract/extract.ts'
import { OcrFailure, UnsupportedLanguage, UnsupportedScript } from '@octavo/extract/ocr/ocr.ts'
import { packPng } from '@octavo/extract/raster.ts'
import { type PageImage, type ParsedPage, Unreadable } from '@octavo/extract/types.ts'
import type { App } from '../../app.ts'
import { objectKey } from '../../files/keys.ts'
import { JobFailure, type Run } from '../../jobs/types.ts'
import { sha256 } from '../../lib/digest.ts'
import { newId, newUuid } from '../../lib/ids.ts'
import { type PageReader, ReaderAnswerInvalid, ReaderUnavailable } from '../../readers/reader.ts'
import type { Heading } from '../../text/headings.ts'
import { findLanguage } from '../../text/language.ts'
import type { OpenTable } from '../../text/open-tables.ts'
import { cutPage } from '../chunks/chunks.service.ts'
import { type NewFileRow, removeLoose } from '../files/files.service.ts'
import { findTableBefore, type IngestedPage, listHeadingsBefore } from '../pages/pages.service.ts'
import { commitPages, countStored } from './documents.commit.ts'
import { type Cost, NOTHING, ReadingCosts, spentOn } from './documents.costs.ts'
import type { PageEmbedder } from './documents.embed.ts'
import type { Ingestion } from './documents.jobs.ts'
import { storable } from './documents.rules.ts'
import type { DocumentRow } from './documents.store.ts'

/** Pages in progress at once: while one is recognized or written, the next is parsed. */
const AHEAD = 2
const PAGES_OF_A_PART = 50
const CHARACTERS_OF_A_PART = 1_000_000
const PART_MS = 250
/** Size of a cell apart from its text. */
const CHARACTERS_OF_A_CELL = 10

interface TakenPage {
  page: Omit<IngestedPage, 'cut'>
  cost: Cost
  image: NewFileRow | null
  warnings: string[]
  stage: Stage
}
interface PageBatch {
  pages: IngestedPage[]
  costs: { number: number; status: string; cost: Cost }[]
  images: NewFileRow[]
  characters: number
  began_ms: number
}

interface PageWriterInput {
  document: DocumentRow
  reading: OpenReading
  reader: PageReader
  embedder: PageEmbedder
  /** Total of the pages that are already stored. */
  characters: number
}

export class PageWriter {
  readonly warnings: string[] = []
  /** Why the pages after the last one were not read. */
  stopped: Unreadable | null = null
  private readonly app: App
  private readonly run: Run<Ingestion>
  private readonly document: DocumentRow
  private readonly reading: OpenReading
  private readonly reader: PageReader
  private readonly embedder: PageEmbedder
  private readonly costs: ReadingCosts
  private readonly count: { completed: number; failed: number }
  private path: Heading[] = []
  private open_table: OpenTable | null = null
  private last = 0
  private characters: number
  private part: PageBatch | null = null
  private writing: Promise<void> = Promise.resolve()
  /** Objects of pictures that no row is known to name yet. */
  private readonly loose = new Set<string>()

  constructor(app: App, run: Run<Ingestion>, given: PageWriterInput) {
    this.app = app
    this.run = run
    this.document = given.document
    this.reading = given.reading
    this.reader = given.reader
    this.embedder = given.embedder
    this.costs = new ReadingCosts(app, run, given)
    this.characters = given.characters
    this.count = { completed: given.document.pages_ready, failed: given.document.pages_failed }
  }

  /** In the order of the numbers. */
  async readAll(numbers: readonly number[]): Promise<void> {
    const underway: Promise<TakenPage>[] = []
    let next = 0
    const begin = (): void => {
      const number = numbers[next++]
      if (number === undefined) return
      const taken = this.take(number)
      // The error is handled when it is this page's turn.
      taken.catch(() => {})
      underway.push(taken)
    }
    for (let i = 0; i < AHEAD; i++) begin()
    try {
      for (let taken = underway.shift(); taken; taken = underway.shift()) {
        await this.flushUnlessSoon(taken)
        const page = await this.unlessOver(taken)
        this.run.signal.throwIfAborted()
        if (!page) break
        begin()
        await this.add(page)
      }
      await this.flush()
      await this.writing
    } catch (error) {
      // After the caller gets the error, nothing more is written, and no unused bytes are left behind.
      await Promise.allSettled([this.writing, ...underway])
      await removeLoose(this.app, this.run.db, [...this.loose]).catch(() => {})
      throw error
    }
  }

  /** Writes the collected pages if the next one takes long. */
  private async flushUnlessSoon(taking: Promise<TakenPage>): Promise<void> {
    if (!this.part) return
    const { promise: late, resolve } = Promise.withResolvers<'late'>()
    const timer = setTimeout(() => resolve('late'), Math.max(0, this.part.began_ms + PART_MS - performance.now()))
    const first = await Promise.race([late, taking.catch(() => null)])
    clearTimeout(timer)
    if (first === 'late') await this.flush()
  }

  /** Null where this page and those after it are not read any more. */
  private async unlessOver(taking: Promise<TakenPage>): Promise<TakenPage | null> {
    try {
      const taken = await taking
      this.characters += pageBytes(taken.page)
      const { max_text_characters } = this.app.config.parsing
      if (this.characters <= max_text_characters) return taken
      const text = `The document has more text than the limit of ${max_text_characters} characters. Split it and upload the parts.`
      this.stopped = new Unreadable('document_too_large', text)
    } catch (error) {
      if (!(error instanceof Unreadable) || error.page !== null) throw error
      this.stopped = error
    }
    return null
  }

  private async take(number: number): Promise<TakenPage> {
    const began_ms = performance.now()
    try {
      await this.costs.admit(number)
      const parsed = await this.reading.page(number)
      const { languages = [] } = this.document.processing ?? {}
      const image = (dpi: number): Promise<PageImage> => this.reading.image(number, dpi)
      const read = await this.reader.read({ number, parsed, image }, { languages, signal: this.run.signal })
      const blocks = storable(read.blocks)
      const { text } = textFromBlocks(blocks)
      const kept = read.image ? await this.keepImage(number, read.image) : null
      const { text_source, confidence } = read
      const page: TakenPage['page'] = {
        ...blankPage(number, parsed),
        status: 'succeeded',
        text,
        text_source,
        language: await findLanguage(text),
        confidence,
        blocks,
        reader: { id: this.reader.id, version: this.reader.version },
        image_file_id: kept?.id ?? null,
      }
      const cost = { spent: read.spent ?? NOTHING, compute_ms: performance.now() - began_ms }
      return {
        page,
        cost,
        image: kept,
        warnings: [...parsed.warnings, ...(read.warnings ?? [])],
        stage: text_source === 'ocr' ? 'ocr' : 'parsing',
      }
    } catch (error) {
      return {
        ...this.refuse(number, error),
        cost: { spent: spentOn(error), compute_ms: performance.now() - began_ms },
      }
    }
  }

  /** One bad page is its own affair; everything else ends the job. */
  private refuse(number: number, error: unknown): Omit<TakenPage, 'cost'> {
    this.run.signal.throwIfAborted()
    if (error instanceof ReaderUnavailable)
      throw new JobFailure('model_unavailable', error.message, { is_final: false, cause: error })
    const { cause } = recordOf(error)
    if (cause instanceof UnsupportedLanguage)
      throw new JobFailure('unsupported_language', cause.message, { cause: error })
    const isOfPage = error instanceof ReaderAnswerInvalid || (error instanceof Unreadable && error.page !== null)
    if (!isOfPage) throw error
    const code = error instanceof Unreadable ? error.code : codeOfAnswer(cause)
    const page = { ...blankPage(number, null), error: { code, message: error.message.slice(0, 1000) } }
    return { page, image: null, warnings: [], stage: 'parsing' }
  }

  /** The bytes before their row: what is left without one is swept away. */
  private async keepImage(number: number, image: PageImage): Promise<NewFileRow & { id: `file_${string}` }> {
    const bytes = Buffer.from(await packPng(image))
    const object_id = newUuid()
    const told = { media_type: 'image/png', size_bytes: bytes.length }
    this.loose.add(object_id)
    await this.app.files.put(objectKey(this.run.tenant, object_id), Readable.from([bytes]), {
      ...told,
      signal: this.run.signal,
    })
    return {
      ...told,
      id: newId('file'),
      kind: 'page_image',
      object_id,
      file_name: `page-${number}.png`,
      sha256: sha256(bytes),
    }
  }

  private async add({ page, cost, image, warnings, stage }: TakenPage): Promise<void> {
    const room = 100 - this.warnings.length
    this.warnings.push(...warnings.slice(0, room).map((warning) => `Page ${page.number}: ${warning}`.slice(0, 1000)))
    if (page.number !== this.last + 1) {
      this.path = await listHeadingsBefore(this.run.db, this.document.id, page.number)
      this.open_table = await findTableBefore(this.run.db, this.document.id, page.number)
    }
    const { path, open_table } = this
    const cut = await cutPage({ ...page, page_number: page.number, path, open_table, title: this.document.title })
    this.path = cut.path
    this.open_table = cut.open_table
    this.last = page.number
    this.part ??= { pages: [], costs: [], images: [], characters: 0, began_ms: performance.now() }
    this.part.pages.push({ ...page, cut })
    this.part.costs.push({ number: page.number, status: page.status, cost })
    if (image) this.part.images.push(image)
    this.part.characters += page.text.length
    const isFull = this.part.pages.length >= PAGES_OF_A_PART || this.part.characters >= CHARACTERS_OF_A_PART
    if (isFull || performance.now() - this.part.began_ms >= PART_MS || stage === 'ocr') await this.flush(stage)
  }

  /** One part is written while the next one is read. */
  private async flush(stage: Stage = 'parsing'): Promise<void> {
    const { part } = this
    await this.writing
    if (!part) return
    this.part = null
    this.writing = this.write(part, stage)
    this.writing.catch(() => {})
  }

  private async write({ pages, costs, images }: PageBatch, stage: Stage): Promise<void> {
    // Existing pages are read from the table: a page that was removed since an earlier attempt is written again.
    const name = `pages ${firstOf(pages).number}-${lastOf(pages).number} of attempt ${this.run.attempt}`
    const recordEmbedding = await this.embedder.embed(pages)
    const { ready, failed } = await this.run.write(name, async (tx) => {
      const counts = await commitPages(tx, this.document.id, pages, images)
      tx.afterCommit(() => countStored(this.app, pages))
      // The day's budget is locked last, as everywhere.
      this.costs.record(tx, costs)
      recordEmbedding(tx)
      return counts
    })
    for (const { object_id } of images) this.loose.delete(object_id)
    this.count.completed += ready
    this.count.failed += failed
    this.run.progress(this.progress, stage)
  }

  get progress(): JobProgress {
    const total = Math.min(this.reading.page_count, this.app.config.parsing.max_pages)
    return { unit: 'pages', ...this.count, total }
  }
}

function codeOfAnswer(cause: unknown): JobErrorCode {
  if (cause instanceof UnsupportedScript) return 'unsupported_language'
  return cause instanceof OcrFailure ? 'document_unreadable' : 'model_output_invalid'
}

const pageBytes = ({ text, blocks }: TakenPage['page']): number =>
  (blocks ?? []).reduce((sum, { table }) => sum + (table?.cells.length ?? 0) * CHARACTERS_OF_A_CELL, text.length)

const blankPage = (number: number, parsed: ParsedPage | null): TakenPage['page'] => ({
  number,
  status: 'failed',
  text: '',
  text_source: 'embedded',
  language: null,
  confidence: null,
  width: parsed?.width ?? null,
  height: parsed?.height ?? null,
  blocks: [],
  reader: null,
  image_file_id: null,
  error: null,
})
