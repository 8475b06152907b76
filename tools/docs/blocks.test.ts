// Checks the code blocks of pages: JSON must match the API, settings must exist. Commands are run by
// server/src/testing/guides.test.ts.

import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseEnv } from 'node:util'
import { readCatalogue } from '../../server/src/ai/catalogue.ts'
import { settings } from '../../server/src/config/settings.ts'
import { fencesOf } from './markdown.ts'
import { ROOT } from './pages.ts'
import { unknownMembers } from './shown-json.ts'

/** `sh`, `ts` and `python` are typed by readers, `text` is what they see. */
const languages = ['sh', 'ts', 'python', 'json', 'ini', 'toml', 'yaml', 'text']

const pages = ['README.md', 'sdk/README.md', ...globSync('{docs,clients/*}/*.md', { cwd: ROOT }).toSorted()]
const blocks = pages.flatMap((path) =>
  fencesOf(readFileSync(join(ROOT, path), 'utf8')).map((fence) => ({ ...fence, at: `${path}:${fence.line}` })),
)

test('every code block declares a known language', () => {
  assert.ok(blocks.length > 50)
  assert.deepEqual(
    blocks.filter(({ language }) => !languages.includes(language)).map(({ at, language }) => `${at} '${language}'`),
    [],
  )
})

test('JSON in the docs has only fields of the API', () => {
  for (const { at, body } of blocks.filter(({ language }) => language === 'json'))
    assert.deepEqual(unknownMembers(body), [], at)
})

test('settings in the docs exist', () => {
  for (const { at, body } of blocks.filter(({ language }) => language === 'ini'))
    for (const name of Object.keys(parseEnv(body))) assert.ok(name in settings, `${at} sets ${name}`)
})

test('the models file in the docs is valid', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-models-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const MODELS_FILE = join(folder, 'models.json')
  writeFileSync(
    MODELS_FILE,
    blocks.find(({ at, language }) => at.startsWith('docs/configuration.md') && language === 'json')!.body,
  )

  const { models, defaults } = readCatalogue({ MODELS_FILE, HOSTED_KEY: 'secret' })

  assert.deepEqual([models.length, defaults.generator], [2, 'llama3.2'])
})

test('detects an unknown field and invalid JSON', () => {
  assert.deepEqual(unknownMembers('{"object": "summary", "txt": "a", …}'), ['txt'])
  assert.deepEqual(unknownMembers('{"object": "summary", "sentences": [{"text": "a", "page": 1}, …]}'), [
    'sentences.page',
  ])
  assert.throws(() => unknownMembers('{"object": "summary" "text": "a"}'))
})
