// Finds quotes on pages and turns them into citations.

import { textFromBlocks } from '@octavo/base/blocks.ts'
import type { Block, Citation } from '@octavo/contract'
import { findHeading, type Heading, openBelow } from '../text/headings.ts'
import { QuotedText } from '../text/quotes.ts'

/** A text that can be cited: a page, or what came with the request. */
export interface Source {
  document_id: string | null
  page_id: string | null
  page_number: number | null
  text: string
  sha256: string
  language: string | null
  blocks: readonly Block[] | null
  /** Headings that are open where the text begins. */
  headings_before: readonly Heading[]
}

const MAX_QUOTE = 4_000

/** Looks quotes up in sources; what is not there is dropped and counted. */
export class CitationResolver {
  dropped = 0
  private readonly texts = new Map<
    Source,
    { quoted: QuotedText; spans: ReturnType<typeof textFromBlocks>['spans'] | null; points: string[] | null }
  >()

  /** The first of the sources that has it. */
  quote(quote: string, sources: readonly Source[]): Citation | null {
    const wanted = quote.slice(0, MAX_QUOTE)
    // Search all sources for an exact match first: a fuzzy match on an earlier page must not win over it.
    for (const find of ['findPlain', 'findNearly'] as const) {
      for (const source of sources) {
        const found = this.of(source).quoted[find](wanted)
        if (found) return this.cite(source, found)
      }
    }
    this.dropped++
    return null
  }

  /** A place that is known. */
  span(source: Source, { start, end }: { start: number; end: number }): Citation {
    const known = this.of(source)
    known.points ??= [...source.text]
    const last = Math.min(end, start + MAX_QUOTE)
    return this.cite(source, {
      start,
      end: last,
      quote: known.points.slice(start, last).join(''),
      match: 'exact',
      score: 1,
    })
  }

  private of(source: Source) {
    let known = this.texts.get(source)
    if (!known) this.texts.set(source, (known = { quoted: new QuotedText(source.text), spans: null, points: null }))
    return known
  }

  private cite(
    source: Source,
    { start, end, quote, match, score }: NonNullable<ReturnType<QuotedText['find']>>,
  ): Citation {
    const { document_id, page_id, page_number, sha256: page_sha256 } = source
    const index = this.blockAt(source, start)
    const above = source.blocks?.slice(0, index + 1).flatMap((block) => findHeading(block) ?? []) ?? []
    return {
      document_id,
      page_id,
      page_number,
      page_sha256,
      heading_path: above.reduce(openBelow, [...source.headings_before]).map(({ text }) => text),
      start,
      end,
      quote,
      bbox: source.blocks?.[index]?.bbox ?? null,
      match,
      match_score: score,
    } as Citation
  }

  /** The index of the block that a place is in; -1 if it is unknown. */
  private blockAt(source: Source, start: number): number {
    if (!source.blocks) return -1
    const known = this.of(source)
    if (!known.spans) {
      const { text, spans } = textFromBlocks(source.blocks)
      known.spans = text === source.text ? spans : []
    }
    // Spans are UTF-16; a page with characters outside the basic plane is looked at through its code points.
    known.points ??= [...source.text]
    const unit = known.points.length === source.text.length ? start : known.points.slice(0, start).join('').length
    return known.spans.findIndex((span) => span !== null && unit >= span.start && unit < span.end)
  }
}
