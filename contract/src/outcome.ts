// What all outcomes share: how they stand, what made them, what it cost, and where their words come from.

import { type Static, type TProperties, Type } from 'typebox'
import type { Prefix } from './ids.ts'
import { JobError, jobStatuses } from './job-words.ts'
import {
  Count,
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
} from './schema.ts'

/** Texts that come with a request instead of a document. */
export const MAX_INLINE_CHARACTERS = 200_000
export const MAX_CITED_DOCUMENTS = 250

export const Share = (options: object = {}) => Type.Number({ minimum: 0, maximum: 1, ...options })
export const Confidence = Share({ description: '0 to 1.' })

export const Citation = Type.Object(
  {
    document_id: Nullable(IdOf('doc', { description: 'null: the text that came with the request.' })),
    page_id: Nullable(IdOf('page')),
    page_number: Nullable(Type.Integer({ minimum: 1, maximum: MAX_INTEGER })),
    page_sha256: Text(0, 64, {
      description: 'Of the text that was cited. The page has another one now: it was corrected since.',
    }),
    start: Count({ description: 'Where the quote begins in the text of the page, in Unicode code points.' }),
    end: Count({ description: 'Where it ends.' }),
    quote: Text(0, 4_000, { description: 'What stands there, to the letter.' }),
    bbox: Nullable(
      Type.Array(Type.Number(), {
        minItems: 4,
        maxItems: 4,
        description: 'The block on the page that it stands in: x0, y0, x1, y1 from 0 to 1; null where nobody knows.',
      }),
    ),
    match: OpenEnum(['exact', 'folded', 'fuzzy'], {
      description: 'How the quote was found: to the letter, without regard to case and white space, or nearly.',
    }),
    match_score: Share({ description: '1, or how near a `fuzzy` match is.' }),
  },
  {
    title: 'Citation',
    description: 'A place in a page that the server has looked up: its text at these offsets is the quote.',
  },
)
export type Citation = Static<typeof Citation>
export const Citations = Type.Array(Citation, { maxItems: 100 })

export const CitedSentence = Type.Object(
  {
    text: Text(0, 10_000),
    citations: Type.Array(Citation, {
      maxItems: 100,
      description: 'Empty: nothing in the pages was found to stand behind it.',
    }),
  },
  { title: 'CitedSentence', description: 'A sentence and where it comes from.' },
)
export type CitedSentence = Static<typeof CitedSentence>

const OutcomeModel = Type.Object(
  {
    id: Text(0, 100),
    provider: Text(0, 100),
    locality: OpenEnum(['local', 'remote'], { description: '`remote`: the text left this installation.' }),
    version: Text(0, 100),
  },
  { title: 'OutcomeModel', description: 'Who made it.' },
)
export type OutcomeModel = Static<typeof OutcomeModel>
export const OutcomeUsage = Type.Object(
  {
    pages: Count(),
    input_tokens: Count(),
    output_tokens: Count(),
    cost_micros: Count({ description: "Millionths of the operator's currency, by the operator's price list." }),
    compute_ms: Count(),
  },
  { title: 'OutcomeUsage', description: 'What it took. A stored result that is returned again costs nothing.' },
)
export type OutcomeUsage = Static<typeof OutcomeUsage>

export const outcomeMethods = ['extractive', 'embedding', 'generative', 'rules', 'keyword', 'hybrid'] as const
export const cacheStates = ['hit', 'miss', 'bypass'] as const

const standing = {
  status: OpenEnum(jobStatuses, { title: 'OutcomeStatus' }),
  is_terminal: Type.Boolean({ description: 'It has ended and will not change by itself.' }),
  job_id: Nullable(IdOf('job', { description: 'Who makes it; null: it was made within the request.' })),
  project_id: Nullable(IdOf('proj', { description: 'Who sees it.' })),
  fingerprint: Nullable(
    Text(0, 64, {
      description:
        'Of the text, the model and its version, the parameters and the prompt: the same gives the same result.',
    }),
  ),
  cache: OpenEnum(cacheStates, {
    description: '`hit`: an earlier result with the same fingerprint. `bypass`: none was looked for.',
  }),
  method: Nullable(OpenEnum(outcomeMethods, { description: 'How it was made.' })),
  model: NullableRef(OutcomeModel),
  usage: NullableRef(OutcomeUsage),
  warnings: Type.Array(Text(0, 1000), { maxItems: 100, description: 'What was not read, dropped or done otherwise.' }),
  error: NullableRef(JobError),
}

/** A resource that a model makes. Its own members are null or empty until it has succeeded. */
export function Outcome<const O extends string, const P extends Prefix, T extends TProperties>(
  name: { title: string; object: O; prefix: P; description: string },
  members: T,
) {
  return Resource(name, { ...standing, ...members })
}

export const ModelName = Text(1, 100, {
  description: 'The id of a model that `GET /models` lists; the default of the tenant if absent.',
})
export const TimeoutSeconds = Type.Integer({
  minimum: 10,
  maximum: 86_400,
  description: 'Running time that it may take; 600 if absent.',
})
/** Members of every request for an outcome. */
export const asked = {
  model: Type.Optional(ModelName),
  cache: Type.Optional(
    OneOf(['use', 'bypass'], {
      title: 'CacheUse',
      description:
        '`use` (if absent): an earlier result with the same fingerprint is returned. `bypass`: it is made anew.',
    }),
  ),
  timeout_seconds: Type.Optional(TimeoutSeconds),
  metadata: Type.Optional(Metadata),
}
/** Of outcomes of texts that belong to no document. */
export const ProjectOfText = Type.Optional(
  Nullable(
    IdOf('proj', { description: 'Of a result that is of no document: who sees it. Documents bring their own.' }),
  ),
)
export const DocumentIds = Type.Array(IdOf('doc'), { minItems: 1, maxItems: MAX_CITED_DOCUMENTS, uniqueItems: true })

export const OutcomePatch = Type.Object({ metadata: Type.Optional(MetadataPatch) }, { title: 'OutcomePatch' })
export type OutcomePatch = Static<typeof OutcomePatch>

export const OUTCOME_WAITS = { member: 'is_terminal', while: [false], job: 'job_id' } as const
