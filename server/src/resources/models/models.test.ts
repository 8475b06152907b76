import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startApi } from '../../testing/api.ts'
import { ask } from '../../testing/ask.ts'
import { weightsDir } from '../../testing/weights.ts'

const api = await startApi({ after }, { DOCLING_URL: 'http://127.0.0.1:1' }, undefined, false)
const CHAT = { CHAT_BASE_URL: 'http://llm.example.com/v1', CHAT_MODEL: 'Vendor/Writer:7b' }
const rich = await startApi({ after }, { ...CHAT, OCTAVO_MODELS_DIR: weightsDir() }, undefined, false)
const plain = await startApi({ after }, {}, undefined, false)

test('a reader and an engine are always available and are the defaults', async () => {
  const { data } = await plain.owner.models.list()
  const [reader] = data

  assert.deepEqual(
    data.map(({ id, object, kind, locality, is_default }) => [id, object, kind, locality, is_default]),
    [
      ['built_in', 'model', 'reader', 'local', true],
      ['built_in_text', 'model', 'engine', 'local', true],
    ],
  )
  assert.equal(reader?.version, plain.app.config.version)
  assert.ok(reader.languages.includes('en'), reader.languages.join(' '))
})

test('lists a configured reader even while it is unavailable', async () => {
  const { data } = await api.owner.models.list({ kind: 'reader' })

  assert.deepEqual(
    data.map(({ id, locality, is_default }) => [id, locality, is_default]),
    [
      ['built_in', 'local', true],
      ['docling', 'remote', false],
    ],
  )
  assert.deepEqual(await api.owner.models.get('docling'), data[1])
})

test('models show their provider, limits and whether they are the default', async () => {
  const { data } = await rich.owner.models.list()

  assert.deepEqual(
    data.map(({ id, kind, provider, locality, dimensions, is_default }) => [
      id,
      kind,
      provider,
      locality,
      dimensions,
      is_default,
    ]),
    [
      ['all-minilm-l6-v2', 'embedder', 'built_in', 'local', 384, true],
      ['bge-small-en-v1.5', 'embedder', 'built_in', 'local', 384, false],
      ['built_in', 'reader', 'built_in', 'local', null, true],
      ['built_in_text', 'engine', 'built_in', 'local', null, true],
      ['vendor/writer:7b', 'generator', 'chat', 'remote', null, true],
    ],
  )
  const { licence, context_tokens, price, version } = await rich.owner.models.get('bge-small-en-v1.5')
  assert.deepEqual([licence, context_tokens, price, version], ['MIT', 512, { input: 0, output: 0 }, 'int8-6c9c6101'])
  assert.deepEqual(await rich.owner.models.get('vendor/writer:7b'), data[4])
  assert.deepEqual((await rich.owner.models.list({ kind: 'embedder' })).data, data.slice(0, 2))
})

test('an unknown model is not found, and the list is paged', async () => {
  const first = await api.owner.models.list({ limit: 2 })
  const second = await api.owner.models.list({ limit: 2, cursor: first.cursor! })

  assert.deepEqual([first.data[0]?.id, second.data[0]?.id, second.has_next_page], ['built_in', 'docling', false])
  await assert.rejects(plain.owner.models.get('docling'), { code: 'not_found' })
  await assert.rejects(plain.owner.models.get('toString'), { code: 'not_found' })
})

test('any key may list models, but a key is required', async () => {
  const { secret } = await api.newKey(api.owner_tenant, { scopes: ['events:read'] })

  assert.equal((await ask(api, '/api/v1/models', { key: secret })).status, 200)
  assert.equal((await ask(api, '/api/v1/models', { key: null })).status, 401)
})

test('capabilities list the supported formats and limits', async () => {
  const { formats, limits, features } = await api.owner.capabilities.get()

  for (const type of ['application/pdf', 'text/plain', 'text/html', 'image/png', 'message/rfc822'])
    assert.ok(formats.includes(type), type)
  assert.equal(new Set(formats).size, formats.length)
  for (const feature of ['uploads', 'files', 'chunks', 'models']) assert.ok(features.includes(feature), feature)
  assert.deepEqual(
    [limits.file_bytes, limits.read_bytes],
    [api.app.config.max_file_bytes, api.app.config.parsing.max_read_bytes],
  )
})
