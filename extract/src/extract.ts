// A file → pages, read by a confined child process: whatever the file contains, only the child can come to harm.

import type { Readable } from 'node:stream'
import { Parser } from './parser.ts'
import { Reading } from './reading.ts'
import { openSandbox, type Sandbox } from './sandbox/launch.ts'
import { type ParserLimits, spawnParser } from './spawn.ts'
import type { Claims, OpenedFile, PageImage, ParsedPage } from './types.ts'
import { tooManyBytes } from './verdicts.ts'

/** One file that a child holds open. Every call may throw `Unreadable`; an error without a page ends the reading. */
export interface OpenReading extends OpenedFile {
  page(number: number): Promise<ParsedPage>
  image(number: number, dpi: number): Promise<PageImage>
  /** The bytes of one of `attachments`, by its index. */
  attachment(index: number): Promise<Uint8Array>
  /** Ends the child. Never throws. */
  close(): Promise<void>
}

export interface Extract {
  /**
   * `bytes` gives the file from its beginning, as often as it is called: a child that died of one page is replaced for the others.
   * `size_bytes` is what they will be; they are streamed to the child and never whole in this process.
   */
  open(
    bytes: () => Promise<Readable>,
    given: Claims & { size_bytes: number; signal: AbortSignal; password?: string | null },
  ): Promise<OpenReading>
  /** Ends the warm spare and everything else. */
  close(): Promise<void>
}

export interface ExtractConfig extends ParserLimits {
  max_read_bytes: number
  max_pages: number
  max_inflated_bytes: number
  max_pixels: number
  parser_open_seconds: number
  parser_page_seconds: number
}

const CHILD = new URL('./child.ts', import.meta.url)

/** `main` is what the child runs. */
export function openExtract(config: ExtractConfig, main: URL = CHILD, sandbox: Sandbox = openSandbox()): Extract {
  const living = new Set<Parser>()
  let spare: Parser | null = null
  let is_closed = false

  function startParser(): Parser {
    const parser = new Parser(spawnParser(sandbox, main, config), config, config.max_pixels)
    living.add(parser)
    void forget(parser)
    return parser
  }

  async function forget(parser: Parser): Promise<void> {
    await parser.gone()
    living.delete(parser)
    if (spare === parser) spare = null
  }

  function takeParser(): Parser {
    if (is_closed) throw new Error('No file can be opened any more: the process is closing')
    const parser = spare ?? startParser()
    spare = null
    return parser
  }

  return {
    async open(bytes, { media_type, file_name, size_bytes, signal, password = null }) {
      if (size_bytes > config.max_read_bytes) throw tooManyBytes(config.max_read_bytes)
      const reading = new Reading(takeParser, {
        bytes,
        claims: { media_type, file_name },
        password,
        size_bytes,
        signal,
        config,
      })
      try {
        const file = await reading.open()
        return {
          ...file,
          page: (number) => reading.page(number),
          image: (number, dpi) => reading.image(number, dpi),
          attachment: (index) => reading.attachment(index),
          close: () => reading.close(),
        }
      } finally {
        // Only now, so that it does not compete with the file that someone waits for.
        if (!is_closed) spare ??= startParser()
      }
    },
    async close() {
      is_closed = true
      const all = [...living]
      for (const parser of all) parser.kill('closed')
      await Promise.all(all.map((parser) => parser.gone()))
    },
  }
}
