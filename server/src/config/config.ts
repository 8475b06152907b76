// Environment → one frozen object. The only file that reads process.env.

import { readFileSync } from 'node:fs'
import { messageOf, recordOf } from '@octavo/base/unknown.ts'
import {
  type JobTypeName,
  jobTypes,
  namesOf,
  type Role,
  roleNames,
  type Tier,
  type TierName,
  tierNames,
  tiers,
} from '@octavo/contract'
import { type Catalogue, readCatalogue } from '../ai/catalogue.ts'
import { findUuid } from '../lib/ids.ts'
import { type Keyring, parseKeyring } from '../lib/keyring.ts'
import { MAY_SHARE_PORT } from '../lib/shared-port.ts'
import { type Env, httpUrl, list, networks, oneOf, text, whole } from './env.ts'
import type { settings } from './settings.ts'

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
  /** Single-process mode creates and updates the database itself. */
  has_auto_migrate: boolean
  database_system_url: string
  database_pool: number
  valkey_url: string | null
  valkey_timeout_ms: number
  keyring: Keyring
  cors_origins: string[]
  trusted_proxies: string[]
  has_rate_limits: boolean
  tiers: Record<TierName, Tier>
  max_json_bytes: number
  max_concurrency: number
  request_deadline_ms: number
  drain_ms: number
  /** Processes of the single-process mode. */
  api_processes: number
  worker_processes: number
  worker_slots: number
  worker_types: Partial<Record<JobTypeName, number>>
  files: ConfiguredFiles
  /** How often the sweeper looks for bytes without rows, and how old they must be. */
  sweep: { every_seconds: number; after_seconds: number }
  max_file_bytes: number
  parsing: ParsingConfig
  /** The weakest sandbox in which files are parsed. */
  sandbox_minimum: SandboxMinimum
  /** Where parsers and OCR run; null: on this machine, started by this process. */
  sandbox_socket: string | null
  /** Where weights are kept. */
  models_dir: string | null
  /** Models that other servers run. */
  models: Catalogue
  /** Threads of one run of a built-in model. */
  model_threads: number
  /** Tenants with up to this many vectors are searched exactly; larger ones through a graph index. */
  exact_search_max: number
  ocr: { engine: OcrEngineName; env: Record<string, string | undefined> }
  docling: { url: string; api_key: string | null } | null
  tika: { url: string } | null
  egress: { allow_cidrs: string[]; allows_http: boolean }
  /** The external OpenID provider. */
  oidc: OidcConfig | null
  /** The external authorization server whose access tokens are accepted. */
  oauth_issuer: string | null
  /** Applications may describe themselves in a document instead of being registered. */
  has_client_documents: boolean
  /** null: no mail is sent. */
  mail: MailConfig | null
  /** null: requests and jobs are not traced. */
  tracing: TracingConfig | null
  log_level: string
}

interface OidcConfig {
  issuer: string
  client_id: string
  client_secret: string
  name: string
  scopes: string
  /** uuid. */
  tenant: string | null
  groups_claim: string
  group_roles: ReadonlyMap<string, Role>
}

interface TracingConfig {
  url: string
  headers: Record<string, string>
  service_name: string
  sampled_share: number
  propagates: boolean
}

export interface MailConfig {
  url: string
  from: string
}

interface ConfiguredFiles {
  driver: 'disk' | 's3'
  dir: string
  s3: ConfiguredS3 | null
}
interface ConfiguredS3 {
  endpoint: string | null
  /** The endpoint that clients can reach, for presigned URLs. */
  public_endpoint: string | null
  region: string
  bucket: string
  prefix: string
  access_key_id: string
  secret_access_key: string
}
/** Limits for parsing one file. */
interface ParsingConfig {
  max_read_bytes: number
  max_pages: number
  max_text_characters: number
  max_inflated_bytes: number
  max_pixels: number
  parser_heap_mb: number
  parser_resident_mb: number
  parser_open_seconds: number
  parser_page_seconds: number
}
type SandboxMinimum = (typeof settings.SANDBOX_MINIMUM.words)[number]
type OcrEngineName = (typeof settings.OCR_ENGINE.words)[number]

