import { type Static, Type } from 'typebox'
import { ExpandedText } from './chunks.ts'
import { defineResource } from './definition.ts'
import { endpoint, GetQuery, listOf } from './endpoint.ts'
import { asked, DocumentIds, Outcome, outcomeFilters, Share } from './outcome.ts'
import {
  Count,
  FilterId,
  IdOf,
  MAX_INTEGER,
  Metadata,
  Nullable,
  NullableRef,
  OneOf,
  OpenEnum,
  Text,
  Timestamp,
  WithDefault,
} from './schema.ts'

export const searchModes = ['hybrid', 'semantic', 'keyword'] as const
export type SearchMode = (typeof searchModes)[number]
export const MAX_SEARCH_RESULTS = 100
const MAX_NEIGHBORS = 3

export const SearchFilters = Type.Object(
  {
    metadata: Type.Optional(Metadata),
    created_after: Type.Optional(Timestamp({ description: 'Documents created at or after this time.' })),
    created_before: Type.Optional(Timestamp({ description: 'Documents created before this time.' })),
  },
  { title: 'SearchFilters', description: 'Only documents that match all filters.' },
)
export type SearchFilters = Static<typeof SearchFilters>
export const ShownSearchFilters = Type.Object(SearchFilters.properties, {
  title: 'ShownSearchFilters',
  description: 'The requested features.',
})

const SearchedDocument = Type.Object(
  { title: Text(0, 300), external_id: Nullable(Text(0, 200)), metadata: Metadata },
  { title: 'SearchedDocument', description: 'The document of a passage, as it was at the time of the search.' },
)
const Neighbor = Type.Object(
  {
    chunk_id: IdOf('chk'),
    page_id: IdOf('page'),
    page_number: Type.Integer({ minimum: 1, maximum: MAX_INTEGER }),
    start: Count(),
    end: Count(),
    text: Text(0, 4_000),
  },
  { title: 'NeighborPassage', description: 'A passage next to a result, in the order of the document.' },
)
const Score = Type.Number()
export const SearchResult = Type.Object(
  {
    document_id: IdOf('doc'),
    document: SearchedDocument,
    page_id: IdOf('page'),
    page_number: Type.Integer({ minimum: 1, maximum: MAX_INTEGER }),
    chunk_id: IdOf('chk'),
    start: Count({ description: 'Start of the passage in the text of the page, in Unicode code points.' }),
    end: Count(),
    text: Text(0, 4_000),
    heading_path: Type.Array(Text(0, 300), { maxItems: 9 }),
    expanded_text: ExpandedText,
    highlights: Type.Array(
      Type.Object(
        { start: Count(), end: Count() },
        { title: 'Highlight', description: 'Position of a query word in `text`, in Unicode code points.' },
      ),
      { maxItems: 1_000 },
    ),
    score: Share({ description: 'Relevance from 0 to 1, on the same scale in all modes.' }),
    scores: Type.Object(
      { keyword: Nullable(Score), semantic: Nullable(Score), fused: Nullable(Score), rerank: Nullable(Score) },
      {
        title: 'SearchScores',
        description: "BM25, cosine similarity, the mean of both as shares, and the reranking model's score.",
      },
    ),
    before: Type.Array(Neighbor, { maxItems: MAX_NEIGHBORS, description: 'The passages before it, if requested.' }),
    after: Type.Array(Neighbor, { maxItems: MAX_NEIGHBORS, description: 'The passages after it, if requested.' }),
  },
  { title: 'SearchResult', description: 'A passage that matches the query.' },
)
export type SearchResult = Static<typeof SearchResult>

export const searchResource = defineResource({
  title: 'Search',
  object: 'search',
  prefix: 'srch',
  description: 'A query and its results. Kept for 30 days.',
  scopes: {
    'searches:read': 'Read past searches and answers',
    'searches:write': 'Search documents and ask questions about them',
  },
  events: ['created', 'deleted'],
})

export const Search = Outcome(searchResource, {
  query: Text(1, 2_000),
  mode: OpenEnum(searchModes, { title: 'SearchMode' }),
  document_ids: Type.Array(IdOf('doc'), { maxItems: 250 }),
  filters: NullableRef(ShownSearchFilters),
  rerank: Nullable(Text(0, 100)),
  limit: Count(),
  min_score: Nullable(Share()),
  max_per_document: Nullable(Count()),
  neighbors: Count(),
  results: Type.Array(SearchResult, { maxItems: MAX_SEARCH_RESULTS }),
})
export type Search = Static<typeof Search>

const scope_project = Type.Optional(Nullable(IdOf('proj', { description: 'Only documents in this project.' })))
export const within = {
  project_id: scope_project,
  document_ids: Type.Optional(DocumentIds),
  filters: Type.Optional(SearchFilters),
}
export const NewSearch = Type.Object(
  {
    query: Text(1, 2_000),
    mode: WithDefault(OneOf(searchModes, { title: 'SearchModeChoice', description: 'Default `hybrid`.' }), 'hybrid'),
    ...within,
    rerank: Type.Optional(Text(1, 100, { description: 'The id of a model that reranks the results.' })),
    limit: WithDefault(
      Type.Integer({ minimum: 1, maximum: MAX_SEARCH_RESULTS, description: 'Maximum number of results; default 10.' }),
      10,
    ),
    min_score: Type.Optional(Share({ description: 'Only results with at least this score.' })),
    max_per_document: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_SEARCH_RESULTS,
        description: 'Maximum number of results from one document; default: no maximum.',
      }),
    ),
    neighbors: WithDefault(
      Type.Integer({
        minimum: 0,
        maximum: MAX_NEIGHBORS,
        description: 'Number of passages to return before and after each result; default 0.',
      }),
      0,
    ),
    store: WithDefault(
      Type.Boolean({
        description:
          'Default true. With false, Octavo stores neither the query nor the results, and the response is 200.',
      }),
      true,
    ),
    metadata: asked.metadata,
  },
  { title: 'NewSearch' },
)
export type NewSearch = Static<typeof NewSearch>

export const searches = {
  list: endpoint({
    method: 'GET',
    path: '/searches',
    scope: 'searches:read',
    summary: 'List searches of the last 30 days',
    ...listOf(Search, { sorts: ['-created_at'], filters: { project_id: FilterId('proj'), ...outcomeFilters } }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/searches',
    scope: 'searches:write',
    also_needs: ['documents:read'],
    ai_base: 1,
    summary: 'Search documents',
    description:
      'Returns immediately. If a remote model does not respond within 3 seconds, the search continues without it and adds a warning.',
    body: NewSearch,
    success: { 201: Search },
    unchanged_status: 200,
    fails: ['rate_limit_exceeded', 'service_unavailable'],
    events: ['search.created'],
    example: { query: 'When is the rent due?', mode: 'keyword', limit: 5, project_id: '{project_id}' },
  }),
  get: endpoint({
    method: 'GET',
    path: '/searches/{search_id}',
    scope: 'searches:read',
    summary: 'Get a search',
    query: GetQuery,
    success: { 200: Search },
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/searches/{search_id}',
    scope: 'searches:write',
    summary: 'Delete a search',
    success: { 204: null },
    events: ['search.deleted'],
  }),
}
