import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  addRelease,
  type Changeset,
  nextVersion,
  parseChangeset,
  printRelease,
  replaceChartVersion,
  replaceVersion,
} from './release.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const change = (level: Changeset['level'], summary = 'A change.'): Changeset => ({ id: level, level, summary })

test('a changeset has the highest level of its packages', () => {
  const text = "---\n'@octavo/sdk': patch\n'@octavo/server': minor\n---\n\nAnswers are streamed.\n"

  assert.deepEqual(parseChangeset('streams', text), { id: 'streams', level: 'minor', summary: 'Answers are streamed.' })
  assert.equal(parseChangeset('empty', '---\n---\n\nNothing for users.\n'), null)
})

test('the highest level of all changesets sets the next version', () => {
  assert.equal(nextVersion('0.0.0', [change('patch'), change('minor')]), '0.1.0')
  assert.equal(nextVersion('0.3.4', [change('patch')]), '0.3.5')
  assert.equal(nextVersion('0.3.4', [change('major')]), '0.4.0')
  assert.equal(nextVersion('1.3.4', [change('major'), change('patch')]), '2.0.0')
  assert.throws(() => nextVersion('1.3.4', []), /no changesets/)
})

test('a release goes to the top of the changelog, breaking changes first', () => {
  const release = printRelease('0.2.0', '2026-12-01', [change('patch', 'A fix.'), change('minor', 'A\n\nfeature.')])
  const changelog = addRelease('# Changelog\n\nIntroduction.\n\n## 0.1.0 (2026-11-16)\n\n### New\n\n- All.\n', release)

  assert.equal(
    changelog,
    '# Changelog\n\nIntroduction.\n\n## 0.2.0 (2026-12-01)\n\n### New\n\n- A\n  feature.\n\n### Fixed\n\n- A fix.\n\n## 0.1.0 (2026-11-16)\n\n### New\n\n- All.\n',
  )
})

test('a version is replaced only in our packages', () => {
  const text =
    '{\n  "name": "@octavo/sdk",\n  "version": "0.1.0",\n  "d": { "@octavo/sdk": "0.1.0", "other": "0.1.0" }\n}'

  assert.equal(
    replaceVersion(text, '0.1.0', '0.2.0'),
    '{\n  "name": "@octavo/sdk",\n  "version": "0.2.0",\n  "d": { "@octavo/sdk": "0.2.0", "other": "0.1.0" }\n}',
  )
})

test('a chart installs the image of its version', () => {
  const text = "apiVersion: v2\nversion: 0.1.0\nappVersion: '0.0.0'\n"

  assert.equal(replaceChartVersion(text, '0.2.0'), "apiVersion: v2\nversion: 0.2.0\nappVersion: '0.2.0'\n")
})

test('the server, the chart and all clients have one version', () => {
  const manifests = ['base', 'contract', 'extract', 'server', 'sdk', 'mcp', 'cli', 'proof'].map((name) =>
    read(`${name}/package.json`),
  )
  const python = globSync('clients/**/_version.py', { cwd: root, exclude: ['**/node_modules/**', '**/.venv/**'] })
  const versions = [
    ...manifests.map((text) => /"version": "(.*)"/.exec(text)?.[1]),
    ...python.map((path) => /VERSION = "(.*)"/.exec(read(path))?.[1]),
    /^appVersion: '(.*)'/m.exec(read('deploy/helm/octavo/Chart.yaml'))?.[1],
    /VERSION = '(.*)'/.exec(read('sdk/src/generated/version.ts'))?.[1],
    ...['openapi.json', 'openapi.slim.json'].map((path) => /"version": "(.*)"/.exec(read(path))?.[1]),
  ]

  assert.equal(python.length, 3)
  assert.equal(new Set(versions).size, 1, versions.join(' '))
})
