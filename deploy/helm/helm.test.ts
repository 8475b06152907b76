// The Helm chart: its settings exist, and helm accepts it where helm is installed.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { recordOf } from '../../base/src/unknown.ts'
import { secretSettings } from '../../server/src/bin/secret-files.ts'
import { settings } from '../../server/src/config/settings.ts'

const CHART = join(import.meta.dirname, 'octavo')
const EVERYTHING = ['-f', join(CHART, 'ci/all-options-values.yaml')]
const MINIMUM = ['--set', 'baseUrl=https://octavo.example.com', '--set', 's3.bucket=octavo']
const hasHelm = spawnSync('helm', ['version']).status === 0
const needsHelm = { skip: hasHelm ? false : 'helm is not installed' }
const helm = (...words: string[]) => spawnSync('helm', words, { encoding: 'utf8' })

const templates = globSync('templates/*', { cwd: CHART })
  .map((file) => readFileSync(join(CHART, file), 'utf8'))
  .join('\n')

function textAt(value: unknown, [name, ...more]: readonly string[]): string {
  return name === undefined ? String(value) : textAt(recordOf(value)[name], more)
}

test('every variable of the chart is a setting', () => {
  const named = [...templates.matchAll(/(?:name: |list |")([A-Z][A-Z0-9_]{3,})\b/g)].map(([, name = '']) => name)

  assert.ok(named.length > 12, named.join())
  assert.deepEqual(
    named.filter((name) => !(name in settings)),
    [],
  )
})

test('the chart takes every secret by reference, and refuses it among the settings', () => {
  const schema: unknown = JSON.parse(readFileSync(join(CHART, 'values.schema.json'), 'utf8'))
  const refused = new RegExp(textAt(schema, ['properties', 'settings', 'propertyNames', 'not', 'pattern']))
  const rest = Object.keys(settings).filter((name) => !secretSettings.some((secret) => secret === name))

  assert.deepEqual(
    secretSettings.filter((name) => !templates.includes(`"${name}"`)),
    [],
  )
  assert.deepEqual(
    secretSettings.filter((name) => !refused.test(name)),
    [],
  )
  assert.deepEqual(
    rest.filter((name) => refused.test(name)),
    [],
  )
})

test('mail may leave through the network policy', () => {
  const [, ports = ''] = /egressPorts: \[(.*)\]/.exec(readFileSync(join(CHART, 'values.yaml'), 'utf8')) ?? []

  for (const port of ['465', '587']) assert.ok(ports.split(', ').includes(port), ports)
})

for (const [title, values] of Object.entries({ 'the required values': MINIMUM, 'every option': EVERYTHING }))
  test(`helm lint accepts the chart with ${title}`, needsHelm, () => {
    const { status, stdout, stderr } = helm('lint', '--strict', CHART, ...values)

    assert.equal(status, 0, stdout + stderr)
  })

test(
  'helm gives the pods the secrets for mail and sign-in by reference, and opens the ports of mail',
  needsHelm,
  () => {
    const { status, stdout, stderr } = helm('template', CHART, ...MINIMUM)

    assert.equal(status, 0, stderr)
    for (const name of ['SMTP_URL', 'OIDC_CLIENT_SECRET'])
      assert.match(stdout, new RegExp(`secretKeyRef: \\{ name: "octavo", key: ${name}, optional: true \\}`))
    for (const port of [465, 587]) assert.match(stdout, new RegExp(`- \\{ port: ${port}, protocol: TCP \\}`))
  },
)

test('helm refuses secrets among the settings, and values that are missing or unknown', needsHelm, () => {
  const secret = helm('template', CHART, ...MINIMUM, '--set', 'settings.DATABASE_URL=postgres://a:b@c/d')
  const mail = helm('template', CHART, ...MINIMUM, '--set', 'settings.SMTP_URL=smtps://a:b@c')
  const missing = helm('template', CHART)
  const unknown = helm('template', CHART, ...MINIMUM, '--set', 'api.replica=3')

  assert.deepEqual(
    [secret, mail, missing, unknown].map(({ status }) => status),
    [1, 1, 1, 1],
  )
  assert.match(missing.stderr, /baseUrl[^]*bucket/)
})
