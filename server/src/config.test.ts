import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tiers } from '@octavo/contract'
import { readConfig } from './config.ts'

const env = {
  BASE_URL: 'https://docs.example.com',
  DATABASE_URL: 'postgres://app@db/octavo',
  DATABASE_SYSTEM_URL: 'postgres://system@db/octavo',
  OCTAVO_SECRETS: `1:${'ab'.repeat(32)}`,
}

test('four settings are enough', () => {
  const config = readConfig(env)

  assert.equal(config.port, 3000)
  assert.equal(config.database_direct_url, env.DATABASE_URL)
  assert.equal(config.valkey_url, null)
  assert.equal(config.has_rate_limits, true)
  assert.deepEqual(config.cors_origins, [])
  assert.deepEqual(config.tiers, tiers)
  assert.match(config.version, /^\d+\.\d+\.\d+/)
  assert.ok(Object.isFrozen(config))
})

for (const name of Object.keys(env)) {
  test(`a missing or empty ${name} is named`, () => {
    assert.throws(() => readConfig({ ...env, [name]: undefined }), { message: `${name} is not set. See .env.example for what it means.` })
    assert.throws(() => readConfig({ ...env, [name]: '' }), { message: `${name} is not set. See .env.example for what it means.` })
  })
}

const WRONG: [name: string, value: string, message: RegExp][] = [
  ['BASE_URL', 'docs.example.com', /^BASE_URL must be an absolute http or https URL/],
  ['BASE_URL', 'https://docs.example.com/', /without a trailing slash/],
  ['BASE_URL', 'ftp://docs.example.com', /^BASE_URL must be an absolute http or https URL/],
  ['BASE_URL', 'https://docs.example.com?a=b', /^BASE_URL must be an absolute http or https URL/],
  ['PORT', '80a', /^PORT must be a whole number, not '80a'/],
  ['PORT', '-1', /^PORT must be a whole number/],
  ['MAX_JSON_BYTES', '1e6', /^MAX_JSON_BYTES must be a whole number/],
  ['OCTAVO_SECRETS', 'secret', /^OCTAVO_SECRETS must be a comma list/],
  ['TIER_FREE', 'requests:5', /^TIER_FREE: 'requests:5' is not a limit of a tier/],
  ['TIER_FREE', 'requests_per_minute:0', /^TIER_FREE: 'requests_per_minute:0' is not/],
  ['TIER_FREE', 'requests_per_minute', /^TIER_FREE: 'requests_per_minute' is not/],
]
for (const [name, value, message] of WRONG) {
  test(`${name}=${value} is refused with words that say what it must be`, () => {
    assert.throws(() => readConfig({ ...env, [name]: value }), { message })
  })
}

test('lists may have spaces, and numbers of a tier may be replaced one by one', () => {
  const config = readConfig({
    ...env,
    CORS_ALLOWED_ORIGINS: 'https://a.example, https://b.example,',
    TIER_FREE: 'requests_per_minute:600',
    RATE_LIMITS: 'off',
  })

  assert.deepEqual(config.cors_origins, ['https://a.example', 'https://b.example'])
  assert.deepEqual(config.tiers.free, { ...tiers.free, requests_per_minute: 600 })
  assert.deepEqual(config.tiers.standard, tiers.standard)
  assert.equal(config.has_rate_limits, false)
})
