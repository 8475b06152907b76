// Generated forms: labels with values as lines, as a table of four columns, or run together, four forms at a time. Half of the
// questions ask for a label that the named form does not have, though another may.

import type { Block } from '@octavo/contract'
import { textFromBlocks, textOfTable } from '../../../base/src/blocks.ts'
import type { Passage } from '../../../server/src/ai/built-in/answer-candidates.ts'
import { randomOf } from '../measures.ts'
import { type Pool, ranked } from './pool.ts'

type Random = () => number
const pick = <T>(random: Random, values: readonly T[]): T => values[Math.floor(random() * values.length)]!
const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, () => 1 + Math.floor(random() * 9)).join('')

const VALUES = {
  code: (random: Random) => `${pick(random, ['AB-', 'PX-', 'K-', 'INV-', 'REF-', ''])}${digits(random, 5)}`,
  money: (random: Random) =>
    `${pick(random, ['$', '€ ', 'CHF ', ''])}${(12 + random() * 9_000).toFixed(2).replace(/(\d)(\d{3}\.)/, '$1,$2')}`,
  date: (random: Random) =>
    pick(random, [
      `2024-0${digits(random, 1)}-1${digits(random, 1)}`,
      `March ${digits(random, 1)}, 2023`,
      `1${digits(random, 1)}.04.2022`,
    ]),
  person: (random: Random) =>
    `${pick(random, ['Ada', 'Tom', 'Lucia', 'Peter', 'Mary', 'Chen', 'Omar', 'Ines'])} ${pick(random, ['Miller', 'Rossi', 'Weber', 'Lopez', 'Kim', 'Okafor', 'Brandt'])}`,
  number: (random: Random) => digits(random, 2),
  place: (random: Random) => pick(random, ['Boston', 'Leeds', 'Basel', 'Porto', 'Lyon', 'Austin']),
}
type Kind = keyof typeof VALUES
const LABELS: Record<Kind, string> = {
  code: 'claim number,policy number,invoice number,order number,account number,customer ID,patient ID,VIN,serial number,tax ID,contract number,reference number,tracking number,license plate',
  money:
    'total,subtotal,grand total,net amount,gross amount,tax amount,balance due,deductible,premium,deposit,shipping cost,unit price,monthly rent,hourly rate,discount,late fee,salary',
  date: 'due date,delivery date,start date,end date,date of birth,issue date,expiry date,booking date,admission date',
  person:
    'primary contact,account manager,cashier,insured name,physician,tenant,landlord,inspector,sales representative',
  number: 'quantity,number of guests,number of nights,mileage,weight,page count,seats',
  place: 'location,region,port of loading,branch,place of delivery',
}
const ALL = Object.entries(LABELS).flatMap(([kind, labels]) =>
  labels.split(',').map((label) => ({ label, kind: kind as Kind })),
)
const FORM_KINDS = ['invoice', 'order', 'estimate', 'booking', 'report', 'contract', 'receipt', 'bill', 'form']
const FIELDS = 9
const FORMS = 4

interface Form {
  name: string
  kind: string
  fields: Map<string, string>
  passage: Passage
}

export function formPools(count: number): Pool[] {
  const random = randomOf(7)
  return Array.from({ length: count }, (_, n): Pool => {
    const forms = Array.from({ length: FORMS }, () => formOf(random))
    const [own] = forms as [Form]
    const is_answerable = n % 2 === 0
    const asked = pick(
      random,
      ALL.filter(({ label }) => own.fields.has(label) === is_answerable),
    )
    const about = random() < 0.6 ? `the ${own.name} ${own.kind}` : own.name
    const question =
      asked.kind === 'person'
        ? `Who is the ${asked.label} ${pick(random, ['of', 'for', 'on'])} ${about}?`
        : `What ${pick(random, ['is', 'was'])} the ${asked.label} ${pick(random, ['of', 'for', 'on'])} ${about}?`
    const answers = [own.fields.get(asked.label) ?? ''].filter(Boolean)
    const passages = ranked(
      question,
      'en',
      forms.map(({ passage }) => passage),
    )
    return { set: 'forms', group: `forms-${n}`, question, language: 'en', answers, is_answerable, passages }
  })
}

function formOf(random: Random): Form {
  const name = `${pick(random, ['Harbor', 'Pine', 'Zenith', 'Oak', 'Silver', 'Nova', 'Delta', 'Maple', 'Iron', 'Blue'])}${pick(random, ['crest', 'line', 'works', 'field', 'gate', 'stone'])} ${pick(random, ['Motors', 'Clinic', 'Hotel', 'Foods', 'Logistics', 'Studio', 'Insurance'])}`
  const kind = pick(random, FORM_KINDS)
  const fields = new Map<string, string>()
  while (fields.size < FIELDS) {
    const one = pick(random, ALL)
    fields.set(one.label, VALUES[one.kind](random))
  }
  const closing = pick(random, ['Thank you for your business.', 'All prices include tax.', 'Please keep this copy.'])
  const blocks: Block[] = [
    { type: 'heading', text: random() < 0.5 ? name.toUpperCase() : name },
    { type: 'paragraph', text: `${kind[0]!.toUpperCase()}${kind.slice(1)}. ${closing}` },
    blockOf(
      random,
      [...fields].map(([label, value]) => [writtenLabel(random, label), value] as const),
    ),
  ]
  const { text } = textFromBlocks(blocks)
  const page = { text, language: 'en', blocks }
  return { name, kind, fields, passage: { text, start: 0, title: 'scan.pdf', headings: [name], document: text, page } }
}

function writtenLabel(random: Random, label: string): string {
  const text = random() < 0.3 ? label.toUpperCase() : label[0]!.toUpperCase() + label.slice(1)
  return text
    .replace(/ number$/i, random() < 0.4 ? ' #' : ' Number')
    .replace(/ amount$/i, random() < 0.3 ? '' : ' Amount')
}

function blockOf(random: Random, fields: readonly (readonly [string, string])[]): Block {
  const style = random()
  if (style < 0.4) return { type: 'paragraph', text: fields.map(([label, value]) => `${label}: ${value}`).join('\n') }
  if (style >= 0.8) return { type: 'paragraph', text: fields.map(([label, value]) => `${label} ${value}`).join(' ') }
  const colon = random() < 0.5 ? ':' : ''
  const cells = fields.flatMap(([label, value], i) => {
    const place = { row: 1 + Math.floor(i / 2), row_span: 1, column_span: 1 }
    const column = 1 + 2 * (i % 2)
    return [
      { ...place, column, text: `${label}${colon}` },
      { ...place, column: column + 1, text: value },
    ]
  })
  const table = { rows: Math.ceil(fields.length / 2), columns: 4, cells }
  return { type: 'table', text: textOfTable(table), table }
}
