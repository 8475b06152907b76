import type { Analysis, NewAnalysis } from '@octavo/sdk'
import { z } from 'zod'
import { citedPages, citedText, pageLinks, readTitles, type Titles } from '../citations.ts'
import { documentId, model } from '../inputs.ts'
import { refuseFailed, waitOptions } from '../outcomes.ts'
import type { Tool } from '../tool.ts'

const features = ['entities', 'pii', 'key_phrases'] as const

const input = z.object({
  document_id: documentId,
  schema: z
    .record(z.string(), z.unknown())
    .meta({ additionalProperties: true })
    .optional()
    .describe('JSON Schema of an object with the values to extract. Needs a generative model on the server'),
  instructions: z.string().optional().describe('Instructions in addition to the schema'),
  features: z
    .array(z.enum(features))
    .min(1)
    .optional()
    .describe('Without a schema: what to extract. Default: all. Entities are dates, times, amounts and percentages'),
  first_page: z.int().min(1).optional(),
  last_page: z.int().min(1).optional(),
  model,
})

export const extract: Tool<typeof input> = {
  name: 'extract',
  title: 'Extract values',
  description:
    'Extracts values from a document: those in a JSON Schema, or dates, amounts, personal data and key phrases. Each value has its confidence and the quotes and pages that support it.',
  input,
  is_write: false,
  async run(call, { document_id, ...options }) {
    const { client, signal } = call
    const analysis = await client.analysis.createAndWait(document_id, analysisRequest(options), waitOptions(call))
    refuseFailed(analysis)
    const titles = await readTitles(client, [document_id], signal)
    return {
      data: { analysis_id: analysis.id, ...extractedValues(analysis, titles), warnings: analysis.warnings },
      more: pageLinks(citedPages(extractedItems(analysis)), titles),
    }
  },
}

function analysisRequest(options: Omit<z.output<typeof input>, 'document_id'>): NewAnalysis {
  const { schema, instructions, model, first_page, last_page } = options
  const range = { first: first_page ?? 1, last: last_page ?? Number.MAX_SAFE_INTEGER }
  const hasRange = first_page !== undefined || last_page !== undefined
  return {
    features: schema ? ['extraction'] : (options.features ?? [...features]),
    schema,
    instructions,
    model,
    ...(hasRange && { page_range: range }),
  }
}

const extractedItems = ({ extraction, entities, pii, key_phrases }: Analysis) => [
  ...(extraction?.fields ?? []),
  ...(entities ?? []),
  ...(pii ?? []),
  ...(key_phrases ?? []),
]

function extractedValues({ extraction, entities, pii, key_phrases }: Analysis, titles: Titles) {
  const found = (items: typeof entities | typeof pii | typeof key_phrases) =>
    items?.map((item) => ({ ...item, ...citedText(item, titles) })) ?? undefined
  return {
    ...(extraction && {
      values: extraction.data,
      fields: extraction.fields.map(({ path, value, confidence, citations }) => ({
        path,
        value,
        confidence,
        citations: citedText({ text: '', citations }, titles).citations,
      })),
    }),
    entities: found(entities),
    pii: found(pii),
    key_phrases: found(key_phrases),
  }
}
