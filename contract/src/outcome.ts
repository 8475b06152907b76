// Shared fields of all outcomes: status, model, cost and citations.

import { type Static, type TProperties, Type } from 'typebox'
import type { Prefix } from './ids.ts'
import { JobError, jobStatuses } from './job-words.ts'
import {
  AnyOf,
  Count,
  changeFilters,
  IdOf,
  MAX_INTEGER,
  Metadata,
  MetadataPatch,
  Nullable,
  NullableRef,
  OneOf,
  OpenEnum,
  Resource,
  Text,
  WithDefault,
} from './schema.ts'

/** Texts that come with a request instead of a document. */
export const MAX_INLINE_CHARACTERS = 200_000
export const MAX_CITED_DOCUMENTS = 250

export const Share = (options: object = {}) => Type.Number({ minimum: 0, maximum: 1, ...options })
export const Confidence = Share({ description: '0 to 1.' })

export const Citation = Type.Object(
  {
    document_id: Nullable(IdOf('doc', { description: 'Null if the source is the text of the request.' })),
    page_id: Nullable(IdOf('page')),
    page_number: Nullable(Type.Integer({ minimum: 1, maximum: MAX_INTEGER })),
    page_sha256: Text(0, 64, {
      description: 'Hash of the cited text. If the page now has a different hash, it has been corrected since.',
    }),
    heading_path: Type.Optional(
      Type.Array(Text(0, 300), {
        maxItems: 9,
        description: 'Headings above the quote, outermost first. Absent in results from before this field existed.',
      }),
    ),
    start: Count({ description: 'Start of the quote in the text of the page, in Unicode code points.' }),
    end: Count({ description: 'End in the text of the page, in Unicode code points.' }),
    quote: Text(0, 4_000, { description: 'The exact quoted text.' }),
    bbox: Nullable(
      Type.Array(Type.Number(), {
        minItems: 4,
        maxItems: 4,
        description: 'Position of its block on the page: x0, y0, x1, y1 from 0 to 1; null if unknown.',
      }),
    ),
    match: OpenEnum(['exact', 'folded', 'fuzzy'], {
      description: 'How the quote matches the page: exactly, ignoring case and white space, or approximately.',
    }),
    match_score: Share({ description: 'Similarity of a `fuzzy` match; otherwise 1.' }),
  },
  {
    title: 'Citation',
    description: 'A verified position in a page: its text at these offsets is the quote.',
  },
)
export type Citation = Static<typeof Citation>
export const Citations = Type.Array(Citation, { maxItems: 100 })

export const CitedSentence = Type.Object(
  {
    text: Text(0, 10_000),
    citations: Type.Array(Citation, {
      maxItems: 100,
      description: 'Empty if no page supports it.',
    }),
  },
  { title: 'CitedSentence', description: 'A sentence and its sources.' },
)
export type CitedSentence = Static<typeof CitedSentence>

const OutcomeModel = Type.Object(
  {
    id: Text(0, 100),
    provider: Text(0, 100),
    locality: OpenEnum(['local', 'remote'], { description: '`remote` means that the text left this installation.' }),
    version: Text(0, 100),
  },
  { title: 'OutcomeModel', description: 'The model that produced it.' },
)
export type OutcomeModel = Static<typeof OutcomeModel>
export const OutcomeUsage = Type.Object(
  {
    pages: Count(),
    input_tokens: Count(),
    output_tokens: Count(),
    cost_micros: Count({ description: "Cost in millionths of the operator's currency, at the operator's prices." }),
    compute_ms: Count(),
  },
  { title: 'OutcomeUsage', description: 'Resources used. A cached result costs nothing.' },
)
export type OutcomeUsage = Static<typeof OutcomeUsage>

export const outcomeMethods = ['extractive', 'embedding', 'generative', 'rules', 'keyword', 'hybrid'] as const
export const cacheStates = ['hit', 'miss', 'bypass'] as const

const standing = {
  status: OpenEnum(jobStatuses, { title: 'OutcomeStatus' }),
  is_terminal: Type.Boolean({ description: 'True if it has ended and will not change by itself.' }),
  job_id: Nullable(
    IdOf('job', { description: 'The job that produces it; null if it was produced within the request.' }),
  ),
  project_id: Nullable(IdOf('proj', { description: 'The project that controls who can see it.' })),
  fingerprint: Nullable(
    Text(0, 64, {
      description:
        'Hash of the text, the model and its version, the parameters and the prompt. Requests with equal fingerprints get the same result.',
    }),
  ),
  cache: OpenEnum(cacheStates, {
    description: '`hit`: an earlier result with the same fingerprint was returned. `bypass`: the cache was not used.',
  }),
  method: Nullable(OpenEnum(outcomeMethods, { description: 'How the result was produced.' })),
  model: NullableRef(OutcomeModel),
  usage: NullableRef(OutcomeUsage),
  warnings: Type.Array(Text(0, 1000), {
    maxItems: 100,
    description: 'Anything that was skipped, dropped or done differently.',
  }),
  error: NullableRef(JobError),
}

/** Events of an outcome that a job makes. */
export const outcomeEvents = [
  'created',
  'updated',
  'succeeded',
  'partially_succeeded',
  'failed',
  'cancelled',
  'deleted',
] as const

/** Members of every outcome. `document_id` is a column that only some kinds show. */
export type OutcomeMember =
  | keyof typeof standing
  | 'id'
  | 'object'
  | 'metadata'
  | 'created_at'
  | 'updated_at'
  | 'document_id'

/** A resource that a model produces. Its own fields are null or empty until it has succeeded. */
export function Outcome<const O extends string, const P extends Prefix, T extends TProperties>(
  name: { title: string; object: O; prefix: P; description: string },
  members: T,
) {
  return Resource(name, { ...standing, ...members })
}

export const ModelName = Text(1, 100, {
  description: "The id of a model from `GET /models`; default: the tenant's default model.",
})
export const TimeoutSeconds = Type.Integer({
  minimum: 10,
  maximum: 86_400,
  description: 'Maximum running time; default 600.',
})
/** Members of every request for an outcome. */
export const asked = {
  model: Type.Optional(ModelName),
  cache: WithDefault(
    OneOf(['use', 'bypass'], {
      title: 'CacheUse',
      description: '`use` (default) returns an earlier result with the same fingerprint. `bypass` computes a new one.',
    }),
    'use',
  ),
  timeout_seconds: WithDefault(TimeoutSeconds, 600),
  metadata: Type.Optional(Metadata),
}
/** For outcomes of texts that belong to no document. */
export const ProjectOfText = Type.Optional(
  Nullable(
    IdOf('proj', {
      description:
        "For a result from a text: the project that controls who can see it. A result from a document uses the document's project.",
    }),
  ),
)
export const DocumentIds = Type.Array(IdOf('doc'), { minItems: 1, maxItems: MAX_CITED_DOCUMENTS, uniqueItems: true })

export const OutcomePatch = Type.Object({ metadata: Type.Optional(MetadataPatch) }, { title: 'OutcomePatch' })
export type OutcomePatch = Static<typeof OutcomePatch>

/** Filters of every list of outcomes. */
export const outcomeFilters = { status: Type.Optional(AnyOf(OneOf(jobStatuses))), ...changeFilters }

export const OUTCOME_WAITS = { member: 'is_terminal', while: [false], job: 'job_id' } as const
