import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { tiers } from '@octavo/contract'
import { readConfig } from './config.ts'
import { settings } from './settings.ts'

const env = {
  BASE_URL: 'https://docs.example.com',
  DATABASE_URL: 'postgres://app@db/octavo',
  DATABASE_SYSTEM_URL: 'postgres://system@db/octavo',
  OCTAVO_SECRETS: `1:${'ab'.repeat(32)}`,
}

test('four settings are sufficient', () => {
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
  test(`names a missing or empty ${name}`, () => {
    assert.throws(() => readConfig({ ...env, [name]: undefined }), {
      message: `${name} is not set. See .env.example for an explanation.`,
    })
    assert.throws(() => readConfig({ ...env, [name]: '' }), {
      message: `${name} is not set. See .env.example for an explanation.`,
    })
  })
}

const WRONG: [name: string, value: string, message: RegExp][] = [
  ['BASE_URL', 'docs.example.com', /^BASE_URL must be an absolute http or https URL/],
  ['BASE_URL', 'https://docs.example.com/', /without a trailing slash/],
  ['BASE_URL', 'ftp://docs.example.com', /^BASE_URL must be an absolute http or https URL/],
  ['BASE_URL', 'https://docs.example.com?a=b', /^BASE_URL must be an absolute http or https URL/],
  ['PORT', '80a', /^PORT must be a whole number from 0 to 65535, not '80a'\.$/],
  ['PORT', '-1', /^PORT must be a whole number/],
  ['PORT', '65536', /^PORT must be a whole number from 0 to 65535/],
  ['MANAGEMENT_PORT', '70000', /^MANAGEMENT_PORT must be a whole number from 0 to 65535/],
  ['DATABASE_POOL', '0', /^DATABASE_POOL must be a whole number from 1 to/],
  ['MAX_CONCURRENCY', '0', /^MAX_CONCURRENCY must be a whole number from 1 to/],
  ['HEALTH_ON_MAIN', 'yes', /^HEALTH_ON_MAIN must be one of false, true, not 'yes'\.$/],
  ['RATE_LIMITS', 'false', /^RATE_LIMITS must be one of on, off, not 'false'\.$/],
  ['LOG_LEVEL', 'verbose', /^LOG_LEVEL must be one of info, warn, error, silent, not 'verbose'\.$/],
  ['VALKEY_URL', '127.0.0.1:6379', /^VALKEY_URL must be a URL that starts with redis:/],
  ['VALKEY_URL', 'http://:hidden@cache', /^((?!hidden).)*$/],
  ['TRUSTED_PROXIES', 'proxy.example.com', /^TRUSTED_PROXIES: 'proxy\.example\.com' is not an IP address or a CIDR/],
  ['TRUSTED_PROXIES', '10.0.0.0/8,10.0.0.0/33', /^TRUSTED_PROXIES: '10\.0\.0\.0\/33' is not/],
  ['TRUSTED_PROXIES', '::1/129', /^TRUSTED_PROXIES: '::1\/129' is not/],
  ['TRUSTED_PROXIES', '10.0.0.0/', /^TRUSTED_PROXIES: '10\.0\.0\.0\/' is not/],
  ['CORS_ALLOWED_ORIGINS', 'https://a.example/', /^CORS_ALLOWED_ORIGINS: 'https:\/\/a\.example\/' is not an origin/],
  ['CORS_ALLOWED_ORIGINS', 'https://a.example/app', /^CORS_ALLOWED_ORIGINS: .* is not an origin/],
  ['CORS_ALLOWED_ORIGINS', 'a.example', /^CORS_ALLOWED_ORIGINS: 'a\.example' is not an origin/],
  ['CORS_ALLOWED_ORIGINS', '*', /^CORS_ALLOWED_ORIGINS: '\*' is not an origin/],
  ['MAX_JSON_BYTES', '1e6', /^MAX_JSON_BYTES must be a whole number/],
  ['OCTAVO_SECRETS', 'secret', /^OCTAVO_SECRETS must be a comma-separated list/],
  ['TIER_FREE', 'requests:5', /^TIER_FREE: 'requests:5' is not a limit of a tier. Use <name>:<number>/],
  ['TIER_FREE', 'requests_per_minute:0', /^TIER_FREE: 'requests_per_minute:0' is not/],
  ['TIER_FREE', 'requests_per_minute', /^TIER_FREE: 'requests_per_minute' is not/],
]
for (const [name, value, message] of WRONG) {
  test(`refuses ${name}=${value} and says which values are valid`, () => {
    assert.throws(() => readConfig({ ...env, [name]: value }), { message })
  })
}

test('lists may contain spaces, and tier limits can be overridden one by one', () => {
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

test('accepts addresses, networks and every Valkey URL scheme', () => {
  const trusted = ['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8']
  const config = readConfig({
    ...env,
    TRUSTED_PROXIES: trusted.join(', '),
    HEALTH_ON_MAIN: 'true',
    LOG_LEVEL: 'silent',
  })

  assert.deepEqual(config.trusted_proxies, trusted)
  assert.deepEqual([config.is_health_on_main, config.log_level], [true, 'silent'])
  for (const VALKEY_URL of ['redis://cache', 'rediss://:secret@cache:6380/1', 'valkey://127.0.0.1:6379'])
    assert.equal(readConfig({ ...env, VALKEY_URL }).valkey_url, VALKEY_URL)
})

test('reads the roles of groups, and refuses an unknown role or a wrong tenant id', () => {
  const oidc = { ...env, OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'octavo', OIDC_CLIENT_SECRET: 'secret' }
  const config = readConfig({ ...oidc, OIDC_GROUP_ROLES: 'urn:group:admins:admin, staff:editor' })

  assert.deepEqual(
    [...(config.oidc?.group_roles ?? [])],
    [
      ['urn:group:admins', 'admin'],
      ['staff', 'editor'],
    ],
  )
  assert.throws(() => readConfig({ ...oidc, OIDC_GROUP_ROLES: 'staff:boss' }), /'staff:boss' is not valid/)
  assert.throws(() => readConfig({ ...oidc, OIDC_TENANT: 'acme' }), /'acme' is not a tenant id/)
})

test('mail needs the URL of a mail server and a sender', () => {
  const mail = { ...env, SMTP_URL: 'smtps://octavo:secret@mail.example.com', MAIL_FROM: 'Octavo <octavo@example.com>' }

  assert.deepEqual(readConfig(mail).mail, { url: mail.SMTP_URL, from: mail.MAIL_FROM })
  assert.equal(readConfig(env).mail, null)
  assert.throws(() => readConfig({ ...mail, SMTP_URL: 'mail.example.com' }), /^Error: SMTP_URL must be a URL such as/)
  assert.throws(() => readConfig({ ...mail, MAIL_FROM: '' }), /^Error: MAIL_FROM is not set/)
  assert.throws(() => readConfig({ ...mail, MAIL_FROM: 'Octavo' }), /^Error: MAIL_FROM must be an address/)
})

test('tracing is off without a receiver, and its settings are those of OpenTelemetry', () => {
  const traces = { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/' }
  const headers = 'Authorization=Bearer%20a%2Cb, x-team = docs'

  assert.equal(readConfig(env).tracing, null)
  assert.deepEqual(
    readConfig({ ...traces, OTEL_EXPORTER_OTLP_HEADERS: headers, OTEL_TRACES_SAMPLER_ARG: '.25' }).tracing,
    {
      url: 'http://127.0.0.1:4318/v1/traces',
      headers: { authorization: 'Bearer a,b', 'x-team': 'docs' },
      service_name: 'octavo',
      sampled_share: 0.25,
      propagates: false,
    },
  )
  assert.throws(() => readConfig({ ...traces, OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }), /must be an http/)
  assert.throws(() => readConfig({ ...traces, OTEL_TRACES_SAMPLER_ARG: '1.5' }), /a number from 0 to 1, not '1.5'/)
  assert.throws(
    () => readConfig({ ...traces, OTEL_EXPORTER_OTLP_HEADERS: 'authorization: secret' }),
    ({ message }: Error) => message.startsWith('OTEL_EXPORTER_OTLP_HEADERS must be') && !message.includes('secret'),
  )
})

test('a receiver of traces that no request could reach is refused at the start, without its secret', () => {
  const endpoint = 'https://collector:4318'
  const refused = [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://user:secret@collector:4318' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20secret%0Amore' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'authorization=secret%FF' },
  ]

  for (const settings of refused)
    assert.throws(
      () => readConfig({ ...env, ...settings }),
      ({ message }: Error) => message.startsWith('OTEL_EXPORTER_OTLP_') && !message.includes('secret'),
    )
})

test('the settings table contains exactly the settings that are read', () => {
  const read = new Set<string>()
  const get = (target: Record<string, string>, name: string): string | undefined => {
    read.add(name)
    return target[name]
  }
  // Some are read only where others are set, or by everything in one process.
  const s3 = { FILES_DRIVER: 's3', S3_BUCKET: 'octavo', S3_ACCESS_KEY_ID: 'octavo', S3_SECRET_ACCESS_KEY: 'secret' }
  const oidc = { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'octavo', OIDC_CLIENT_SECRET: 'secret' }
  const mail = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'octavo@example.com' }
  const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
  readConfig(
    new Proxy<Record<string, string>>(
      { ...env, ...s3, ...oidc, ...mail, ...traces, DOCLING_URL: 'http://docling' },
      { get },
    ),
  )

  assert.deepEqual([...read, 'OCTAVO_DATA_DIR'].toSorted(), Object.keys(settings).toSorted())
})

test('.env.example contains no unknown setting', () => {
  const example = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8')
  const names = [...example.matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name)

  // Tests and proofs read this one themselves.
  assert.deepEqual(
    names.filter((name) => !(name in settings)),
    ['DATABASE_ADMIN_URL'],
  )
})
