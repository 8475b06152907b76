// Outcomes among the writes: made within the request, by a job of ours, or by a job that asks a model.

import { startProvider } from '../../server/src/testing/provider.ts'
import { writeCatalogue } from '../lib/catalogue.ts'
import type { OutcomeKind, Write } from './ledger.ts'

const WRITER = 'writer'
const EMBEDDER = 'embedder'
const DIMENSIONS = 16
/** Long enough that a kill falls into it now and then. */
const ANSWER_MS = 150

/** How often each kind is chosen, beside the other writes. */
export const outcomeMix: Readonly<Record<OutcomeKind, number>> = {
  extract: 3,
  summary: 5,
  classification: 3,
  search: 4,
  analysis: 3,
}

const outcomePaths: Readonly<Record<OutcomeKind, string>> = {
  extract: '/summaries',
  summary: '/summaries',
  classification: '/classifications',
  search: '/searches',
  analysis: '/documents',
}

const LABELS = [
  { name: 'leases', description: 'Houses and workshops that are let' },
  { name: 'recipes', description: 'How to cook' },
]
const leaseText = (marker: string): string =>
  `${marker} is a lease. The rent is 900 a month. It is due on the third day.`

export function newOutcome(kind: OutcomeKind, marker: string, document_id: string | null): Write {
  const told = { metadata: { marker } }
  const bodies: Record<OutcomeKind, Record<string, unknown>> = {
    extract: { text: leaseText(marker), style: 'extractive', length: 'short' },
    summary: { text: leaseText(marker), style: 'abstract', length: 'short', model: WRITER },
    classification: { text: leaseText(marker), labels: LABELS, model: WRITER },
    search: { query: `${marker} page`, limit: 5 },
    analysis: { features: ['language', 'statistics'], cache: 'bypass' },
  }
  const path = document_id === null ? outcomePaths[kind] : `/documents/${document_id}/analysis`
  const of = document_id === null ? {} : { document_id }
  return { kind, method: 'POST', path, body: { ...bodies[kind], ...told }, marker, subject: null, ...of }
}

interface CrashModels {
  env: Record<string, string>
  close(): Promise<void>
}

/** A server of models that is never in trouble: whatever fails is our own fault. */
export async function openModels(): Promise<CrashModels> {
  const [slow, quick] = await Promise.all([
    startProvider({ delay_ms: ANSWER_MS }),
    startProvider({ dimensions: DIMENSIONS }),
  ])
  const entries = [
    { model: WRITER, base_url: slow.url, price: { input: 1_000_000, output: 2_000_000 } },
    { model: EMBEDDER, base_url: quick.url, dimensions: DIMENSIONS },
  ]
  const catalogue = writeCatalogue(entries, { generator: WRITER, embedder: EMBEDDER })
  return {
    env: { MODELS_FILE: catalogue.path, OCTAVO_MODELS_DIR: '', CHAT_BASE_URL: '', CHAT_MODEL: '' },
    close: async () => void (await Promise.all([slow.close(), quick.close(), catalogue.remove()])),
  }
}