function baseUrl(env: Env): string {
  const value = text(env, 'BASE_URL')
  const url = URL.parse(value)
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || value.endsWith('/'))
    throw new Error('BASE_URL must be an absolute http or https URL without a trailing slash.')
  return value
}

/** They must be able to listen on the same port. */
function apiProcesses(env: Env): number {
  const count = whole(env, 'API_PROCESSES')
  if (count > 1 && whole(env, 'PORT') === 0) throw new Error('API_PROCESSES needs a fixed PORT, not 0.')
  if (count > 1 && !MAY_SHARE_PORT)
    throw new Error(`API_PROCESSES must be 1: processes cannot share a port on ${process.platform}.`)
  return count
}

function valkeyUrl(env: Env): string | null {
  const value = env.VALKEY_URL || null
  // The value may hold a password, so it is not repeated.
  if (value !== null && !/^(redis|rediss|valkey):$/.test(URL.parse(value)?.protocol ?? ''))
    throw new Error('VALKEY_URL must be a URL that starts with redis://, rediss:// or valkey://.')
  return value
}

/** An entry that is not exactly an Origin header value would silently allow no origin. */
function origins(env: Env): string[] {
  const items = list(env, 'CORS_ALLOWED_ORIGINS')
  const wrong = items.find((item) => !/^https?:/.test(item) || URL.parse(item)?.origin !== item)
  if (wrong !== undefined)
    throw new Error(
      `CORS_ALLOWED_ORIGINS: '${wrong}' is not an origin. Use a value such as https://app.example.com, without a path or a trailing slash.`,
    )
  return items
}

function filesConfig(env: Env): ConfiguredFiles {
  const driver = oneOf(env, 'FILES_DRIVER')
  const dir = text(env, 'FILES_DIR')
  if (driver === 'disk') return { driver, dir, s3: null }
  const endpoint = httpUrl(env, 'S3_ENDPOINT')
  const s3: ConfiguredS3 = {
    endpoint,
    public_endpoint: httpUrl(env, 'S3_PUBLIC_ENDPOINT') ?? endpoint,
    region: text(env, 'S3_REGION'),
    bucket: text(env, 'S3_BUCKET'),
    prefix: env.S3_PREFIX ?? '',
    access_key_id: text(env, 'S3_ACCESS_KEY_ID'),
    secret_access_key: text(env, 'S3_SECRET_ACCESS_KEY'),
  }
  return { driver, dir, s3 }
}

function parsingConfig(env: Env): ParsingConfig {
  return {
    max_read_bytes: whole(env, 'MAX_READ_BYTES'),
    max_pages: whole(env, 'MAX_PAGES'),
    max_text_characters: whole(env, 'MAX_TEXT_CHARACTERS'),
    max_inflated_bytes: whole(env, 'MAX_INFLATED_BYTES'),
    max_pixels: whole(env, 'MAX_PIXELS'),
    parser_heap_mb: whole(env, 'PARSER_HEAP_MB'),
    parser_resident_mb: whole(env, 'PARSER_RESIDENT_MB'),
    parser_open_seconds: whole(env, 'PARSER_OPEN_SECONDS'),
    parser_page_seconds: whole(env, 'PARSER_PAGE_SECONDS'),
  }
}

function doclingConfig(env: Env): Config['docling'] {
  const url = httpUrl(env, 'DOCLING_URL')
  return url === null ? null : { url: url.replace(/\/+$/, ''), api_key: env.DOCLING_API_KEY || null }
}

function tikaConfig(env: Env): Config['tika'] {
  const url = httpUrl(env, 'TIKA_URL')
  return url === null ? null : { url: url.replace(/\/+$/, '') }
}

function oidcConfig(env: Env): OidcConfig | null {
  const issuer = httpUrl(env, 'OIDC_ISSUER')
  if (issuer === null) return null
  const tenant = env.OIDC_TENANT ? findUuid('ten', env.OIDC_TENANT) : null
  if (env.OIDC_TENANT && tenant === null) throw new Error(`OIDC_TENANT: '${env.OIDC_TENANT}' is not a tenant id.`)
  return {
    issuer,
    tenant,
    client_id: text(env, 'OIDC_CLIENT_ID'),
    client_secret: text(env, 'OIDC_CLIENT_SECRET'),
    name: text(env, 'OIDC_NAME'),
    scopes: text(env, 'OIDC_SCOPES'),
    groups_claim: text(env, 'OIDC_GROUPS_CLAIM'),
    group_roles: groupRoles(env),
  }
}

