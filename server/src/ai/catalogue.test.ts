import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { cardOf, readCatalogue } from './catalogue.ts'

const dir = mkdtempSync(join(tmpdir(), 'catalogue-'))
after(() => rmSync(dir, { recursive: true }))

let count = 0
function writeCatalogue(content: unknown): string {
  const path = join(dir, `${++count}.json`)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const ollama = { id: 'ollama', base_url: 'http://127.0.0.1:11434/v1/', locality: 'local' }
const hosted = { id: 'hosted', base_url: 'https://llm.example.com/v1', locality: 'remote', api_key_env: 'HOSTED_KEY' }
const llama = { id: 'llama3.2', provider: 'ollama', model: 'llama3.2:3b', kind: 'generator', context_tokens: 8192 }
const nomic = {
  id: 'nomic',
  provider: 'hosted',
  model: 'nomic-embed-text',
  kind: 'embedder',
  context_tokens: 2048,
  dimensions: 768,
}
const whole = {
  providers: [ollama, hosted],
  models: [llama, nomic],
  defaults: { generator: 'llama3.2', embedder: 'nomic' },
}

const read = (content: unknown, env: Record<string, string> = { HOSTED_KEY: 'hidden' }) =>
  readCatalogue({ ...env, MODELS_FILE: writeCatalogue(content) })

test('returns an empty catalog without a models file', () => {
  assert.deepEqual(readCatalogue({}), {
    providers: [],
    models: [],
    defaults: { generator: null, embedder: null, labels: null },
  })
})

test('reads a models file with its defaults and takes keys from the environment', () => {
  const { providers, models, defaults } = read(whole)

  assert.deepEqual(providers, [
    { id: 'ollama', base_url: 'http://127.0.0.1:11434/v1', api_key: null, locality: 'local', headers: {} },
    { id: 'hosted', base_url: 'https://llm.example.com/v1', api_key: 'hidden', locality: 'remote', headers: {} },
  ])
  assert.deepEqual(models[0], {
    ...llama,
    capabilities: ['generate'],
    dimensions: null,
    max_batch: 64,
    price: { input: 0, output: 0 },
    licence: null,
    languages: [],
    version: 'llama3.2:3b',
    supports_schema: true,
    timeout_seconds: 120,
    max_concurrency: null,
  })
  assert.deepEqual(defaults, { generator: 'llama3.2', embedder: 'nomic', labels: null })
})

test('a model card describes the model and reveals nothing about its server', () => {
  const { providers, models } = read({
    ...whole,
    models: [{ ...llama, capabilities: ['vision'], price: { input: 5, output: 7 } }],
    defaults: {},
  })

  assert.deepEqual(cardOf(models[0]!, providers[0]!), {
    id: 'llama3.2',
    kind: 'generator',
    provider: 'ollama',
    version: 'llama3.2:3b',
    locality: 'local',
    capabilities: ['generate', 'vision'],
    context_tokens: 8192,
    dimensions: null,
    price: { input: 5, output: 7 },
    licence: null,
    languages: [],
  })
})

const WRONG: [title: string, content: unknown, message: string | RegExp][] = [
  ['no JSON', '{"hidden', /^MODELS_FILE: '.*' cannot be read: it is not JSON\.$/],
  ['no object', [], 'MODELS_FILE: the file must be object.'],
  ['no models', { providers: [] }, 'MODELS_FILE: the file must have required properties models.'],
  ['a word that nobody knows', { ...whole, model: 1 }, "MODELS_FILE: the file must not have 'model'."],
  [
    'a key in the file',
    { ...whole, providers: [{ ...ollama, api_key: 'hidden' }] },
    "MODELS_FILE: providers[0] must not have 'api_key': name an environment variable with 'api_key_env'.",
  ],
  [
    'a key in a header',
    { ...whole, providers: [{ ...ollama, headers: { Authorization: 'hidden' } }] },
    "MODELS_FILE: providers[0].headers must not have 'Authorization': name an environment variable with 'api_key_env'.",
  ],
  [
    'a key that is not set',
    { ...whole, providers: [{ ...ollama, api_key_env: 'NOT_SET' }] },
    'MODELS_FILE: providers[0].api_key_env names NOT_SET, which is not set.',
  ],
  [
    'another kind',
    { ...whole, models: [{ ...llama, kind: 'reader' }] },
    'MODELS_FILE: models[0].kind must be one of embedder, generator, reranker.',
  ],
  [
    'capitals in an id',
    { ...whole, models: [llama, { ...nomic, id: 'Nomic' }] },
    /^MODELS_FILE: models\[1\]\.id must match pattern/,
  ],
  [
    'too long an id',
    { ...whole, models: [{ ...llama, id: 'x'.repeat(101) }] },
    /^MODELS_FILE: models\[0\]\.id must match pattern/,
  ],
  [
    'a size of nothing',
    { ...whole, models: [{ ...llama, context_tokens: 0 }] },
    /^MODELS_FILE: models\[0\]\.context_tokens must be >= 1\.$/,
  ],
  ['an id twice', { ...whole, models: [llama, llama] }, "MODELS_FILE: the id 'llama3.2' is taken."],
  ['an id of ours', { ...whole, models: [{ ...llama, id: 'docling' }] }, "MODELS_FILE: the id 'docling' is taken."],
  ['a provider twice', { ...whole, providers: [ollama, ollama] }, "MODELS_FILE: the id 'ollama' is taken."],
  [
    'no such provider',
    { ...whole, models: [{ ...llama, provider: 'other' }] },
    "MODELS_FILE: the model 'llama3.2' names an unknown provider: 'other'.",
  ],
  [
    'an embedder without dimensions',
    { ...whole, models: [{ ...nomic, dimensions: undefined }] },
    "MODELS_FILE: the model 'nomic' must have 'dimensions' if it is an embedder, and only then.",
  ],
  [
    'an embedder that looks',
    { ...whole, models: [{ ...nomic, capabilities: ['vision'] }] },
    "MODELS_FILE: the model 'nomic' cannot have the capability 'vision': its kind is embedder.",
  ],
  [
    'a default of another kind',
    { ...whole, defaults: { generator: 'nomic' } },
    "MODELS_FILE: defaults.generator names an unknown generator: 'nomic'.",
  ],
  [
    'a default that is not there',
    { ...whole, defaults: { labels: 'x' } },
    "MODELS_FILE: defaults.labels names an unknown embedder: 'x'.",
  ],
  [
    'an address with a password',
    { ...whole, providers: [{ ...ollama, base_url: 'http://me:hidden@host' }] },
    /^MODELS_FILE: providers\[0\]\.base_url must/,
  ],
  [
    'an address of another kind',
    { ...whole, providers: [{ ...ollama, base_url: 'file:///etc' }] },
    /^MODELS_FILE: providers\[0\]\.base_url must/,
  ],
]
for (const [title, content, message] of WRONG) {
  test(`refuses a models file with ${title} in one line without secrets`, () => {
    assert.throws(
      () => read(content),
      (error: Error) => {
        assert.doesNotMatch(error.message, /hidden|\n/)
        if (typeof message === 'string') assert.equal(error.message, message)
        else assert.match(error.message, message)
        return true
      },
    )
  })
}

test('names a models file that does not exist', () => {
  assert.throws(() => readCatalogue({ MODELS_FILE: join(dir, 'none.json') }), {
    message: /^MODELS_FILE: '.*none\.json' cannot be read: ENOENT/,
  })
})

test('three variables configure one server whose model becomes the default', () => {
  const { providers, models, defaults } = readCatalogue({
    CHAT_BASE_URL: 'http://localhost:8080/v1/',
    CHAT_MODEL: 'Qwen/Qwen3-4B',
    CHAT_API_KEY: 'hidden',
  })

  assert.deepEqual(providers, [
    { id: 'chat', base_url: 'http://localhost:8080/v1', api_key: 'hidden', locality: 'local', headers: {} },
  ])
  assert.deepEqual(
    [models[0]?.id, models[0]?.model, models[0]?.context_tokens],
    ['qwen/qwen3-4b', 'Qwen/Qwen3-4B', null],
  )
  assert.equal(defaults.generator, 'qwen/qwen3-4b')
})

test('a server is remote unless it is on this machine or the operator declares it local', () => {
  const localityOf = (CHAT_BASE_URL: string, CHAT_LOCALITY?: string) =>
    readCatalogue({ CHAT_BASE_URL, CHAT_MODEL: 'm', CHAT_LOCALITY }).providers[0]?.locality

  for (const host of ['localhost', '127.0.0.1:1', '127.9.9.9', '[::1]:8080'])
    assert.equal(localityOf(`http://${host}/v1`), 'local', host)
  for (const host of ['llm.example.com', '10.0.0.1', '127.0.0.1.example.com', 'localhost.example.com'])
    assert.equal(localityOf(`http://${host}/v1`), 'remote', host)
  assert.equal(localityOf('http://10.0.0.1/v1', 'local'), 'local')
  assert.equal(localityOf('http://localhost/v1', 'remote'), 'remote')
})

test('refuses variables that do not fit together', () => {
  const message = 'CHAT_BASE_URL and CHAT_MODEL must be set together.'
  assert.throws(() => readCatalogue({ CHAT_MODEL: 'm' }), { message })
  assert.throws(() => readCatalogue({ CHAT_BASE_URL: 'http://localhost' }), { message })
  assert.throws(() => readCatalogue({ CHAT_BASE_URL: 'localhost:80', CHAT_MODEL: 'm' }), {
    message: /^CHAT_BASE_URL must be/,
  })
  assert.throws(() => readCatalogue({ CHAT_BASE_URL: 'http://localhost', CHAT_MODEL: 'a b' }), {
    message: /^CHAT_MODEL must have/,
  })
  assert.throws(() => readCatalogue({ CHAT_LOCALITY: 'here' }), {
    message: "CHAT_LOCALITY must be one of auto, local, remote, not 'here'.",
  })
})
