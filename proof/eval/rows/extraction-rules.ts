// Rules written for the generator's own layouts. They show that the papers contain the expected values and that the
// scoring works; on other layouts they would fail, so they do not measure what is possible without a model.

import { figuresOf } from '../../../server/src/ai/built-in/figures.ts'
import type { ExtractionExtract } from './extraction.ts'

const DATE = /^\d{4}-\d\d-\d\d$/
const MARKS: readonly (readonly [RegExp, string])[] = [
  [/€|EUR/, 'EUR'],
  [/£|GBP/, 'GBP'],
  [/\$|USD/, 'USD'],
  [/CHF|Fr\./, 'CHF'],
]
const NUMBER = /\b(?:INV-\d{4}-\d{4}|[A-Z]{1,2}-\d{4,6}|R\d\d\/\d{3}|\d{6})\b/
const ITEM = /^(.{3,30}?)\s{2,}(\d+)\s{2,}(\S+)\s{2,}\S+$/gm
const SUBJECT = /^(?:Subject|Re|Betreff|Betr\.): (.+)$/m

const amountOf = (written: string): number => Number([...figuresOf(written).figures][0])

/** The first line is who sends it, the first date is its date and the latest its deadline, the largest amount is the total. */
export const extractByRules: ExtractionExtract = async ({ pages }) => {
  const text = pages.join('\n')
  const dates = [...figuresOf(text).figures].filter((figure) => DATE.test(figure))
  const last = dates.length > 1 ? (dates.toSorted().at(-1) ?? null) : null
  const lines = text.split('\n')
  const recipient = /(?:Dear|Guten Tag) ([^,\n]+),/.exec(text)?.[1] ?? /^(?:To|An): (.+)$/m.exec(text)?.[1] ?? null
  const amounts = (text.match(/\d[\d.,]*[.,]\d\d\b/g) ?? []).map(amountOf).filter(Number.isFinite)
  if (/invoice|rechnung/i.test(text)) {
    return {
      vendor: lines[0]?.split(' · ')[0] ?? null,
      number: NUMBER.exec(text)?.[0] ?? null,
      date: dates[0] ?? null,
      due_date: last,
      currency: MARKS.find(([mark]) => mark.test(text))?.[1] ?? null,
      total: amounts.length ? Math.max(...amounts) : null,
      line_items: [...text.matchAll(ITEM)].map(([, description, quantity, price]) => ({
        description,
        quantity: Number(quantity),
        unit_price: amountOf(price as string),
      })),
    }
  }
  const sender = /^(?:From|Von): ([^,\n]+)/m.exec(text)?.[1] ?? lines.at(-1)?.replace(/ \(.*|^.*, /g, '') ?? null
  return { sender, recipient, date: dates[0] ?? null, subject: SUBJECT.exec(text)?.[1] ?? null, deadline: last }
}