function mailConfig(env: Env): MailConfig | null {
  const url = env.SMTP_URL || null
  if (url === null) return null
  const { protocol = '', hostname = '' } = URL.parse(url) ?? {}
  if (!/^smtps?:$/.test(protocol) || hostname === '')
    throw new Error('SMTP_URL must be a URL such as smtps://user:password@mail.example.com:465.')
  const from = text(env, 'MAIL_FROM')
  if (!/^[^\r\n]*[^\s@<]+@[^\s@>]+>?$/.test(from))
    throw new Error(`MAIL_FROM must be an address such as 'Octavo <octavo@example.com>', not '${from}'.`)
  return { url, from }
}

function tracingConfig(env: Env): TracingConfig | null {
  const endpoint = httpUrl(env, 'OTEL_EXPORTER_OTLP_ENDPOINT')
  if (endpoint === null) return null
  if (URL.parse(endpoint)?.username || URL.parse(endpoint)?.password)
    throw new Error('OTEL_EXPORTER_OTLP_ENDPOINT must not contain credentials. Use OTEL_EXPORTER_OTLP_HEADERS.')
  const share = text(env, 'OTEL_TRACES_SAMPLER_ARG')
  if (!/^(0|1|[01]?\.\d+)$/.test(share) || Number(share) > 1)
    throw new Error(`OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1, not '${share}'.`)
  return {
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: Object.fromEntries(list(env, 'OTEL_EXPORTER_OTLP_HEADERS').map(headerEntry)),
    service_name: text(env, 'OTEL_SERVICE_NAME'),
    sampled_share: Number(share),
    propagates: oneOf(env, 'TRACE_PROPAGATE_UPSTREAM') === 'true',
  }
}

/** `name=value`, percent-encoded. The value may be a secret, so the error does not show it. */
function headerEntry(entry: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([\w-]+)\s*=\s*([\x21-\x7e][\x20-\x7e]*)$/.exec(entry) ?? []
  // Printable ASCII only: a request with another value would fail.
  if (name === '' || /%(?![2-7][\da-f])|%7f/i.test(value))
    throw new Error('OTEL_EXPORTER_OTLP_HEADERS must be a list such as authorization=Bearer%20token,x-team=docs.')
  return [name.toLowerCase(), decodeURIComponent(value)]
}

/** `OIDC_GROUP_ROLES=admins:admin,staff:editor`; a group may contain colons. */
function groupRoles(env: Env): Map<string, Role> {
  return new Map(
    list(env, 'OIDC_GROUP_ROLES').map((entry) => {
      const at = entry.lastIndexOf(':')
      const role = roleNames.find((name) => name === entry.slice(at + 1))
      if (at < 1 || role === undefined)
        throw new Error(
          `OIDC_GROUP_ROLES: '${entry}' is not valid. Use <group>:<role>. Roles: ${roleNames.join(', ')}.`,
        )
      return [entry.slice(0, at), role]
    }),
  )
}

/** `TIER_FREE=requests_per_minute:600,concurrent_requests:20` replaces numbers of a tier. */
function tierTable(env: Env, job_slots: number): Record<TierName, Tier> {
  const table = {} as Record<TierName, Tier>
  for (const name of tierNames) {
    // A self-hosted tenant may use all slots but one, so that another tenant's job can always start.
    const tier: Tier = {
      ...tiers[name],
      ...(name === 'self_hosted' ? { running_jobs: Math.max(1, job_slots - 1) } : {}),
    }
    const setting = `TIER_${name.toUpperCase() as Uppercase<TierName>}` as const
    for (const entry of list(env, setting)) {
      const [key = '', value = ''] = entry.split(':')
      const limit = namesOf(tier).find((one) => one === key)
      if (limit === undefined || !/^[1-9]\d{0,8}$/.test(value))
        throw new Error(`${setting}: '${entry}' is not a limit of a tier. Use <name>:<number>.`)
      tier[limit] = Number(value)
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
    if (type === undefined || !/^\d{1,4}$/.test(count))
      throw new Error(`WORKER_TYPES: '${entry}' is not valid. Use <job type>:<number>.`)
    table[type] = Number(count)
  }
  return table
}

const version = String(
  recordOf(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))).version,
)

