// One file, read by one child after another: a page that kills its child costs that page and no other.

import type { Readable } from 'node:stream'
import { traced } from '@octavo/base/trace.ts'
import type { Death, Parser } from './parser.ts'
import { ParserDied, type Reply } from './parser.ts'
import type { Ask } from './protocol.ts'
import { type Claims, type OpenedFile, type PageImage, type ParsedPage, Unreadable } from './types.ts'
import { type Allowed, tooManyDeaths, tooManySeconds, verdictOf } from './verdicts.ts'

const MAX_RESTARTS = 3
/** Average time allowed per page, as a share of the limit for a single page. */
const USUAL_SHARE = 1 / 3

interface Limits {
  parser_resident_mb: number
  parser_open_seconds: number
  parser_page_seconds: number
}

export interface Source {
  bytes: () => Promise<Readable>
  claims: Claims
  password: string | null
  size_bytes: number
  signal: AbortSignal
  config: Limits & { max_read_bytes: number; max_pages: number; max_inflated_bytes: number; max_pixels: number }
}

export class Reading {
  readonly #take: () => Parser
  readonly #source: Source
  readonly #onAbort = () => this.#drop()
  #parser: Parser | null = null
  #stream: Readable | null = null
  #deaths = 0
  #spent_seconds = 0
  #pages_read = 0
  #is_closed = false
  #last: Promise<unknown> = Promise.resolve()
  #page_count = 0
  #over: Unreadable | null = null

  constructor(take: () => Parser, source: Source) {
    this.#take = take
    this.#source = source
  }

