import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { singleEnvironment } from '../config/single.ts'
import { configurationChecks } from './configuration.ts'
import { lacking, readSettings } from './settings.ts'

const well = {
  BASE_URL: 'http://localhost:3000',
  DATABASE_URL: 'postgres://octavo_app:x@127.0.0.1/octavo',
  DATABASE_SYSTEM_URL: 'postgres://octavo_system:x@127.0.0.1/octavo',
  OCTAVO_SECRETS: `1:${'5a'.repeat(32)}`,
}
const read = (env: Record<string, string>) => readSettings(env, singleEnvironment)

function newFolder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'octavo-doctor-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

test('reports no problem for correct settings', async () => {
  const settings = read(well)

  const findings = await Promise.all(configurationChecks(settings).map((check) => check.run()))
  assert.deepEqual([settings.wrong.size, settings.is_single], [0, false])
  assert.deepEqual(
    findings.map(({ status }) => status),
    ['ok'],
  )
})

test('reports every wrong setting and keeps the others', async () => {
  const settings = read({
    ...well,
    PORT: 'x',
    BASE_URL: 'http://a/',
    VALKEY_URL: 'http://a',
    CHAT_MODEL: 'a',
    FILES_DRIVER: 's3',
    HOST: '::1',
  })

  assert.deepEqual(
    [...settings.wrong.keys()].toSorted(),
    [
      'BASE_URL',
      'CHAT_BASE_URL',
      'PORT',
      'S3_ACCESS_KEY_ID',
      'S3_BUCKET',
      'S3_SECRET_ACCESS_KEY',
      'VALKEY_URL',
    ].toSorted(),
  )
  assert.equal(settings.config.host, '::1')
  const findings = await Promise.all(configurationChecks(settings).map((check) => check.run()))
  assert.ok(findings.every(({ status, remedy }) => status === 'failed' && remedy))
  assert.match(findings.find(({ says }) => says.startsWith('S3_BUCKET'))!.remedy!, /^Set S3_BUCKET/)
  assert.match(findings.find(({ says }) => says.startsWith('PORT'))!.remedy!, /^Correct PORT/)
})

test('an empty environment lacks four settings', () => {
  assert.deepEqual([...read({}).wrong.keys()].toSorted(), [
    'BASE_URL',
    'DATABASE_SYSTEM_URL',
    'DATABASE_URL',
    'OCTAVO_SECRETS',
  ])
})

test('reports an invalid database URL without its password', () => {
  const { wrong } = read({
    ...well,
    DATABASE_URL: 'postgres://octavo_app:hidden#word@127.0.0.1/octavo',
    DATABASE_DIRECT_URL: 'octavo',
  })

  assert.deepEqual([...wrong.keys()], ['DATABASE_URL', 'DATABASE_DIRECT_URL'])
  assert.doesNotMatch([...wrong.values()].join(), /hidden|word@/)
})

test('skips checks that depend on a wrong setting', () => {
  const settings = read({ ...well, VALKEY_URL: 'http://a' })

  assert.match(lacking(settings, 'PORT', 'VALKEY_URL')!.says, /VALKEY_URL is not valid/)
  assert.equal(lacking(settings, 'PORT'), null)
})

test('a single process that never started is left to create its data directory', (t) => {
  const dir = join(newFolder(t), 'data')
  const settings = read({
    DATABASE_OWNER_URL: 'postgres://octavo:x@127.0.0.1/octavo',
    OCTAVO_DATA_DIR: dir,
    PORT: '3100',
  })

  assert.deepEqual([settings.is_single, settings.is_new, settings.wrong.size], [true, true, 0])
  assert.deepEqual([settings.config.base_url, settings.config.files.dir], ['http://localhost:3100', join(dir, 'files')])
  assert.equal(lacking(settings, 'DATABASE_URL')!.status, 'skipped')
  assert.equal(existsSync(dir), false)
})

test('a single process that has started derives its roles from its secret', (t) => {
  const dir = newFolder(t)
  writeFileSync(join(dir, 'secrets'), `${well.OCTAVO_SECRETS}\n`)
  const settings = read({ DATABASE_OWNER_URL: 'postgres://octavo:x@127.0.0.1/octavo', OCTAVO_DATA_DIR: dir })

  assert.deepEqual([settings.is_single, settings.is_new, settings.wrong.size], [true, false, 0])
  assert.match(settings.config.database_url, /^postgres:\/\/octavo_app:[\w-]{32}@127\.0\.0\.1\/octavo$/)
  assert.equal(lacking(settings, 'DATABASE_URL'), null)
})

test('names a data directory that cannot be used', (t) => {
  const dir = newFolder(t)
  mkdirSync(join(dir, 'secrets'))
  const { wrong } = read({ DATABASE_OWNER_URL: 'postgres://octavo:x@127.0.0.1/octavo', OCTAVO_DATA_DIR: dir })

  assert.match(wrong.get('OCTAVO_DATA_DIR')!, /cannot be used/)
})

test('reports a stray percent sign in any part of a URL', () => {
  const { wrong } = read({
    ...well,
    DATABASE_URL: 'postgres://octavo_app:50%off@127.0.0.1/octavo',
    DATABASE_SYSTEM_URL: 'postgres://octavo_system:50%25off@127.0.0.1/octavo',
    DATABASE_OWNER_URL: 'postgres://octavo:x@127.0.0.1/100%',
  })

  assert.deepEqual([...wrong.keys()], ['DATABASE_URL', 'DATABASE_OWNER_URL'])
  assert.match(wrong.get('DATABASE_URL')!, /percent-encode special characters of the password \(% itself is %25\)\.$/)
  assert.doesNotMatch([...wrong.values()].join(), /50%off/)
})

test('suggests a setting for a misspelled name and ignores other variables', async () => {
  const others = { OCTAVO_URL: 'a', PATH: 'a', HOSTNAME: 'a', AWS_REGION: 'a', POSTGRES_PASSWORD: 'a', TIER_FREE: '' }
  const settings = read({ ...well, ...others, OCTAVO_MODEL_DIR: 'a', VALKEY_URI: 'a' })

  const findings = await Promise.all(configurationChecks(settings).map((check) => check.run()))
  assert.deepEqual(
    findings.filter(({ status }) => status === 'warning').map(({ remedy }) => remedy),
    ['If you mean OCTAVO_MODELS_DIR, rename it.', 'If you mean VALKEY_URL, rename it.'],
  )
})
