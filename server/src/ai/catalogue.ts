// The operator's list of models that other servers run: one file, or three variables for one server. Checked at start.

import { readFileSync } from 'node:fs'
import { messageOf } from '@octavo/base/unknown.ts'
import { type Static, Type } from 'typebox'
import { Errors } from 'typebox/value'
import { type Env, oneOf } from '../config/env.ts'
import type { ModelCard } from './model.ts'

export interface Provider {
  id: string
  /** Without a slash at its end, such as `http://127.0.0.1:11434/v1`. */
  base_url: string
  api_key: string | null
  locality: 'local' | 'remote'
  headers: Readonly<Record<string, string>>
}

export interface RemoteModel {
  /** The id that requests use. */
  id: string
  /** The id of its provider. */
  provider: string
  /** The model's name on its server. */
  model: string
  kind: 'embedder' | 'generator' | 'reranker'
  capabilities: ModelCard['capabilities']
  context_tokens: number | null
  /** Set for every embedder. */
  dimensions: number | null
  /** Most texts in one request. */
  max_batch: number
  price: { input: number; output: number }
  licence: string | null
  languages: readonly string[]
  version: string
  /** The server understands `response_format` with a JSON Schema. */
  supports_schema: boolean
  timeout_seconds: number
  /** Requests of one process at the same time; null: no bound. */
  max_concurrency: number | null
}

export interface Catalogue {
  providers: readonly Provider[]
  models: readonly RemoteModel[]
  defaults: { generator: string | null; embedder: string | null; labels: string | null }
}

/** Ids that this server gives itself, to models and readers. */
const builtInIds = ['all-minilm-l6-v2', 'bge-small-en-v1.5', 'built_in_text', 'built_in', 'docling', 'tika'] as const
const EMBEDDERS: readonly string[] = builtInIds.slice(0, 2)

const MAX_FILE_BYTES = 1_000_000
const TIMEOUT_SECONDS = 120
const MAX_BATCH = 64
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/
/** Secrets come from the environment: a file of models is shown around and checked in. */
const SECRET_HEADER = /authorization|cookie|token|secret|key/i

const ID = /^[a-z0-9][a-z0-9._:/-]{0,99}$/
const Id = Type.String({ pattern: ID.source })
const Word = Type.String({ minLength: 1, maxLength: 200 })
const Micros = Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 })
const Size = (maximum: number) => Type.Integer({ minimum: 1, maximum })
const closed = { additionalProperties: false }

const ProviderEntry = Type.Object(
  {
    id: Id,
    base_url: Word,
    api_key_env: Type.Optional(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,99}$' })),
    locality: Type.Enum(['local', 'remote']),
    headers: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Za-z0-9-]{1,100}$' }), Type.String({ maxLength: 1_000 }), closed),
    ),
  },
  closed,
)
const ModelEntry = Type.Object(
  {
    id: Id,
    provider: Id,
    model: Word,
    kind: Type.Enum(['embedder', 'generator', 'reranker']),
    capabilities: Type.Optional(Type.Array(Type.Enum(['embed', 'generate', 'vision', 'rerank']), { maxItems: 4 })),
    context_tokens: Size(100_000_000),
    dimensions: Type.Optional(Size(16_000)),
    max_batch: Type.Optional(Size(10_000)),
    price: Type.Optional(Type.Object({ input: Micros, output: Micros }, closed)),
    licence: Type.Optional(Word),
    languages: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 35 }), { maxItems: 1_000 })),
    version: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    supports_schema: Type.Optional(Type.Boolean()),
    timeout_seconds: Type.Optional(Size(3_600)),
    max_concurrency: Type.Optional(Size(10_000)),
  },
  closed,
)
const CatalogueFile = Type.Object(
  {
    providers: Type.Array(ProviderEntry, { maxItems: 100 }),
    models: Type.Array(ModelEntry, { maxItems: 1_000 }),
    defaults: Type.Optional(
      Type.Object({ generator: Type.Optional(Id), embedder: Type.Optional(Id), labels: Type.Optional(Id) }, closed),
    ),
  },
  closed,
)
type CatalogueFile = Static<typeof CatalogueFile>

/** Throws one sentence that says what is wrong, and never repeats a secret. */
export function readCatalogue(env: Env): Catalogue {
  const chat = readChat(env)
  const file = env.MODELS_FILE ? readCatalogueFile(env.MODELS_FILE) : { providers: [], models: [] }
  const catalogue: Catalogue = {
    providers: [
      ...file.providers.map((entry, index) => providerOf(entry, env, `providers[${index}]`)),
      ...(chat ? [chat.provider] : []),
    ],
    models: [...file.models.map(modelOf), ...(chat ? [chat.model] : [])],
    defaults: { embedder: null, labels: null, generator: chat?.model.id ?? null, ...file.defaults },
  }
  checkCatalogue(catalogue)
  return catalogue
}

export function cardOf(entry: RemoteModel, { id: provider, locality }: Provider): ModelCard {
  const { id, kind, version, capabilities, context_tokens, dimensions, price, licence, languages } = entry
  return { id, kind, provider, version, locality, capabilities, context_tokens, dimensions, price, licence, languages }
}

function wrong(where: string, problem: string): Error {
  return new Error(`MODELS_FILE: ${where} ${problem}.`)
}

function readCatalogueFile(path: string): CatalogueFile {
  let value: unknown
  try {
    const bytes = readFileSync(path)
    if (bytes.length > MAX_FILE_BYTES) throw new Error(`it is larger than ${MAX_FILE_BYTES} bytes`)
    value = JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    // A parser's message may quote the file's content.
    const reason = error instanceof SyntaxError ? 'it is not JSON' : messageOf(error)
    throw new Error(`MODELS_FILE: '${path}' cannot be read: ${reason}.`, { cause: error })
  }
  // TypeBox reports an unknown property twice, first without its name.
  const error = Errors(CatalogueFile, value).find(({ keyword }) => keyword !== 'boolean')
  if (error) throw wrong(pointerPath(error.instancePath), problemOf(error))
  return value as CatalogueFile
}

