import { type Static, Type } from 'typebox'
import { defineResource } from './definition.ts'
import { endpoint, GetQuery, listOf } from './endpoint.ts'
import {
  asked,
  Citations,
  Confidence,
  OUTCOME_WAITS,
  Outcome,
  OutcomePatch,
  outcomeEvents,
  outcomeFilters,
  Share,
} from './outcome.ts'
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
  { title: 'PageRange', description: 'Only these pages, `first` and `last` included.' },
)

const ShownPageRange = Type.Object(PageRange.properties, {
  title: 'ShownPageRange',
  description: 'The pages that were read.',
})

const LanguageAnalysis = Type.Object(
  {
    language: Nullable(Text(0, 35, { description: 'BCP 47 tag; null if there is too little text.' })),
    confidence: Nullable(Share({ description: 'Share of the text in this language, by characters.' })),
    languages: Type.Array(
      Type.Object(
        {
          language: Text(0, 35),
          share: Share({ description: 'Share of the text whose language is known, by characters.' }),
          citations: Citations,
        },
        { title: 'LanguageShare', description: 'A language and its share of the text.' },
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
    reading_seconds: Count({ description: 'Reading time at 238 words per minute.' }),
  },
  { title: 'StatisticsAnalysis', description: 'Counts of the text.' },
)
const KeyPhrase = Type.Object(
  { text: Text(0, 300), confidence: Confidence, citations: Citations },
  { title: 'KeyPhrase', description: 'A phrase from the text that describes its subject.' },
)
export const entityTypes = ['person', 'organisation', 'place', 'date', 'time', 'money', 'percentage'] as const
export type EntityType = (typeof entityTypes)[number]
const Entity = Type.Object(
  {
    type: OpenEnum(entityTypes, { title: 'EntityType' }),
    text: Text(0, 300),
    confidence: Confidence,
    citations: Citations,
  },
  {
    title: 'Entity',
    description: 'Experimental and for English text only; often misses people, places and organizations.',
  },
)
const PersonalDatum = Type.Object(
  {
    type: OpenEnum(['email', 'phone', 'card', 'iban', 'ssn', 'ip_address'], { title: 'PersonalDatumType' }),
    text: Text(0, 300),
    confidence: Confidence,
    citations: Citations,
  },
  { title: 'PersonalDatum', description: 'Personal data, such as an email address.' },
)
const SentimentAnalysis = Type.Object(
  {
    label: OpenEnum(['positive', 'neutral', 'negative', 'mixed'], { title: 'SentimentLabel' }),
    score: Type.Number({ minimum: -1, maximum: 1, description: '-1 (negative) to 1 (positive).' }),
    confidence: Confidence,
    citations: Type.Array(Citations.items, {
      maxItems: 100,
      description: 'The sentences with the strongest sentiment.',
    }),
  },
  { title: 'SentimentAnalysis', description: 'Sentiment of the English text; null if there is none.' },
)
const Topic = Type.Object(
  { name: Text(0, 100), confidence: Confidence, citations: Citations },
  { title: 'Topic', description: 'One of a fixed list of subjects.' },
)
const ExtractedField = Type.Object(
  {
    path: Text(0, 1000, { description: 'RFC 6901 pointer into `data`.' }),
    value: Type.Unsafe<string | number | boolean | null>({
      description: 'The value in `data`: a string, a number, true, false or null.',
    }),
    confidence: Confidence,
    citations: Citations,
  },
  { title: 'ExtractedField', description: 'One value and its sources.' },
)
const ExtractionAnalysis = Type.Object(
  {
    data: Type.Unsafe<unknown>({ description: 'The extracted object; it conforms to the schema.' }),
    fields: Type.Array(ExtractedField, { maxItems: 10_000 }),
  },
  { title: 'ExtractionAnalysis', description: 'The values that your JSON Schema defines.' },
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
export const analysisResource = defineResource({
  title: 'Analysis',
  object: 'analysis',
  prefix: 'ana',
  description: 'Facts extracted from a document: one field for each requested feature; the others are null.',
  scopes: { 'analysis:read': 'Read analyses', 'analysis:write': 'Analyze documents and delete analyses' },
  events: outcomeEvents,
})

export const Analysis = Outcome(analysisResource, {
  document_id: IdOf('doc'),
  features: Type.Array(OpenEnum(analysisFeatures, { title: 'AnalysisFeature' }), { maxItems: 20 }),
  page_range: NullableRef(ShownPageRange),
  ...result,
})
export type Analysis = Static<typeof Analysis>
export type AnalysisResult = Pick<Analysis, keyof typeof result>

export const NewAnalysis = Type.Object(
  {
    features: Type.Optional(
      Type.Array(OneOf(analysisFeatures, { title: 'AnalysisFeatureChoice' }), {
        minItems: 1,
        maxItems: analysisFeatures.length,
        uniqueItems: true,
        description: 'Default: all except `extraction`.',
      }),
    ),
    entity_types: Type.Optional(
      Type.Array(OneOf(entityTypes, { title: 'EntityTypeChoice' }), {
        minItems: 1,
        maxItems: entityTypes.length,
        uniqueItems: true,
        description:
          'For `entities`; default: dates, times, amounts and percentages. Names of people, organizations and places are often missed or wrong.',
      }),
    ),
    schema: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: {},
        maxProperties: 100,
        title: 'ExtractionSchema',
        description:
          'JSON Schema of an object, for `extraction`: at most 64 KiB, 500 properties and 10 levels, without patterns; `$ref` only to `#/$defs`.',
      }),
    ),
    instructions: Type.Optional(
      Text(1, 4_000, { description: 'For `extraction`: instructions in addition to the schema.' }),
    ),
    page_range: Type.Optional(PageRange),
    ...asked,
    timeout_seconds: Type.Optional(
      Type.Integer({
        minimum: 10,
        maximum: 86_400,
        description: 'Maximum running time; default 600 plus one per page.',
      }),
    ),
  },
  { title: 'NewAnalysis' },
)
export type NewAnalysis = Static<typeof NewAnalysis>

/** Shared by the current and the deprecated operation. */
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
    ...listOf(Analysis, { sorts: ['-created_at'], filters: outcomeFilters }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/documents/{document_id}/analysis',
    summary: 'Analyze a document',
    description: 'Creates a job. `extraction` needs a generative model; without one the request is rejected.',
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
    description: 'Also cancels its job if the job has not ended.',
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
    summary: 'Analyze a document (deprecated name)',
    description: 'Same as `POST /documents/{document_id}/analysis`; the result is available under that path.',
    successor: '/documents/{document_id}/analysis',
    ...analysing,
  }),
}
