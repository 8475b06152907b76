// Content negotiation for texts: `format` and `Accept`.

import { Failure } from '../../lib/failure.ts'
import type { TextFormat } from '../../lib/streamed-text.ts'

export const TEXT_TYPES: Record<TextFormat, string> = { markdown: 'text/markdown', text: 'text/plain' }

/** `format` wins if `Accept` allows it. Without it the type with the higher weight wins, and Markdown if they are equal. */
export function selectTextFormat(accept: string | undefined, format: unknown): TextFormat {
  const weights = { markdown: weightOf(accept, 'text/markdown'), text: weightOf(accept, 'text/plain') }
  const preferred = weights.text > weights.markdown ? 'text' : 'markdown'
  const selected = format === 'markdown' || format === 'text' ? format : preferred
  if (weights[selected] > 0) return selected
  const types = format === undefined ? "'text/markdown' or 'text/plain'" : `'${TEXT_TYPES[selected]}'`
  throw new Failure('not_acceptable', `This request returns ${types}. Change the Accept header or omit it.`)
}

/** The weight of the most specific range that covers the type (RFC 9110, 12.5.1). */
function weightOf(accept: string | undefined, type: string): number {
  if (accept === undefined || accept.trim() === '') return 1
  const ranges = accept.split(',').map((range) => range.split(';').map((part) => part.trim().toLowerCase()))
  for (const range of [type, 'text/*', '*/*']) {
    const found = ranges.find(([name]) => name === range)
    if (!found) continue
    const weight = Number(found.find((part) => part.startsWith('q='))?.slice(2) ?? 1)
    return Number.isFinite(weight) ? weight : 0
  }
  return 0
}
