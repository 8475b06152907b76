// The model requests: every kind of outcome that a generative model can produce.

import { api, type Endpoint } from '@octavo/contract'

const LEASE = [
  'The lease of the house in Elm Street begins on the first of March 2026. The tenant is Ada Byron and the landlord is the City of Lyndon.',
  'Rent is 1,200 a month. It is due on the third day of each month, in advance and without deduction. Late rent bears interest of five percent.',
  'The landlord keeps the roof, the walls and the heating in repair. The tenant keeps the garden. Nobody may keep a horse in the kitchen.',
  'Either side may end the lease with three months of notice. On its last day the tenant gives back all keys and leaves the house clean.',
]
const TEXT = LEASE.join(' ')
const INVOICE = `Invoice 2026-117. From: Lyndon Roofing, 4 Quay Street. To: Ada Byron.
Repair of the roof, 3 hours. Total due: 450.00 EUR by 30 April 2026.`
/** Several questions, for a model with little room. */
const LONG_PAGES = Array.from({ length: 8 }, (_, i) => `Section ${i + 1}. ${TEXT} ${TEXT}`)

const INVOICE_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['invoice_number', 'total', 'currency'],
  properties: {
    invoice_number: { type: 'string' },
    total: { type: 'number' },
    currency: { type: 'string', enum: ['EUR', 'USD', 'GBP'] },
    due_date: { type: ['string', 'null'] },
  },
}
const LABELS = [
  { name: 'billing', description: 'Invoices and payments' },
  { name: 'repairs', description: 'Something is broken' },
]

export interface Case {
  name: string
  endpoint: Endpoint
  /** Below /api/v1; `{document}` is the id of the document. */
  path: string
  body: Record<string, unknown>
  /** Pages of the source document. */
  pages?: readonly string[]
  /** Extraction schema. */
  schema?: object
  is_streamed?: boolean
  /** Sent to the endpoint that corrupts answers: it must fail with an error. */
  is_spoiled?: boolean
}

const { summaries, classifications, analysis, answers } = api
const summary = (name: string, body: object, more: Partial<Case> = {}): Case => ({
  name,
  endpoint: summaries.create,
  path: '/summaries',
  body: { length: 'short', ...body },
  ...more,
})
const ofPages = { document_ids: ['{document}'] }
const extraction = (more: Partial<Case> = {}): Case => ({
  name: 'extraction',
  endpoint: analysis.create,
  path: '/documents/{document}/analysis',
  body: { features: ['extraction'], schema: INVOICE_SCHEMA },
  pages: [INVOICE],
  schema: INVOICE_SCHEMA,
  ...more,
})
const answer = (name: string, more: Partial<Case> = {}): Case => ({
  name,
  endpoint: answers.create,
  path: '/answers',
  body: { question: 'When is the rent due?', ...ofPages },
  pages: LEASE,
  ...more,
})

const few: readonly Case[] = [
  summary('headline', { text: TEXT, style: 'headline' }),
  {
    name: 'classification',
    endpoint: classifications.create,
    path: '/classifications',
    body: { text: 'Please send the invoice again, the last one was wrong.', labels: LABELS },
  },
  extraction(),
  answer('answer, streamed', { is_streamed: true }),
]
const spoiled: readonly Case[] = [
  summary('spoiled headline', { text: TEXT, style: 'headline' }, { is_spoiled: true }),
  extraction({ name: 'spoiled extraction', is_spoiled: true }),
]
const more: readonly Case[] = [
  summary('abstract', { text: TEXT, style: 'abstract' }),
  summary('bullets', { text: TEXT, style: 'bullets' }),
  summary('long document', { ...ofPages, style: 'abstract' }, { pages: LONG_PAGES }),
  {
    name: 'classification, several labels',
    endpoint: classifications.create,
    path: '/classifications',
    body: { document_id: '{document}', labels: LABELS, multi_label: true },
    pages: LEASE,
  },
  extraction({ name: 'extraction from many pages', pages: [...LONG_PAGES.slice(0, 3), INVOICE] }),
  answer('answer'),
  answer('answer that is not there', { body: { question: 'Who painted the ceiling of the chapel?', ...ofPages } }),
]

/** A planted fault must show itself where answers are spoiled, or in the ledger of the first. */
export const casesOf = (length: 'short' | 'normal' | 'long', fault: string | null): readonly Case[] =>
  fault !== null ? [...spoiled, few[0]!] : length === 'short' ? [...few, ...spoiled] : [...few, ...more, ...spoiled]
