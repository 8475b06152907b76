// Evidence for an extracted value: a quote from the pages that contains the value, the value itself on a page, or none.

import { setImmediate as breathe } from 'node:timers/promises'
import { firstOf } from '@octavo/base/required.ts'
import type { Citation } from '@octavo/contract'
import { figuresOf } from '../../ai/built-in/figures.ts'
import { positionsOf } from '../../ai/built-in/positions.ts'
import type { CitationResolver, Source } from '../../outcomes/outcomes.citations.ts'
import type { Part } from '../../outcomes/outcomes.parts.ts'
import { QuotedText } from '../../text/quotes.ts'
import { type ExtractionValue, type Leaf, pointerOf } from './analysis.fields.rules.ts'
import type { ExtractedFields } from './analysis.prompt.ts'
import { dateOf, findForm, formsOf } from './analysis.values.rules.ts'

/** How far each kind of support is to be trusted. The order matters, and that the last is low. */
const TRUST = { quoted: 0.95, found: 0.8, found_short: 0.5, derived: 0.5, absent: 0.5, nothing: 0.2 } as const
/** Shorter values occur on most pages by chance. */
const DISTINCTIVE_UNITS = 4
const MAX_CITATIONS = 10
type Support = Omit<Leaf, 'kind' | 'value'>

/**
 * Evidence for the values that a model extracted from one part. Quotes that the part does not contain are dropped, and
 * counted by `cite`.
 */
export async function supportOf(
  part: Part,
  { data, evidence }: ExtractedFields,
  cite: CitationResolver,
): Promise<(value: ExtractionValue, path: string) => Support> {
  const quoted = new Map<string, Citation[]>()
  for (const { path, quote } of evidence) {
    // Searching for a long quote that is not in the text takes long.
    await breathe()
    const citation = cite.quote(quote, part.sources)
    if (!citation) continue
    const pointer = valuePath(path, data)
    quoted.set(pointer, [...(quoted.get(pointer) ?? []), citation].slice(0, MAX_CITATIONS))
  }
  return (value, path) => {
    if (value === null) return { confidence: TRUST.absent, citations: [] }
    const own = quoted.get(path) ?? []
    const around = own.length > 0 ? own : above(path).flatMap((pointer) => quoted.get(pointer) ?? [])
    const having = around.filter(({ quote }) => holds(quote, value))
    if (having.length > 0) return { confidence: TRUST.quoted * firstOf(having).match_score, citations: having }
    const found = findOnPages(value, part.sources)
    if (found)
      return {
        confidence: found.is_short ? TRUST.found_short : TRUST.found,
        citations: [cite.span(found.source, found)],
      }
    // A number or a date that is not in the text cannot be derived from a quote.
    const isDerived = own.length > 0 && typeof value !== 'number' && dateOf(value) === null
    return isDerived ? { confidence: TRUST.derived, citations: own } : { confidence: TRUST.nothing, citations: [] }
  }
}

/** Some models count the wrapper into the path. */
function valuePath(written: string, data: unknown): string {
  const pointer = pointerOf(written)
  const isWrapped =
    (pointer === '/data' || pointer.startsWith('/data/')) && !Object.hasOwn(Object(data) as object, 'data')
  return isWrapped ? pointer.slice('/data'.length) : pointer
}

/** `/items/0/price` → `/items/0`, `/items`. */
function above(path: string): string[] {
  const places: string[] = []
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) places.push(path.slice(0, at))
  return places
}

function holds(quote: string, value: ExtractionValue): boolean {
  if (typeof value === 'boolean') return false
  if (formsOf(value).some((form) => findForm(quote, form) !== null)) return true
  const figure = typeof value === 'number' ? String(Math.abs(value)) : dateOf(value)
  if (figure !== null) return figuresOf(quote).figures.has(figure)
  return typeof value === 'string' && new QuotedText(quote).find(value)?.match === 'fuzzy'
}

function findOnPages(
  value: ExtractionValue,
  sources: readonly Source[],
): { source: Source; start: number; end: number; is_short: boolean } | null {
  for (const form of formsOf(value))
    for (const source of sources) {
      // Avoids the slow search for a figure that does not occur at all.
      if (/^\d[\d.,/-]*$/.test(form) && !source.text.includes(form)) continue
      const place = findForm(source.text, form)
      if (!place) continue
      const toPoint = positionsOf(source.text)
      return { source, start: toPoint(place.start), end: toPoint(place.end), is_short: form.length < DISTINCTIVE_UNITS }
    }
  return null
}