export function readConfig(env: Env = process.env): Config {
  const database_url = text(env, 'DATABASE_URL')
  const worker_slots = whole(env, 'WORKER_SLOTS')
  const worker_processes = whole(env, 'WORKER_PROCESSES')
  return Object.freeze({
    version,
    base_url: baseUrl(env),
    host: text(env, 'HOST'),
    port: whole(env, 'PORT'),
    api_processes: apiProcesses(env),
    management_host: text(env, 'MANAGEMENT_HOST'),
    management_port: whole(env, 'MANAGEMENT_PORT'),
    is_health_on_main: oneOf(env, 'HEALTH_ON_MAIN') === 'true',
    database_url,
    // LISTEN receives nothing through a transaction pooler.
    database_direct_url: text(env, 'DATABASE_DIRECT_URL', database_url),
    database_owner_url: env.DATABASE_OWNER_URL ?? '',
    has_auto_migrate: oneOf(env, 'AUTO_MIGRATE') === 'on',
    database_system_url: text(env, 'DATABASE_SYSTEM_URL'),
    database_pool: whole(env, 'DATABASE_POOL'),
    valkey_url: valkeyUrl(env),
    valkey_timeout_ms: whole(env, 'VALKEY_TIMEOUT_MS'),
    keyring: parseKeyring(text(env, 'OCTAVO_SECRETS')),
    cors_origins: origins(env),
    trusted_proxies: networks(env, 'TRUSTED_PROXIES'),
    has_rate_limits: oneOf(env, 'RATE_LIMITS') === 'on',
    tiers: tierTable(env, whole(env, 'JOB_SLOTS', worker_slots * worker_processes)),
    worker_processes,
    worker_slots,
    worker_types: typeTable(env),
    files: filesConfig(env),
    sweep: {
      every_seconds: whole(env, 'SWEEP_EVERY_SECONDS'),
      after_seconds: whole(env, 'SWEEP_AFTER_SECONDS'),
    },
    max_file_bytes: whole(env, 'MAX_FILE_BYTES'),
    parsing: parsingConfig(env),
    sandbox_minimum: oneOf(env, 'SANDBOX_MINIMUM'),
    sandbox_socket: env.SANDBOX_SOCKET || null,
    models_dir: env.OCTAVO_MODELS_DIR || null,
    models: readCatalogue(env),
    model_threads: whole(env, 'MODEL_THREADS'),
    exact_search_max: whole(env, 'EXACT_SEARCH_MAX'),
    ocr: {
      engine: oneOf(env, 'OCR_ENGINE'),
      // The search path for a native engine, and its whole environment.
      env: { PATH: env.PATH, TESSDATA_PREFIX: env.TESSDATA_PREFIX },
    },
    docling: doclingConfig(env),
    tika: tikaConfig(env),
    egress: {
      allow_cidrs: networks(env, 'EGRESS_ALLOW_CIDRS'),
      allows_http: oneOf(env, 'EGRESS_ALLOW_HTTP') === 'true',
    },
    oidc: oidcConfig(env),
    oauth_issuer: httpUrl(env, 'OAUTH_ISSUER'),
    has_client_documents: oneOf(env, 'OAUTH_CLIENT_DOCUMENTS') === 'on',
    mail: mailConfig(env),
    tracing: tracingConfig(env),
    max_json_bytes: whole(env, 'MAX_JSON_BYTES'),
    max_concurrency: whole(env, 'MAX_CONCURRENCY'),
    request_deadline_ms: whole(env, 'REQUEST_DEADLINE_MS'),
    drain_ms: whole(env, 'DRAIN_MS'),
    log_level: oneOf(env, 'LOG_LEVEL'),
  })
}

/** For executables: prints the problem in one line and exits. */
export function readConfigOrExit(env: Env = process.env): Config {
  try {
    return readConfig(env)
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`)
    return process.exit(1)
  }
}
