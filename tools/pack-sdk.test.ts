import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'octavo-pack-'))
const source = join(folder, 'source')
const app = join(folder, 'app')
const installed = join(app, 'node_modules/@octavo/sdk')
after(() => rmSync(folder, { recursive: true }))

const run = (cwd: string, program: string, ...args: string[]): string =>
  execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

const PROGRAM = `
const client = new Octavo({ base_url: 'http://127.0.0.1:9', api_key: 'none', max_retries: 0 })
client.projects.list().then(
  () => console.log('answered'),
  (error) => console.log(error instanceof ConnectionError, typeof client.documents.createAndWait),
)
`

// Packs a copy: while npm packs, package.json names files that other tests do not have.
before(() => {
  for (const path of ['package.json', '.npmrc', 'sdk', 'LICENSE', 'tools/pack-sdk.ts'])
    cpSync(join(root, path), join(source, path), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'))
  run(source, 'npm', 'run', 'pack-sdk', '--', '--pack-destination', folder)
  mkdirSync(app)
  writeFileSync(join(app, 'package.json'), '{ "name": "app", "private": true }')
  const [tarball] = globSync('*.tgz', { cwd: folder })
  run(app, 'npm', 'install', '--offline', '--no-audit', '--no-fund', join(folder, tarball!))
})

test('the packed SDK has JavaScript, declarations, its README and its license, but no tests', () => {
  const files = globSync('**/*', { cwd: installed, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1))

  const others = files.filter((path) => !/^dist\/.*\.(js|d\.ts)$/.test(path))
  assert.deepEqual(others.toSorted(), ['LICENSE', 'README.md', 'package.json'])
  assert.ok(files.includes('dist/index.js') && files.includes('dist/index.d.ts'))
  assert.ok(!files.some((path) => /test/.test(path)), files.join('\n'))
})

test('the packed SDK has no dependencies', () => {
  const foreign = globSync('dist/**/*.{js,ts}', { cwd: installed }).flatMap((path) =>
    [
      ...readFileSync(join(installed, path), 'utf8').matchAll(/(?:from|import\(|require\()\s*['"]([^.'"][^'"]*)['"]/g),
    ].map(([, name]) => `${path}: ${name}`),
  )
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>

  assert.deepEqual(foreign, [])
  assert.deepEqual([manifest['dependencies'], manifest['scripts']], [undefined, undefined])
  assert.equal(manifest['private'], undefined, 'npm publishes no private package')
})

test('the packed SDK runs with import and with require()', () => {
  writeFileSync(join(app, 'main.mjs'), `import { ConnectionError, Octavo } from '@octavo/sdk'${PROGRAM}`)
  writeFileSync(join(app, 'main.cjs'), `const { ConnectionError, Octavo } = require('@octavo/sdk')${PROGRAM}`)

  assert.equal(run(app, process.execPath, 'main.mjs'), 'true function\n')
  assert.equal(run(app, process.execPath, 'main.cjs'), 'true function\n')
})

test('the packed SDK has types for NodeNext and for bundlers', () => {
  writeFileSync(
    join(app, 'types.mts'),
    `import { Octavo, type Document } from '@octavo/sdk'
const client = new Octavo({ base_url: 'http://127.0.0.1:9', api_key: 'none' })
export const title: Promise<string> = client.documents.get('doc_1').then((document: Document) => document.title)
// @ts-expect-error: the types are there, and not any
export const wrong: Promise<number> = client.documents.get('doc_1').then((document) => document.title)
`,
  )
  const common = ['--noEmit', '--strict', '--target', 'es2024', '--lib', 'es2024,dom', '--types', '', 'types.mts']
  const tsc = join(root, 'node_modules/.bin/tsc')

  run(app, tsc, '--ignoreConfig', '--module', 'nodenext', ...common)
  run(app, tsc, '--ignoreConfig', '--module', 'preserve', '--moduleResolution', 'bundler', ...common)
})

test('packing leaves the workspace unchanged', () => {
  assert.equal(
    readFileSync(join(source, 'sdk/package.json'), 'utf8'),
    readFileSync(join(root, 'sdk/package.json'), 'utf8'),
  )
  assert.deepEqual(globSync('{dist,LICENSE,*.saved}', { cwd: join(source, 'sdk') }), [])
})
