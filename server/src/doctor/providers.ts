// Models of other servers: each is asked the smallest question there is.

import { readFileSync } from 'node:fs'
import { recordOf } from '@octavo/base/unknown.ts'
import type { Provider, RemoteModel } from '../ai/catalogue.ts'
import { type Check, type Finding, failed, ok, reasonOf, warning } from './finding.ts'
import type { Settings } from './settings.ts'
import { ask, isSlow, parseJson } from './web.ts'

const TIMEOUT_MS = 15_000
const SHOWN = 8
/** Names from other servers are cut, so that they do not fill the screen. */
const LONGEST = 100

export function providerChecks(settings: Settings): Check[] {
  const { models, docling, tika } = settings.config
  const checks: Check[] = models.providers.map((provider) => ({
    name: `provider_${provider.id}`,
    run: () =>
      lookAtProvider(
        settings,
        provider,
        models.models.filter((one) => one.provider === provider.id),
      ),
  }))
  if (docling) checks.push({ name: 'docling', run: () => lookAtDocling(docling) })
  if (tika) checks.push({ name: 'tika', run: () => lookAtTika(tika) })
  return checks
}

async function lookAtProvider(
  settings: Settings,
  provider: Provider,
  models: readonly RemoteModel[],
): Promise<Finding> {
  const findings = await Promise.all(models.map((model) => lookAtModel(settings, provider, model)))
  const names = models.map(({ model }) => model).join(', ')
  return (
    findings.find(({ status }) => status === 'failed') ??
    findings.find(({ status }) => status === 'warning') ??
    ok(names === '' ? `No model of ${provider.base_url} is used.` : `${provider.base_url} responds (${names}).`)
  )
}

const QUESTIONS = {
  generator: { path: '/chat/completions', rest: { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 1 } },
  embedder: { path: '/embeddings', rest: { input: ['Hi'] } },
  reranker: { path: '/rerank', rest: { query: 'Hi', documents: ['Hi'] } },
} as const

const credentialsOf = ({ headers, api_key }: Provider): Record<string, string> => ({
  ...headers,
  ...(api_key === null ? {} : { authorization: `Bearer ${api_key}` }),
})

async function lookAtModel(settings: Settings, provider: Provider, { model, kind }: RemoteModel): Promise<Finding> {
  const { base_url } = provider
  const { path, rest } = QUESTIONS[kind]
  const answer = await ask(base_url + path, {
    headers: credentialsOf(provider),
    body: { model, ...rest },
    timeout_ms: TIMEOUT_MS,
  })
  const address = provider.id === 'chat' ? 'CHAT_BASE_URL' : `base_url of the provider '${provider.id}' in MODELS_FILE`
  if ('error' in answer) return unanswered(answer.error, provider, model, address)
  const { status } = answer
  if (status === 401 || status === 403) return refused(settings, provider, status)
  if (status === 429)
    return warning(
      `${base_url} reports too many requests (429).`,
      'Wait, or check the limits and the balance of your account there.',
    )
  if (status === 402) return failed(`${base_url} requires payment (402).`, 'Check the balance of your account there.')
  if (status >= 500)
    return failed(`${base_url} has an internal error: it returns ${status}.`, 'Read the log of that server.')
  if (status >= 300 && status < 400)
    return failed(
      `${base_url} returns a redirect (${status}), which Octavo does not follow.`,
      `Set ${address} to the target URL.`,
    )
  return status === 404 || status === 400 ? lookForModel(provider, { model, status, address }) : ok('')
}

function unanswered(error: unknown, { base_url }: Provider, model: string, address: string): Finding {
  if (isSlow(error))
    return warning(
      `${base_url} took longer than ${TIMEOUT_MS / 1000} s to generate one word with ${model}: it may be loading the model.`,
      'Run the doctor again in a minute. If it is still slow, the server is overloaded or hangs.',
    )
  return failed(
    `The model server at ${base_url} cannot be reached: ${reasonOf(error)}.`,
    `Start it, or correct ${address}. In a container, 127.0.0.1 is the container itself: use the name of the host instead. To test it:`,
    `curl ${base_url}/models`,
  )
}

