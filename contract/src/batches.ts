// Batches: one operation over many inputs. jobs.ts has what all jobs share.

import { type Static, type TSchema, Type } from 'typebox'
import { analysis, NewAnalysis } from './analysis.ts'
import { classifications, NewClassification } from './classifications.ts'
import { documents, NewDocument } from './documents.ts'
import { embeddings, NewEmbedding } from './embeddings.ts'
import { priorities } from './job-words.ts'
import { namesOf } from './names.ts'
import { IdOf, Metadata, OneOf, WithDefault } from './schema.ts'
import type { Scope } from './scopes.ts'
import { NewSummary, summaries } from './summaries.ts'

export const MAX_BATCH_INPUTS = 1_000

export const JobPriority = OneOf(priorities, {
  title: 'JobPriority',
  description: "Priority among the tenant's jobs; default `normal`.",
})

function batchOf<const T extends string, I extends TSchema>(
  type: T,
  title: string,
  { input, description }: { input: I; description: string },
) {
  return Type.Object(
    {
      type: Type.Unsafe<T>({ type: 'string', const: type }),
      inputs: Type.Array(input, {
        minItems: 1,
        maxItems: MAX_BATCH_INPUTS,
        description: 'Request bodies, as you would POST them to that resource.',
      }),
      priority: WithDefault(JobPriority, 'normal'),
      timeout_seconds: WithDefault(
        Type.Integer({
          minimum: 10,
          maximum: 86_400,
          description: 'Maximum running time of the batch itself, without its items; default 600.',
        }),
        600,
      ),
      metadata: Type.Optional(Metadata),
    },
    { title, description },
  )
}

const NewAnalysisOfDocument = Type.Object(
  { document_id: IdOf('doc'), ...NewAnalysis.properties },
  { title: 'NewAnalysisOfDocument', description: 'The request body of the POST and the document in its path.' },
)
export type NewAnalysisOfDocument = Static<typeof NewAnalysisOfDocument>

const DocumentsBatch = batchOf('documents', 'NewDocumentsBatch', {
  input: NewDocument,
  description: 'Creates documents.',
})
const AnalysisBatch = batchOf('analysis', 'NewAnalysisBatch', {
  input: NewAnalysisOfDocument,
  description: 'Analyzes documents.',
})
const SummariesBatch = batchOf('summaries', 'NewSummariesBatch', {
  input: NewSummary,
  description: 'Summarizes documents or texts.',
})
const ClassificationsBatch = batchOf('classifications', 'NewClassificationsBatch', {
  input: NewClassification,
  description: 'Classifies documents or texts.',
})
const EmbeddingsBatch = batchOf('embeddings', 'NewEmbeddingsBatch', {
  input: NewEmbedding,
  description: 'Embeds texts or documents.',
})

export type NewDocumentsBatch = Static<typeof DocumentsBatch>
type AnyBatch =
  | NewDocumentsBatch
  | Static<typeof AnalysisBatch>
  | Static<typeof SummariesBatch>
  | Static<typeof ClassificationsBatch>
  | Static<typeof EmbeddingsBatch>
/** `type` chooses the schema of the inputs, so that an error names its place: `inputs[3].labels`. */
export const NewJob = Type.Unsafe<AnyBatch>({
  title: 'NewJob',
  description: 'A batch: one operation, given by `type`, over many inputs.',
  type: 'object',
  discriminator: { propertyName: 'type' },
  required: ['type', 'inputs'],
  oneOf: [DocumentsBatch, AnalysisBatch, SummariesBatch, ClassificationsBatch, EmbeddingsBatch],
})
export type NewJob = AnyBatch
export type BatchType = NewJob['type']

const operations = {
  documents: documents.create,
  analysis: analysis.create,
  summaries: summaries.create,
  classifications: classifications.create,
  embeddings: embeddings.create,
} as const
export const batchTypes = namesOf(operations)

/** Scopes in addition to `jobs:write`: those of a single POST of this operation. */
export function scopesOfBatch(type: BatchType): Scope[] {
  const { scope, also_needs } = operations[type]
  return [...(scope === null ? [] : [scope]), ...also_needs]
}
