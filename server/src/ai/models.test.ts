import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { cosine, never } from '../testing/embedders.ts'
import { weightsDir } from '../testing/weights.ts'
import { readCatalogue } from './catalogue.ts'
import { openModels } from './models.ts'

const EMPTY = readCatalogue({})

function open(t: TestContext, models_dir: string | null, models = EMPTY) {
  const opened = openModels({ version: '1.2.3', models_dir, models, model_threads: 2 })
  t.after(() => opened.close())
  return opened
}

test('without weights, lists only the engine that needs none', (t) => {
  const models = open(t, null)

  assert.deepEqual(
    models.list().map(({ id, kind, version }) => [id, kind, version]),
    [['built_in_text', 'engine', '1.2.3']],
  )
  assert.deepEqual(models.defaults, { embedder: null, labels: null, generator: null })
  assert.deepEqual(
    [models.embedder('all-minilm-l6-v2'), models.embedder('built_in_text'), models.find('toString')],
    [null, null, null],
  )
})

test('a folder without weight files counts as no weights', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'models-'))
  t.after(() => rmSync(dir, { recursive: true }))

  assert.deepEqual(open(t, dir).defaults, { embedder: null, labels: null, generator: null })
})

test('with weights, lists two embedders, one for search and one for labels', async (t) => {
  const models = open(t, weightsDir())

  assert.deepEqual(
    models.list().map(({ id, kind, provider, locality, dimensions }) => [id, kind, provider, locality, dimensions]),
    [
      ['built_in_text', 'engine', 'built_in', 'local', null],
      ['all-minilm-l6-v2', 'embedder', 'built_in', 'local', 384],
      ['bge-small-en-v1.5', 'embedder', 'built_in', 'local', 384],
    ],
  )
  assert.deepEqual(models.defaults, { embedder: 'all-minilm-l6-v2', labels: 'bge-small-en-v1.5', generator: null })
  const vectors = []
  for (const id of ['all-minilm-l6-v2', 'bge-small-en-v1.5'])
    vectors.push(...(await models.embedder(id)!.embed(['The same words.'], { as: 'text', signal: never() })).vectors)
  // Each model uses its own weights.
  assert.ok(Math.abs(cosine(vectors[0], vectors[1])) < 0.5)
  const { sharedObjects } = process.report.getReport() as { sharedObjects: string[] }
  assert.ok(sharedObjects.length > 0)
  assert.deepEqual(
    sharedObjects.filter((path) => path.includes('onnxruntime')),
    [],
    'what runs models must be in a process of its own',
  )
})

test("lists the operator's models next to the built-in ones, each with its kind", (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'models-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const entry = (id: string, kind: string, more: object = {}) => ({
    id,
    provider: 'near',
    model: id,
    kind,
    context_tokens: 512,
    ...more,
  })
  const MODELS_FILE = join(dir, 'models.json')
  writeFileSync(
    MODELS_FILE,
    JSON.stringify({
      providers: [{ id: 'near', base_url: 'http://127.0.0.1:1/v1', locality: 'local' }],
      models: [
        entry('writes', 'generator'),
        entry('embeds', 'embedder', { dimensions: 8 }),
        entry('ranks', 'reranker'),
      ],
      defaults: { embedder: 'embeds', labels: 'bge-small-en-v1.5' },
    }),
  )
  const models = open(t, null, readCatalogue({ MODELS_FILE }))

  assert.deepEqual(
    ['writes', 'embeds', 'ranks'].map((id) =>
      [models.generator(id), models.embedder(id), models.reranker(id)].map((one) => one?.card.kind),
    ),
    [
      ['generator', undefined, undefined],
      [undefined, 'embedder', undefined],
      [undefined, undefined, 'reranker'],
    ],
  )
  // A configured default that does not exist is not offered.
  assert.deepEqual(models.defaults, { embedder: 'embeds', labels: null, generator: null })
})
