// Environment → one frozen object. The only file that reads process.env.

import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { type JobTypeName, jobTypes, type Tier, type TierName, tierNames, tiers } from '@octavo/contract'
import { type Keyring, parseKeyring } from './lib/keyring.ts'

export interface Config {
  version: string
  base_url: string
  host: string
  port: number
  management_host: string
  management_port: number
  is_health_on_main: boolean
  database_url: string
  database_direct_url: string
  database_owner_url: string
  database_system_url: string
  database_pool: number
  valkey_url: string | null
  keyring: Keyring
  cors_origins: string[]
  trusted_proxies: string[]
  has_rate_limits: boolean
  tiers: Record<TierName, Tier>
  max_json_bytes: number
  max_concurrency: number
  request_deadline_ms: number
  drain_ms: number
  worker_slots: number
  worker_types: Partial<Record<JobTypeName, number>>
  log_level: string
}

type Env = Record<string, string | undefined>

function text(env: Env, name: string, fallback?: string): string {
  const value = env[name] || fallback
  if (value === undefined) throw new Error(`${name} is not set. See .env.example for what it means.`)
  return value
}

function whole(env: Env, name: string, fallback: number, { least = 0, most = 999_999_999_999 } = {}): number {
  const value = env[name] || String(fallback)
  if (!/^\d{1,12}$/.test(value) || Number(value) < least || Number(value) > most)
    throw new Error(`${name} must be a whole number from ${least} to ${most}, not '${value}'.`)
  return Number(value)
}

const PORTS = { most: 65_535 }

function oneOf<const T extends string>(env: Env, name: string, words: readonly [T, ...T[]]): T {
  const value = env[name] || words[0]
  const word = words.find((candidate) => candidate === value)
  if (word === undefined) throw new Error(`${name} must be one of ${words.join(', ')}, not '${value}'.`)
  return word
}

const list = (env: Env, name: string): string[] =>
  (env[name] ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)

function baseUrl(env: Env): string {
  const value = text(env, 'BASE_URL')
  const url = URL.parse(value)
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || value.endsWith('/'))
    throw new Error('BASE_URL must be an absolute http or https URL without a trailing slash.')
  return value
}

function valkeyUrl(env: Env): string | null {
  const value = env.VALKEY_URL || null
  // The value may hold a password, so it is not repeated.
  if (value !== null && !/^(redis|rediss|valkey):$/.test(URL.parse(value)?.protocol ?? ''))
    throw new Error('VALKEY_URL must be a URL that begins with redis://, rediss:// or valkey://.')
  return value
}

/** What does not equal the Origin header to the letter would silently allow nobody. */
function origins(env: Env): string[] {
  const items = list(env, 'CORS_ALLOWED_ORIGINS')
  const wrong = items.find((item) => !/^https?:/.test(item) || URL.parse(item)?.origin !== item)
  if (wrong !== undefined)
    throw new Error(
      `CORS_ALLOWED_ORIGINS: '${wrong}' is not an origin such as https://app.example.com, without a path or a slash at its end.`,
    )
  return items
}

function isNetwork(item: string): boolean {
  const [address = '', bits, ...rest] = item.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

function proxies(env: Env): string[] {
  const items = list(env, 'TRUSTED_PROXIES')
  const wrong = items.find((item) => !isNetwork(item))
  if (wrong !== undefined) throw new Error(`TRUSTED_PROXIES: '${wrong}' is not an IP address or a CIDR such as 10.0.0.0/8.`)
  return items
}

/** `TIER_FREE=requests_per_minute:600,concurrent_requests:20` replaces numbers of a tier. */
function tierTable(env: Env, job_slots: number): Record<TierName, Tier> {
  const table = {} as Record<TierName, Tier>
  for (const name of tierNames) {
    // On one's own machine a tenant may use all slots but one, so that another's job always finds its way in.
    const tier: Tier = { ...tiers[name], ...(name === 'self_hosted' ? { running_jobs: Math.max(1, job_slots - 1) } : {}) }
    for (const entry of list(env, `TIER_${name.toUpperCase()}`)) {
      const [key = '', value = ''] = entry.split(':')
      if (!(key in tier) || !/^[1-9]\d{0,8}$/.test(value))
        throw new Error(`TIER_${name.toUpperCase()}: '${entry}' is not a limit of a tier.`)
      tier[key as keyof Tier] = Number(value)
    }
    table[name] = tier
  }
  return table
}

/** `WORKER_TYPES=ingestion:2,purge:1` bounds how many of a type one worker runs at once. */
function typeTable(env: Env): Partial<Record<JobTypeName, number>> {
  const table: Partial<Record<JobTypeName, number>> = {}
  for (const entry of list(env, 'WORKER_TYPES')) {
    const [name = '', count = ''] = entry.split(':')
    const type = jobTypes.find((one) => one === name)
    if (type === undefined || !/^\d{1,4}$/.test(count)) throw new Error(`WORKER_TYPES: '${entry}' is not a type of job and a number.`)
    table[type] = Number(count)
  }
  return table
}

const version = (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version

export function readConfig(env: Env = process.env): Config {
  const database_url = text(env, 'DATABASE_URL')
  const worker_slots = whole(env, 'WORKER_SLOTS', 4, { least: 1, most: 1_000 })
  return Object.freeze({
    version,
    base_url: baseUrl(env),
    host: text(env, 'HOST', '127.0.0.1'),
    port: whole(env, 'PORT', 3000, PORTS),
    management_host: text(env, 'MANAGEMENT_HOST', '127.0.0.1'),
    management_port: whole(env, 'MANAGEMENT_PORT', 9090, PORTS),
    is_health_on_main: oneOf(env, 'HEALTH_ON_MAIN', ['false', 'true']) === 'true',
    database_url,
    // LISTEN receives nothing through a transaction pooler.
    database_direct_url: text(env, 'DATABASE_DIRECT_URL', database_url),
    database_owner_url: env.DATABASE_OWNER_URL ?? '',
    database_system_url: text(env, 'DATABASE_SYSTEM_URL'),
    database_pool: whole(env, 'DATABASE_POOL', 10, { least: 1 }),
    valkey_url: valkeyUrl(env),
    keyring: parseKeyring(text(env, 'OCTAVO_SECRETS')),
    cors_origins: origins(env),
    trusted_proxies: proxies(env),
    has_rate_limits: oneOf(env, 'RATE_LIMITS', ['on', 'off']) === 'on',
    tiers: tierTable(env, whole(env, 'JOB_SLOTS', worker_slots, { least: 1 })),
    worker_slots,
    worker_types: typeTable(env),
    max_json_bytes: whole(env, 'MAX_JSON_BYTES', 32 * 1024 * 1024),
    max_concurrency: whole(env, 'MAX_CONCURRENCY', 256, { least: 1 }),
    request_deadline_ms: whole(env, 'REQUEST_DEADLINE_MS', 10_000),
    drain_ms: whole(env, 'DRAIN_MS', 5_000),
    log_level: oneOf(env, 'LOG_LEVEL', ['info', 'warn', 'error', 'silent']),
  })
}

/** For the doors: what is wrong is said in one line, and the process ends. */
export function readConfigOrExit(env: Env = process.env): Config {
  try {
    return readConfig(env)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    return process.exit(1)
  }
}
