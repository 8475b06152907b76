// The Helm chart: its settings exist, and helm accepts it where helm is installed.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { settings } from '../../server/src/config/settings.ts'

const CHART = join(import.meta.dirname, 'octavo')
const EVERYTHING = ['-f', join(CHART, 'ci/all-options-values.yaml')]
const MINIMUM = ['--set', 'baseUrl=https://octavo.example.com', '--set', 's3.bucket=octavo']
const hasHelm = spawnSync('helm', ['version']).status === 0
const needsHelm = { skip: hasHelm ? false : 'helm is not installed' }
const helm = (...words: string[]) => spawnSync('helm', words, { encoding: 'utf8' })

test('every variable of the chart is a setting', () => {
  const templates = globSync('templates/*', { cwd: CHART }).map((file) => readFileSync(join(CHART, file), 'utf8'))
  const text = templates.join('\n')
  const named = [...text.matchAll(/(?:name: |list |")([A-Z][A-Z0-9_]{3,})\b/g)].map(([, name = '']) => name)

  assert.ok(named.length > 12, named.join())
  assert.deepEqual(
    named.filter((name) => !(name in settings)),
    [],
  )
})

for (const [title, values] of Object.entries({ 'the required values': MINIMUM, 'every option': EVERYTHING }))
  test(`helm lint accepts the chart with ${title}`, needsHelm, () => {
    const { status, stdout, stderr } = helm('lint', '--strict', CHART, ...values)

    assert.equal(status, 0, stdout + stderr)
  })

test('helm refuses secrets among the settings, and values that are missing or unknown', needsHelm, () => {
  const secret = helm('template', CHART, ...MINIMUM, '--set', 'settings.DATABASE_URL=postgres://a:b@c/d')
  const missing = helm('template', CHART)
  const unknown = helm('template', CHART, ...MINIMUM, '--set', 'api.replica=3')

  assert.deepEqual(
    [secret, missing, unknown].map(({ status }) => status),
    [1, 1, 1],
  )
  assert.match(missing.stderr, /baseUrl[^]*bucket/)
})
