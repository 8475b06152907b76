import { type Static, Type } from 'typebox'
import { defineResource } from './definition.ts'
import { endpoint, GetQuery, listOf } from './endpoint.ts'
import { asked, CitedSentence, OUTCOME_WAITS, Outcome, outcomeFilters } from './outcome.ts'
import { Count, FilterId, IdOf, MAX_INTEGER, Nullable, NullableRef, Text } from './schema.ts'
import { ShownSearchFilters, within } from './searches.ts'

const Passage = Type.Object(
  {
    document_id: IdOf('doc'),
    page_id: IdOf('page'),
    page_number: Type.Integer({ minimum: 1, maximum: MAX_INTEGER }),
    chunk_id: IdOf('chk'),
    start: Count(),
    end: Count(),
    text: Text(0, 4_000),
    score: Type.Number(),
  },
  { title: 'Passage', description: 'The passages that the answer is based on.' },
)
const Language = Text(2, 35, { pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', description: 'BCP 47.' })

const NearestSentence = Type.Object(CitedSentence.properties, {
  title: 'NearestSentence',
  description:
    'If `is_answered` is false: the closest candidate that the built-in engine found. It is not an answer. Null if there is none.',
})

export const answerResource = defineResource({
  title: 'Answer',
  object: 'answer',
  prefix: 'ans',
  description: 'A question and its answer, with citations for each sentence. Kept for 30 days.',
  scopes: {},
  events: ['created', 'succeeded', 'partially_succeeded', 'failed', 'cancelled', 'deleted'],
})

export const Answer = Outcome(answerResource, {
  question: Text(1, 2_000),
  document_ids: Type.Array(IdOf('doc'), { maxItems: 250 }),
  filters: NullableRef(ShownSearchFilters),
  language: Nullable(Language),
  previous_answer_id: Nullable(IdOf('ans')),
  standalone_question: Nullable(
    Text(1, 5_000, {
      description:
        'The question that Octavo searched for, if it is a follow-up: `question` with the subject of the previous answer.',
    }),
  ),
  is_answered: Type.Boolean({ description: 'False if the documents do not contain the answer.' }),
  confidence: Nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'Probability that the answer is right, from the built-in engine; below its threshold `is_answered` is false. Null for generative models.',
    }),
  ),
  text: Nullable(Text(0, 200_000)),
  sentences: Type.Array(CitedSentence, { maxItems: 1_000 }),
  nearest: NullableRef(NearestSentence),
  passages: Type.Array(Passage, { maxItems: 100 }),
})
export type Answer = Static<typeof Answer>

export const NewAnswer = Type.Object(
  {
    question: Text(1, 2_000),
    ...within,
    language: Type.Optional(Language),
    previous_answer_id: Type.Optional(
      IdOf('ans', {
        description:
          'The answer that this question follows. It must be in the same project. Its project, documents and filters apply unless you set your own.',
      }),
    ),
    ...asked,
  },
  { title: 'NewAnswer' },
)
export type NewAnswer = Static<typeof NewAnswer>

export const answers = {
  list: endpoint({
    method: 'GET',
    path: '/answers',
    scope: 'searches:read',
    summary: 'List answers of the last 30 days',
    ...listOf(Answer, { sorts: ['-created_at'], filters: { project_id: FilterId('proj'), ...outcomeFilters } }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/answers',
    scope: 'searches:write',
    also_needs: ['documents:read'],
    ai_base: 5,
    summary: 'Ask a question about documents',
    description:
      'Without a generative model, Octavo immediately returns a sentence, a field or a table cell from the best passages (`method: "extractive"`). With one, a job writes the answer. The request waits up to 50 seconds, or streams with `Accept: text/event-stream`: `answer.delta` with pieces of text, then `answer.completed` with the answer and its citations.',
    body: NewAnswer,
    success: { 201: Answer },
    fails: ['rate_limit_exceeded', 'service_unavailable'],
    events: ['answer.created', 'answer.succeeded'],
    may_record: ['job.queued'],
    waits: OUTCOME_WAITS,
    is_stream: true,
    waits_by_default: true,
    example: { question: 'When is the rent due?', project_id: '{project_id}' },
  }),
  get: endpoint({
    method: 'GET',
    path: '/answers/{answer_id}',
    scope: 'searches:read',
    summary: 'Get an answer',
    query: GetQuery,
    success: { 200: Answer },
    waits: OUTCOME_WAITS,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/answers/{answer_id}',
    scope: 'searches:write',
    summary: 'Delete an answer',
    description: 'Also cancels its job if the job has not ended.',
    success: { 204: null },
    events: ['answer.deleted'],
    may_record: [
      'answer.cancelled',
      'job.cancelled',
      'job.updated',
      'job.succeeded',
      'job.partially_succeeded',
      'job.failed',
    ],
  }),
}