/** `/models/0/kind` → `models[0].kind` */
const pointerPath = (pointer: string): string =>
  pointer
    .slice(1)
    .replaceAll(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.') || 'the file'

function problemOf({ keyword, params, message }: { keyword: string; params: object; message: string }): string {
  const { additionalProperties = [], allowedValues = [] } = params as {
    additionalProperties?: string[]
    allowedValues?: string[]
  }
  const [unknown] = additionalProperties
  if (unknown === 'api_key') return "must not have 'api_key': name an environment variable with 'api_key_env'"
  if (unknown !== undefined) return `must not have '${unknown.slice(0, 100)}'`
  if (keyword === 'enum') return `must be one of ${allowedValues.join(', ')}`
  return message.replace(/\.$/, '')
}

function providerOf(entry: CatalogueFile['providers'][number], env: Env, where: string): Provider {
  const { id, locality, api_key_env, headers = {} } = entry
  const secret = Object.keys(headers).find((name) => SECRET_HEADER.test(name))
  if (secret !== undefined)
    throw wrong(`${where}.headers`, `must not have '${secret}': name an environment variable with 'api_key_env'`)
  const api_key = api_key_env === undefined ? null : env[api_key_env] || null
  if (api_key_env !== undefined && api_key === null)
    throw wrong(`${where}.api_key_env`, `names ${api_key_env}, which is not set`)
  const base_url = findBaseUrl(entry.base_url)
  if (base_url === null)
    throw wrong(`${where}.base_url`, 'must be an http or https URL without user, query and fragment')
  return { id, base_url, api_key, locality, headers }
}

function findBaseUrl(value: string): string | null {
  const url = URL.parse(value)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) return null
  return value.replace(/\/+$/, '')
}

const CAPABILITIES = { embedder: ['embed'], generator: ['generate'], reranker: ['rerank'] } as const

function modelOf(entry: CatalogueFile['models'][number]): RemoteModel {
  return {
    dimensions: null,
    max_batch: MAX_BATCH,
    price: { input: 0, output: 0 },
    licence: null,
    languages: [],
    version: entry.model.slice(0, 100),
    // A server that does not support schemas rejects the call; the schema then goes into the prompt.
    supports_schema: true,
    timeout_seconds: TIMEOUT_SECONDS,
    max_concurrency: null,
    ...entry,
    // The capability of the model's kind is always included.
    capabilities: [...new Set([...CAPABILITIES[entry.kind], ...(entry.capabilities ?? [])])],
  }
}

/** `CHAT_BASE_URL` and `CHAT_MODEL`: one server with one generator, without a file. */
function readChat(env: Env): { provider: Provider; model: RemoteModel } | null {
  const locality = oneOf(env, 'CHAT_LOCALITY')
  const [address, model, api_key] = [env.CHAT_BASE_URL || null, env.CHAT_MODEL || null, env.CHAT_API_KEY || null]
  if (address === null && model === null) return null
  if (address === null || model === null) throw new Error('CHAT_BASE_URL and CHAT_MODEL must be set together.')
  const base_url = findBaseUrl(address)
  if (base_url === null) throw new Error('CHAT_BASE_URL must be an http or https URL without user, query and fragment.')
  const id = model.toLowerCase()
  if (!ID.test(id)) throw new Error('CHAT_MODEL must have 1 to 100 letters, digits or any of ._:/- after the first.')
  const near = LOOPBACK.test(new URL(base_url).hostname) ? 'local' : 'remote'
  const entry = modelOf({ id, provider: 'chat', model, kind: 'generator', context_tokens: 1 })
  return {
    provider: { id: 'chat', base_url, api_key, locality: locality === 'auto' ? near : locality, headers: {} },
    model: { ...entry, context_tokens: null },
  }
}

function checkCatalogue({ providers, models, defaults }: Catalogue): void {
  const provider_ids = ['built_in', ...providers.map(({ id }) => id)]
  const model_ids = [...builtInIds, ...models.map(({ id }) => id)]
  for (const ids of [provider_ids, model_ids]) {
    const twice = ids.find((id, index) => ids.indexOf(id) < index)
    if (twice !== undefined) throw wrong(`the id '${twice}'`, 'is taken')
  }
  for (const { id, provider, kind, dimensions, capabilities } of models) {
    if (!provider_ids.includes(provider) || provider === 'built_in')
      throw wrong(`the model '${id}'`, `names an unknown provider: '${provider}'`)
    if ((kind === 'embedder') !== (dimensions !== null))
      throw wrong(`the model '${id}'`, "must have 'dimensions' if it is an embedder, and only then")
    const strange = capabilities.find(
      (one) => one !== CAPABILITIES[kind][0] && !(kind === 'generator' && one === 'vision'),
    )
    if (strange !== undefined)
      throw wrong(`the model '${id}'`, `cannot have the capability '${strange}': its kind is ${kind}`)
  }
  for (const [name, id] of Object.entries(defaults)) {
    const kind = name === 'generator' ? 'generator' : 'embedder'
    const is_known =
      models.some((one) => one.id === id && one.kind === kind) ||
      (kind === 'embedder' && id !== null && EMBEDDERS.includes(id))
    if (id !== null && !is_known) throw wrong(`defaults.${name}`, `names an unknown ${kind}: '${id}'`)
  }
}