  async open(): Promise<OpenedFile> {
    this.#source.signal.throwIfAborted()
    this.#source.signal.addEventListener('abort', this.#onAbort, { once: true })
    try {
      const file = await traced({ name: 'parser open' }, () => this.#start())
      this.#page_count = Math.min(file.page_count, this.#source.config.max_pages)
      await this.#survey()
      return file
    } catch (error) {
      await this.close()
      throw error
    }
  }

  /** A page that kills the child here is not to blame yet: the next child reads pages without a survey. */
  async #survey(): Promise<void> {
    const { config, signal } = this.#source
    const parser = this.#parser
    if (!parser || this.#page_count < 2) return
    try {
      await this.#spend(parser, { do: 'survey' }, config.parser_page_seconds / 2)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ParserDied) || error.why === 'closed') throw error
      this.#parser = null
    }
  }

  async page(number: number): Promise<ParsedPage> {
    const { answer } = await this.#inTurn(number, { do: 'page', number })
    if (answer.is !== 'page') throw this.#verdictOf('crash', number)
    this.#pages_read++
    return answer.page
  }

  async image(number: number, dpi: number): Promise<PageImage> {
    const { answer, binary } = await this.#inTurn(number, { do: 'image', number, dpi })
    if (answer.is !== 'image') throw this.#verdictOf('crash', number)
    return { ...answer.image, pixels: binary }
  }

  async attachment(index: number): Promise<Uint8Array> {
    const { answer, binary } = await this.#inTurn(1, { do: 'attachment', index })
    if (answer.is !== 'attachment') throw this.#verdictOf('crash', null)
    return binary
  }

  async close(): Promise<void> {
    this.#is_closed = true
    this.#source.signal.removeEventListener('abort', this.#onAbort)
    const parser = this.#parser
    this.#drop()
    await parser?.gone()
  }

  /** A child does one thing at a time, and the clock of a page runs only while it is that page's turn. */
  async #inTurn(number: number, ask: Ask): Promise<Reply> {
    if (!Number.isInteger(number) || number < 1 || number > this.#page_count)
      throw new RangeError(`There is no page ${number}`)
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    try {
      await before
      return await traced({ name: `parser ${ask.do}`, attributes: { 'octavo.page': number } }, () =>
        this.#askFor(number, ask),
      )
    } finally {
      resolve()
    }
  }

  async #askFor(number: number, ask: Ask): Promise<Reply> {
    const { config, signal } = this.#source
    signal.throwIfAborted()
    if (this.#is_closed) throw new Error('The reading is closed')
    if (this.#over) throw this.#over
    const parser = this.#parser ?? (await this.#restart())
    // A file that has cost a child is trusted less.
    const seconds = Math.min(config.parser_page_seconds / 2 ** this.#deaths, this.#secondsLeft())
    if (seconds <= 0) throw (this.#over = tooManySeconds(this.#pages_read))
    try {
      const reply = await this.#spend(parser, ask, seconds)
      this.#refuse(reply, number)
      return reply
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ParserDied)) throw error
      this.#parser = null
      this.#deaths++
      if (error.why === 'closed') throw new Error('The reading is closed', { cause: error })
      throw this.#verdictOf(error.why, number, seconds)
    }
  }

  /** Each page read adds time: a file with many pages may take long, a file that yields none may not. */
  #secondsLeft(): number {
    const { parser_open_seconds, parser_page_seconds } = this.#source.config
    return parser_open_seconds + parser_page_seconds * (1 + USUAL_SHARE * this.#pages_read) - this.#spent_seconds
  }

  async #spend(parser: Parser, ask: Ask, seconds: number): Promise<Reply> {
    try {
      return await parser.ask(ask, seconds)
    } finally {
      this.#spent_seconds += parser.spent_seconds
    }
  }

  async #restart(): Promise<Parser> {
    try {
      if (this.#deaths > MAX_RESTARTS) throw tooManyDeaths(this.#deaths)
      await this.#start()
      return this.#parser as unknown as Parser
    } catch (error) {
      if (error instanceof Unreadable) this.#over = error
      throw error
    }
  }

  async #start(): Promise<OpenedFile> {
    const { bytes, claims, password, size_bytes, signal, config } = this.#source
    const seconds = Math.min(config.parser_open_seconds, this.#secondsLeft())
    if (seconds <= 0) throw tooManySeconds(this.#pages_read)
    const parser = this.#take()
    this.#parser = parser
    try {
      await parser.start()
      this.#stream = await bytes()
      signal.throwIfAborted()
      const bounds = { ...config, max_bytes: config.max_read_bytes }
      await parser.feed({ do: 'begin', claims, password, bounds: pick(bounds), size_bytes }, this.#stream)
      const reply = await this.#spend(parser, { do: 'open' }, seconds)
      this.#refuse(reply, null)
      if (reply.answer.is !== 'opened') throw this.#verdictOf('crash', null)
      return reply.answer.file
    } catch (error) {
      this.#drop()
      signal.throwIfAborted()
      if (!(error instanceof ParserDied)) throw error
      if (error.why === 'start' || error.why === 'closed') {
        throw new Error('The parser could not be started, or was ended', { cause: error })
      }
      throw this.#verdictOf(error.why, null, seconds)
    }
  }

  #refuse({ answer }: Reply, page: number | null): void {
    if (answer.is === 'broken') throw new Error(answer.message)
    if (answer.is === 'failed') {
      const verdict = this.#verdictOf(answer.is_memory ? 'memory' : 'crash', page)
      verdict.cause = answer.where
      throw verdict
    }
    if (answer.is === 'unreadable') throw new Unreadable(answer.code, answer.message, page)
  }

  #verdictOf(why: Death, page: number | null, seconds = 0): Unreadable {
    const allowed: Allowed = { resident_mb: this.#source.config.parser_resident_mb, seconds }
    return verdictOf(why, page, allowed)
  }

  #drop(): void {
    this.#stream?.destroy()
    this.#parser?.kill('closed')
    this.#stream = null
    this.#parser = null
  }
}

function pick({ max_bytes, max_pages, max_inflated_bytes, max_pixels }: Source['config'] & { max_bytes: number }) {
  return { max_bytes, max_pages, max_inflated_bytes, max_pixels }
}
