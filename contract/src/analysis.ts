import { type Static, Type } from 'typebox'
import { endpoint, GetQuery, listOf } from './endpoint.ts'
import { asked, Citations, Confidence, OUTCOME_WAITS, Outcome, OutcomePatch, Share } from './outcome.ts'
import { Count, IdOf, MAX_INTEGER, Nullable, NullableRef, OneOf, OpenEnum, Text } from './schema.ts'

export const analysisFeatures = [
  'language',
  'statistics',
  'key_phrases',
  'entities',
  'pii',
  'sentiment',
  'topics',
  'extraction',
] as const
export type AnalysisFeature = (typeof analysisFeatures)[number]

const PageNumber = Type.Integer({ minimum: 1, maximum: MAX_INTEGER })
export const PageRange = Type.Object(
  { first: PageNumber, last: PageNumber },
  { title: 'PageRange', description: 'Only these pages, both ends included.' },
)

const ShownPageRange = Type.Object(PageRange.properties, {
  title: 'ShownPageRange',
  description: 'The pages that were read.',
})

const LanguageAnalysis = Type.Object(
  {
    language: Nullable(Text(0, 35, { description: 'BCP 47; null: there is too little text to tell.' })),
    confidence: Nullable(Share({ description: 'How much of the text is in it, by characters.' })),
    languages: Type.Array(
      Type.Object(
        {
          language: Text(0, 35),
          share: Share({ description: 'By characters, of the text whose language is known.' }),
          citations: Citations,
        },
        { title: 'LanguageShare', description: 'How much of the text is in one language.' },
      ),
      { maxItems: 100 },
    ),
  },
  { title: 'LanguageAnalysis', description: 'The languages of the pages.' },
)
const StatisticsAnalysis = Type.Object(
  {
    pages: Count(),
    characters: Count(),
    words: Count(),
    sentences: Count(),
    paragraphs: Count(),
    average_sentence_words: Type.Number({ minimum: 0 }),
    reading_seconds: Count({ description: 'At 238 words a minute.' }),
  },
  { title: 'StatisticsAnalysis', description: 'What can be counted.' },
)
const KeyPhrase = Type.Object(
  { text: Text(0, 300), confidence: Confidence, citations: Citations },
  { title: 'KeyPhrase', description: 'Words of the text that say what it is about.' },
)
const Entity = Type.Object(
  {
    type: OpenEnum(['person', 'organisation', 'place', 'date', 'time', 'money', 'percentage'], { title: 'EntityType' }),
    text: Text(0, 300),
    confidence: Confidence,
    citations: Citations,
  },
  {
    title: 'Entity',
    description: 'Experimental, and of English text only: people, places and organisations are often missed.',
  },
)
const PersonalDatum = Type.Object(
  {
    type: OpenEnum(['email', 'phone', 'card', 'iban', 'ssn', 'ip_address'], { title: 'PersonalDatumType' }),
    text: Text(0, 300),
    confidence: Confidence,
    citations: Citations,
  },
  { title: 'PersonalDatum', description: 'Something that names or reaches a person.' },
)
const SentimentAnalysis = Type.Object(
  {
    label: OpenEnum(['positive', 'neutral', 'negative', 'mixed'], { title: 'SentimentLabel' }),
    score: Type.Number({ minimum: -1, maximum: 1, description: '-1 (negative) to 1 (positive).' }),
    confidence: Confidence,
    citations: Type.Array(Citations.items, { maxItems: 100, description: 'The sentences that speak most clearly.' }),
  },
  { title: 'SentimentAnalysis', description: 'The tone of the English text; null where there is none.' },
)
const Topic = Type.Object(
  { name: Text(0, 100), confidence: Confidence, citations: Citations },
  { title: 'Topic', description: 'One of a fixed list of subjects.' },
)
const ExtractedField = Type.Object(
  {
    path: Text(0, 1000, { description: 'RFC 6901 pointer into `data`.' }),
    value: Type.Unsafe<string | number | boolean | null>({
      description: 'A text, a number, true, false or null, as it stands in `data`.',
    }),
    confidence: Confidence,
    citations: Citations,
  },
  { title: 'ExtractedField', description: 'One value and where it stands.' },
)
const ExtractionAnalysis = Type.Object(
  {
    data: Type.Unsafe<unknown>({ description: 'What the schema asks for; it satisfies the schema.' }),
    fields: Type.Array(ExtractedField, { maxItems: 10_000 }),
  },
  { title: 'ExtractionAnalysis', description: 'Values by a schema of yours.' },
)
export type ExtractionAnalysis = Static<typeof ExtractionAnalysis>

