// The embeddings endpoint of the OpenAI API, answered by the embedding models of Octavo.

import type { Octavo } from '@octavo/sdk'
import { AdapterError, type AdapterRequest, memberOf, startAdapter } from '../adapter.ts'

const MAX_WAIT_MS = 60_000

function inputsOf(body: unknown): string[] {
  const input = memberOf(body, 'input')
  const inputs: unknown[] = Array.isArray(input) ? input : [input]
  return inputs.map((text) => {
    if (typeof text !== 'string') throw new AdapterError(400, 'input must be a text or a list of texts, not tokens.')
    return text
  })
}

async function embed(client: Octavo, body: unknown): Promise<unknown> {
  const [model, dimensions, format] = ['model', 'dimensions', 'encoding_format'].map((name) => memberOf(body, name))
  if (typeof model !== 'string') throw new AdapterError(400, 'model must be the id of an embedder of GET /v1/models.')
  const embedding = await client.embeddings.createAndWait(
    {
      inputs: inputsOf(body),
      model,
      encoding_format: format === 'base64' ? 'base64' : 'float',
      ...(typeof dimensions === 'number' && { dimensions }),
    },
    { signal: AbortSignal.timeout(MAX_WAIT_MS) },
  )
  if (embedding.status !== 'succeeded') throw new AdapterError(500, embedding.error?.message ?? 'The embedding failed.')
  const tokens = embedding.usage?.input_tokens ?? 0
  return {
    object: 'list',
    data: embedding.data.map(({ index, vector }) => ({ object: 'embedding', index, embedding: vector })),
    model: embedding.model?.id ?? model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  }
}

async function listModels(client: Octavo): Promise<unknown> {
  const { data } = await client.models.list({ limit: 100 })
  const embedders = data.filter(({ kind }) => kind === 'embedder')
  return {
    object: 'list',
    data: embedders.map(({ id, provider }) => ({ id, object: 'model', created: 0, owned_by: provider })),
  }
}

async function handle({ route, client, body }: AdapterRequest): Promise<unknown> {
  if (route === 'POST /v1/embeddings') return embed(client, body)
  if (route === 'GET /v1/models') return listModels(client)
  throw new AdapterError(404, 'The endpoints are POST /v1/embeddings and GET /v1/models.')
}

const errorBody = (status: number, message: string) => ({
  error: { message, type: status >= 500 ? 'server_error' : 'invalid_request_error', param: null, code: null },
})

startAdapter({ handle, errorBody }, Number(process.env['PORT'] ?? 8091))
