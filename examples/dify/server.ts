// An external knowledge base for Dify: POST /retrieval searches the documents of an Octavo project.

import { type Octavo, OctavoError } from '@octavo/sdk'
import { AdapterError, type AdapterRequest, memberOf, startAdapter } from '../adapter.ts'

/** As the external knowledge id: all documents that the key can see. */
const ALL = 'all'
const MAX_RESULTS = 100

interface Retrieval {
  knowledge_id: string
  query: string
  top_k: number
  score_threshold: number
  metadata: Record<string, string>
}

function textOf(body: unknown, name: string): string {
  const value = memberOf(body, name)
  if (typeof value !== 'string' || value === '') throw new AdapterError(400, `${name} must be a text.`)
  return value
}

/** Octavo filters by equal values that must all match; other conditions would return wrong passages if ignored. */
function filterOf(condition: unknown): Record<string, string> {
  if (condition === undefined || condition === null) return {}
  const operator = memberOf(condition, 'logical_operator') ?? 'and'
  const conditions = memberOf(condition, 'conditions') ?? []
  if (operator !== 'and' || !Array.isArray(conditions))
    throw new AdapterError(400, 'Only conditions that are joined by "and" are supported.')
  return Object.fromEntries(
    conditions.map((one: unknown) => {
      const [comparison, value] = [memberOf(one, 'comparison_operator'), memberOf(one, 'value')]
      if (comparison !== 'is' || typeof value !== 'string')
        throw new AdapterError(400, 'Only the comparison "is" with a text is supported.')
      return [textOf(one, 'name'), value]
    }),
  )
}

function retrievalOf(body: unknown): Retrieval {
  const setting = memberOf(body, 'retrieval_setting')
  const [top_k, score_threshold] = [memberOf(setting, 'top_k') ?? 5, memberOf(setting, 'score_threshold') ?? 0]
  if (typeof top_k !== 'number' || typeof score_threshold !== 'number')
    throw new AdapterError(400, 'top_k and score_threshold must be numbers.')
  return {
    knowledge_id: textOf(body, 'knowledge_id'),
    query: textOf(body, 'query'),
    top_k,
    score_threshold,
    metadata: filterOf(memberOf(body, 'metadata_condition')),
  }
}

async function retrieve(client: Octavo, retrieval: Retrieval): Promise<unknown> {
  const { knowledge_id, query, top_k, score_threshold, metadata } = retrieval
  const { results } = await client.searches.create({
    query,
    limit: Math.max(1, Math.min(Math.trunc(top_k), MAX_RESULTS)),
    min_score: score_threshold,
    store: false,
    ...(knowledge_id !== ALL && { project_id: knowledge_id }),
    ...(Object.keys(metadata).length > 0 && { filters: { metadata } }),
  })
  return {
    records: results.map(({ text, score, document_id, document, page_number }) => ({
      content: text,
      score,
      title: document.title,
      metadata: { ...document.metadata, document_id, page_number },
    })),
  }
}

async function handle({ route, client, body }: AdapterRequest): Promise<unknown> {
  if (route !== 'POST /retrieval') throw new AdapterError(404, 'The only endpoint is POST /retrieval.')
  const retrieval = retrievalOf(body)
  try {
    return await retrieve(client, retrieval)
  } catch (error) {
    const isUnknown = error instanceof OctavoError && error.details.some(({ field }) => field === 'project_id')
    if (isUnknown) throw new AdapterError(404, `There is no project '${retrieval.knowledge_id}' that the key can see.`)
    throw error
  }
}

/** The codes that Dify suggests: 1001 and 1002 for credentials, 2001 for an unknown knowledge base. */
const codes: Record<number, number> = { 401: 1002, 403: 1002, 404: 2001 }
const errorBody = (status: number, message: string) => ({ error_code: codes[status] ?? status, error_msg: message })

startAdapter({ handle, errorBody }, Number(process.env['PORT'] ?? 8090))