const result = {
  language: NullableRef(LanguageAnalysis),
  statistics: NullableRef(StatisticsAnalysis),
  key_phrases: Nullable(Type.Array(KeyPhrase, { maxItems: 1_000 })),
  entities: Nullable(Type.Array(Entity, { maxItems: 1_000 })),
  pii: Nullable(Type.Array(PersonalDatum, { maxItems: 10_000 })),
  sentiment: NullableRef(SentimentAnalysis),
  topics: Nullable(Type.Array(Topic, { maxItems: 100 })),
  extraction: NullableRef(ExtractionAnalysis),
}
export const Analysis = Outcome(
  {
    title: 'Analysis',
    object: 'analysis',
    prefix: 'ana',
    description: 'What a document says of itself: one member for each feature that was asked for, the others are null.',
  },
  {
    document_id: IdOf('doc'),
    features: Type.Array(OpenEnum(analysisFeatures, { title: 'AnalysisFeature' }), { maxItems: 20 }),
    page_range: NullableRef(ShownPageRange),
    ...result,
  },
)
export type Analysis = Static<typeof Analysis>
export type AnalysisResult = Pick<Analysis, keyof typeof result>

export const NewAnalysis = Type.Object(
  {
    features: Type.Optional(
      Type.Array(OneOf(analysisFeatures, { title: 'AnalysisFeatureChoice' }), {
        minItems: 1,
        maxItems: analysisFeatures.length,
        uniqueItems: true,
        description: 'All but `extraction` if absent.',
      }),
    ),
    schema: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: {},
        maxProperties: 100,
        title: 'ExtractionSchema',
        description:
          'JSON Schema of an object, for `extraction`: at most 64 KiB, 500 properties and 10 levels, without patterns, and with no `$ref` but to `#/$defs`.',
      }),
    ),
    instructions: Type.Optional(Text(1, 4_000, { description: 'For `extraction`: what the schema cannot say.' })),
    page_range: Type.Optional(PageRange),
    ...asked,
    timeout_seconds: Type.Optional(
      Type.Integer({
        minimum: 10,
        maximum: 86_400,
        description: 'Running time that it may take; if absent, 600 and one more for each page.',
      }),
    ),
  },
  { title: 'NewAnalysis' },
)
export type NewAnalysis = Static<typeof NewAnalysis>

/** Under its name and under the older one. */
const analysing = {
  scope: 'analysis:write',
  also_needs: ['documents:read'],
  ai_base: 10,
  body: NewAnalysis,
  is_body_optional: true,
  success: { 201: Analysis },
  fails: ['rate_limit_exceeded'],
  events: ['analysis.created', 'job.queued'],
  may_record: ['analysis.succeeded'],
  waits: OUTCOME_WAITS,
  example: { features: ['language', 'statistics', 'key_phrases'], cache: 'bypass' },
} as const

export const analysis = {
  list: endpoint({
    method: 'GET',
    path: '/documents/{document_id}/analysis',
    scope: 'analysis:read',
    summary: 'List the analyses of a document',
    ...listOf(Analysis, { sorts: ['-created_at'], filters: {} }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/documents/{document_id}/analysis',
    summary: 'Analyse a document',
    description: 'A job does it. `extraction` needs a generative model; without one the request is refused.',
    ...analysing,
  }),
  get: endpoint({
    method: 'GET',
    path: '/documents/{document_id}/analysis/{analysis_id}',
    scope: 'analysis:read',
    summary: 'Get an analysis',
    query: GetQuery,
    success: { 200: Analysis },
    waits: OUTCOME_WAITS,
  }),
  update: endpoint({
    method: 'PATCH',
    path: '/documents/{document_id}/analysis/{analysis_id}',
    scope: 'analysis:write',
    summary: 'Change the metadata of an analysis',
    body: OutcomePatch,
    success: { 200: Analysis },
    events: ['analysis.updated'],
    example: { metadata: { checked: 'yes' } },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/documents/{document_id}/analysis/{analysis_id}',
    scope: 'analysis:write',
    summary: 'Delete an analysis',
    description: 'A job that still works on it is cancelled.',
    success: { 204: null },
    events: ['analysis.deleted'],
    may_record: [
      'analysis.cancelled',
      'job.cancelled',
      'job.updated',
      'job.succeeded',
      'job.partially_succeeded',
      'job.failed',
    ],
  }),
  analyse: endpoint({
    method: 'POST',
    path: '/documents/{document_id}/analyse',
    summary: 'Analyse a document (older name)',
    description: 'The same as `POST /documents/{document_id}/analysis`, which is where the result is.',
    successor: '/documents/{document_id}/analysis',
    ...analysing,
  }),
}
