import { findPii, type PiiType } from '../../../server/src/ai/built-in/pii.ts'
import { readData } from '../data.ts'
import { halvesOf, standardErrorOf } from '../measures.ts'
import type { EvalRow } from '../row.ts'

const TYPES: { name: string; type: PiiType; recall: number; precision: number }[] = [
  { name: 'EMAIL_ADDRESS', type: 'email', recall: 1, precision: 1 },
  { name: 'CREDIT_CARD', type: 'credit_card', recall: 1, precision: 0.99 },
  { name: 'IBAN_CODE', type: 'iban', recall: 0.95, precision: 1 },
  { name: 'US_SSN', type: 'us_ssn', recall: 1, precision: 1 },
  { name: 'IP_ADDRESS', type: 'ip_address', recall: 1, precision: 0.88 },
  { name: 'PHONE_NUMBER', type: 'phone_number', recall: 0.82, precision: 0.54 },
]

interface PiiItem {
  full_text: string
  spans: { entity_type: string; start_position: number; end_position: number }[]
}
type PiiTally = Record<'right' | 'missed' | 'wrong', number>

export const row: EvalRow = {
  about:
    'Presidio’s synthetic sentences; a match counts if it overlaps the marked span. We tuned the patterns on one half but had seen examples of both, and loosened the card pattern after a first look at the figure of the held-out half (.986).',
  weak: 'The data are generated from templates; telephone numbers in other contexts are harder, because numbers without a country code are recognized by their format and the words around them. The engine does not look for names, addresses or dates of birth.',
  async measure() {
    const { held_out } = halvesOf(JSON.parse(readData('pii.json').toString()) as PiiItem[])
    return TYPES.flatMap(({ name, type, recall, precision }) => {
      const tallies = held_out
        .map((item) => tallyOf(item, name, type))
        .filter(({ right, missed, wrong }) => right + missed + wrong > 0)
      const figure = (what: string, of: (tallies: readonly PiiTally[]) => number, goal: number) => ({
        what: `${what} of ${type}`,
        model: 'rules',
        value: of(tallies),
        standard_error: standardErrorOf(tallies, of),
        items: tallies.length,
        goal,
        baseline: 'packages tried .34–.88 (measured before)',
      })
      return [figure('recall', recallOf, recall), figure('precision', precisionOf, precision)]
    })
  },
}

const sum = (tallies: readonly PiiTally[], key: keyof PiiTally): number =>
  tallies.reduce((total, tally) => total + tally[key], 0)
const recallOf = (tallies: readonly PiiTally[]): number =>
  sum(tallies, 'right') / Math.max(1, sum(tallies, 'right') + sum(tallies, 'missed'))
const precisionOf = (tallies: readonly PiiTally[]): number =>
  sum(tallies, 'right') / Math.max(1, sum(tallies, 'right') + sum(tallies, 'wrong'))

function tallyOf({ full_text, spans }: PiiItem, name: string, type: PiiType): PiiTally {
  const found = findPii(full_text).filter((match) => match.type === type)
  const wanted = spans.filter((span) => span.entity_type === name)
  const overlap = (a: { start: number; end: number }, b: PiiItem['spans'][number]) =>
    a.start < b.end_position && b.start_position < a.end
  const right = wanted.filter((span) => found.some((match) => overlap(match, span))).length
  return {
    right,
    missed: wanted.length - right,
    wrong: found.filter((match) => !wanted.some((span) => overlap(match, span))).length,
  }
}
