import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { cpSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { checkArchitecture } from './architecture.ts'
import { namesOf } from './new/names.ts'
import { createResource } from './new.ts'

const folders: string[] = []
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true })))

/** A copy of the sources that a new resource touches. */
function copyOfSources(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-new-'))
  folders.push(folder)
  for (const path of ['contract/src', 'server/src']) {
    cpSync(join(import.meta.dirname, '..', path), join(folder, path), {
      recursive: true,
      filter: (file) => !file.endsWith('.test.ts'),
    })
  }
  return folder
}
const read = (root: string, path: string): string => readFileSync(join(root, path), 'utf8')

test('a new resource is six files and two lines in the list of routes', () => {
  const root = copyOfSources()

  const { created, changed } = createResource(root, 'quagmires')

  const last = readdirSync(join(root, 'server/src/db/migrations')).toSorted().at(-1)!
  assert.deepEqual(created, [
    'contract/src/quagmires.ts',
    `server/src/db/migrations/${last}`,
    'server/src/resources/quagmires/quagmires.store.ts',
    'server/src/resources/quagmires/quagmires.service.ts',
    'server/src/resources/quagmires/quagmires.routes.ts',
    'server/src/resources/quagmires/quagmires.test.ts',
  ])
  assert.match(last, /^\d{4}_quagmires\.sql$/)
  for (const path of created) {
    assert.ok(read(root, path).split('\n').length < 110, `${path} is long`)
    assert.doesNotMatch(read(root, path), /\{\{|\}\}'|undefined_/)
  }
  const gained = changed.map((path) => {
    const old = new Set(read(join(import.meta.dirname, '..'), path).split('\n'))
    return read(root, path)
      .split('\n')
      .filter((line) => !old.has(line))
  })
  assert.deepEqual(gained, [
    ["import { quagmireRoutes } from './resources/quagmires/quagmires.routes.ts'", '  quagmireRoutes(routes)'],
  ])
})

test('the written files pass the architecture check', () => {
  const root = copyOfSources()

  createResource(root, 'quagmires')

  assert.deepEqual(checkArchitecture(root, 1).problems, [])
})

test('keeps imports sorted', () => {
  const root = copyOfSources()

  createResource(root, 'odd-quagmires')

  const imports = read(root, 'server/src/api.ts').matchAll(/^import .*from '(\..*)\.ts'$/gm)
  const modules = [...imports].map(([, module = '']) => module)
  assert.ok(modules.includes('./resources/odd-quagmires/odd-quagmires.routes'))
  assert.deepEqual(modules, modules.toSorted())
})

test('spells a name of two words correctly everywhere', () => {
  const names = namesOf('saved-searches')

  assert.deepEqual(names, {
    prefix: 'savsea',
    'things-path': 'saved-searches',
    things: 'saved_searches',
    thing: 'saved_search',
    Things: 'SavedSearches',
    Thing: 'SavedSearch',
    thingsVar: 'savedSearches',
    thingVar: 'savedSearch',
    'many things': 'saved searches',
    'one thing': 'saved search',
    'a thing': 'a saved search',
    'A thing': 'A saved search',
  })
  assert.deepEqual(
    [namesOf('entries').thing, namesOf('invoices').prefix, namesOf('entries')['a thing']],
    ['entry', 'invo', 'an entry'],
  )
  assert.equal(namesOf('media', { singular: 'medium' }).Thing, 'Medium')
})

test('refuses an invalid, existing or clashing name and writes nothing', () => {
  const root = copyOfSources()
  const before = readdirSync(join(root, 'contract/src'))

  for (const name of ['Labels', 'my_labels', '-labels', '../labels', ''])
    assert.throws(() => createResource(root, name), /is not a plural noun/)
  assert.throws(() => createResource(root, 'media'), /The singular of 'media' is not clear/)
  assert.throws(
    () => createResource(root, 'documents', { prefix: 'dcm' }),
    /contract\/src\/documents\.ts exists already/,
  )
  assert.throws(() => createResource(root, 'quagmires', { prefix: 'doc' }), /The prefix 'doc' is taken/)
  assert.throws(() => createResource(root, 'quagmires', { prefix: 'L1' }), /cannot be a prefix of ids/)
  assert.throws(
    () => createResource(root, 'language-analyses', { singular: 'language-analysis' }),
    /The name 'LanguageAnalysis' is taken: see contract\/src\/analysis\.ts/,
  )
  assert.deepEqual(readdirSync(join(root, 'contract/src')), before)
})

test('rolls back everything if a later step fails', () => {
  const root = copyOfSources()
  const listing = (): string[] =>
    globSync('**', { cwd: root, withFileTypes: true }).map((entry) => {
      const path = join(entry.parentPath, entry.name)
      return entry.isFile() ? `${path} ${hash('sha256', readFileSync(path))}` : path
    })
  const before = listing()

  assert.throws(
    () =>
      createResource(root, 'quagmires', {}, () => {
        throw new Error('the description failed')
      }),
    /the description failed/,
  )
  assert.deepEqual(listing(), before)
})