function refused(settings: Settings, provider: Provider, status: number): Finding {
  const variable = keyVariableOf(settings, provider.id)
  const what =
    provider.api_key === null ? 'it needs a key, and none is set' : `it does not accept the key in ${variable}`
  return failed(
    `${provider.base_url} refuses (${status}): ${what}.`,
    provider.api_key === null && variable === 'api_key_env'
      ? `Set 'api_key_env' of the provider '${provider.id}' in MODELS_FILE to the name of a variable, and set that variable to a key for that server.`
      : `Set ${variable} to a valid key for that server and restart the processes.`,
  )
}

/** The catalogue has the key, not where it came from. */
function keyVariableOf({ env }: Settings, id: string): string {
  if (id === 'chat') return 'CHAT_API_KEY'
  const { providers } = recordOf(parseJson(readFileSync(env.MODELS_FILE ?? '', 'utf8')))
  const own = Array.isArray(providers) ? providers.map(recordOf).find((one) => one.id === id) : null
  return typeof own?.api_key_env === 'string' ? own.api_key_env : 'api_key_env'
}

/** A server may refuse how the question was put, which says nothing about the model. */
async function lookForModel(
  provider: Provider,
  { model, status, address }: { model: string; status: number; address: string },
): Promise<Finding> {
  const { base_url } = provider
  const answer = await ask(`${base_url}/models`, { headers: credentialsOf(provider) })
  const { data } = recordOf('text' in answer && answer.status === 200 ? parseJson(answer.text) : null)
  const ids = Array.isArray(data) ? data.map(recordOf).flatMap(({ id }) => (typeof id === 'string' ? id : [])) : null
  const setting = provider.id === 'chat' ? 'CHAT_MODEL' : `'model' of its entry in MODELS_FILE`
  if (ids && !ids.some((id) => id === model || id === `${model}:latest`))
    return failed(
      `${base_url} has no model '${model}'.`,
      `Load it there, or set ${setting} to one of its models: ${
        ids
          .slice(0, SHOWN)
          .map((id) => id.slice(0, LONGEST))
          .join(', ') || 'none is loaded'
      }.`,
    )
  if (status === 400 || ids) return ok('')
  return failed(
    `${base_url} returns 404: it has no model '${model}', or it is not the URL of an OpenAI-compatible API.`,
    `Correct ${address} (it usually ends with /v1) or ${setting}.`,
  )
}

async function lookAtDocling({ url, api_key }: { url: string; api_key: string | null }): Promise<Finding> {
  const answer = await ask(`${url}/version`, { headers: api_key === null ? {} : { 'x-api-key': api_key } })
  if ('error' in answer)
    return failed(
      `docling-serve at ${url} cannot be reached: ${isSlow(answer.error) ? 'no response in time' : reasonOf(answer.error)}.`,
      'Start it, or correct DOCLING_URL. To test it:',
      `curl ${url}/version`,
    )
  if (answer.status === 401 || answer.status === 403)
    return failed(
      `docling-serve at ${url} rejects the key in DOCLING_API_KEY (${answer.status}).`,
      'Set DOCLING_API_KEY to its DOCLING_SERVE_API_KEY.',
    )
  // The server may be configured to hide its version.
  return ok(`docling-serve at ${url} responds.`)
}

async function lookAtTika({ url }: { url: string }): Promise<Finding> {
  const answer = await ask(`${url}/version`)
  const advice = ['Start it, or correct TIKA_URL. To test it:', `curl ${url}/version`] as const
  if ('error' in answer)
    return failed(
      `Tika at ${url} cannot be reached: ${isSlow(answer.error) ? 'no response in time' : reasonOf(answer.error)}.`,
      ...advice,
    )
  const version = /Apache Tika [\w.-]{1,50}/.exec(answer.text)?.[0]
  return version ? ok(`${version} at ${url} responds.`) : failed(`The server at ${url} is not Apache Tika.`, ...advice)
}
