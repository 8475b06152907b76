// Every setting with its default, its allowed values and its meaning. The code that reads the environment takes names, defaults
// and bounds from here, and `npm run openapi` generates the tables in docs/configuration.md from it.

import { jobTypes, MAX_PAGES, tiers } from '@octavo/contract'

export interface Setting {
  meaning: string
  /** Must be set; a text says when. */
  is_required?: true | string
  /** Default of a text or number setting. */
  fallback?: string | number
  /** Shown instead of a default that depends on other settings. */
  follows?: string
  least?: number
  most?: number
  /** All allowed values; the first is the default. */
  words?: readonly [string, ...string[]]
}

const MIB = 1024 * 1024
const PORT = { most: 65_535 }

const addresses = {
  BASE_URL: {
    is_required: true,
    meaning: 'public URL of the API: scheme, host and path prefix, without a trailing slash; every link starts with it',
  },
  HOST: { fallback: '127.0.0.1', meaning: 'address that the API listens on' },
  PORT: { fallback: 3000, ...PORT, meaning: 'port of the API; 0 picks a free port' },
  MANAGEMENT_HOST: { fallback: '127.0.0.1', meaning: 'address of the health and metrics endpoints' },
  MANAGEMENT_PORT: {
    fallback: 9090,
    ...PORT,
    meaning: 'port of the health and metrics endpoints; each process on a host needs its own. Do not expose it',
  },
  HEALTH_ON_MAIN: { words: ['false', 'true'], meaning: '`true` also serves `/livez` and `/readyz` on the main port' },
  CORS_ALLOWED_ORIGINS: {
    meaning:
      'comma-separated browser origins that may call the API, such as `https://app.example.com` (no path, no trailing slash); default: none',
  },
  TRUSTED_PROXIES: { meaning: 'comma-separated IP addresses or CIDRs of proxies whose `X-Forwarded-For` is trusted' },
} as const satisfies Record<string, Setting>

const database = {
  DATABASE_URL: { is_required: true, meaning: 'connection URL of the role for requests; may go through pgbouncer' },
  DATABASE_SYSTEM_URL: { is_required: true, meaning: 'connection URL of the system role, for work across tenants' },
  DATABASE_DIRECT_URL: { follows: 'DATABASE_URL', meaning: 'like `DATABASE_URL`, but never through a pooler' },
  DATABASE_OWNER_URL: {
    meaning: 'connection URL of the database owner, for migrations, tests and single-process mode',
  },
  AUTO_MIGRATE: {
    words: ['on', 'off'],
    meaning:
      '`off` stops single-process mode from creating or updating the database, so its `DATABASE_OWNER_URL` needs no password. Run `migrate` with this setting and the password before each start',
  },
  DATABASE_POOL: { fallback: 10, least: 1, meaning: 'maximum database connections per process' },
  VALKEY_URL: {
    meaning:
      'URL of Valkey: `redis://`, `rediss://` or `valkey://`; without it, limits apply to each process separately',
  },
  VALKEY_TIMEOUT_MS: {
    fallback: 50,
    least: 1,
    meaning: 'how long a request waits for Valkey before it falls back to per-process limits',
  },
} as const satisfies Record<string, Setting>

const secrets = {
  OCTAVO_SECRETS: {
    is_required: true,
    meaning: 'encryption keys; see [operations](operations.md#server-secrets)',
  },
} as const satisfies Record<string, Setting>

const signIn = {
  OIDC_ISSUER: {
    meaning:
      'issuer URL of an external OpenID provider; enables [single sign-on](sign-in.md#single-sign-on). Register the redirect URI `{BASE_URL}/sign-in/provider/callback` there',
  },
  OIDC_CLIENT_ID: { is_required: 'with `OIDC_ISSUER`', meaning: 'client ID that the provider issued for Octavo' },
  OIDC_CLIENT_SECRET: { is_required: 'with `OIDC_ISSUER`', meaning: 'client secret that belongs to it' },
  OIDC_NAME: { fallback: 'single sign-on', meaning: 'provider name shown on the sign-in page' },
  OIDC_SCOPES: { fallback: 'openid email profile', meaning: 'scopes that Octavo requests, separated by spaces' },
  OIDC_TENANT: {
    meaning:
      'tenant id. A person who signs in for the first time becomes a user of this tenant if `OIDC_GROUP_ROLES` gives one of their groups a role',
  },
  OIDC_GROUPS_CLAIM: { fallback: 'groups', meaning: 'ID token claim that lists the groups of a user' },
  OIDC_GROUP_ROLES: {
    meaning:
      'role of each group in `OIDC_TENANT`, such as `admins:admin,staff:editor`. At every sign-in the user gets the highest role of their groups',
  },
  OAUTH_ISSUER: {
    meaning:
      'issuer URL of an external authorization server; the API accepts its [access tokens](oauth.md#tokens-of-another-authorization-server) for linked users',
  },
  OAUTH_CLIENT_DOCUMENTS: {
    words: ['off', 'on'],
    meaning:
      '`on` lets users give access to unregistered applications that describe themselves in a [metadata document](oauth.md#applications-without-registration)',
  },
} as const satisfies Record<string, Setting>

const mail = {
  SMTP_URL: {
    meaning:
      'mail server, such as `smtps://user:password@mail.example.com:465`; `smtp:` uses STARTTLS if the server supports it. Enables [mail](sign-in.md#mail)',
  },
  MAIL_FROM: {
    is_required: 'with `SMTP_URL`',
    meaning: 'sender of all email, such as `Octavo <octavo@example.com>`',
  },
} as const satisfies Record<string, Setting>

const inCode = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ')

const tierMeaning = (tier: string): string => `the same for the \`${tier}\` tier`

const limits = {
  RATE_LIMITS: { words: ['on', 'off'], meaning: '`off` disables rate and concurrency limits' },
  TIER_FREE: {
    meaning: `limits to change in the \`free\` tier, such as \`requests_per_minute:600,running_jobs:2\`. Names: ${inCode(Object.keys(tiers.free))}`,
  },
  TIER_STANDARD: { meaning: tierMeaning('standard') },
  TIER_ENTERPRISE: { meaning: tierMeaning('enterprise') },
  TIER_SELF_HOSTED: { meaning: tierMeaning('self_hosted') },
  MAX_JSON_BYTES: {
    fallback: 32 * MIB,
    meaning: 'maximum size of a JSON body for documents and pages; other endpoints accept 1 MiB',
  },
  MAX_FILE_BYTES: {
    fallback: 2048 * MIB,
    least: 1,
    meaning: 'maximum size of a file that is uploaded or downloaded from a URL',
  },
  MAX_CONCURRENCY: { fallback: 256, least: 1, meaning: 'maximum concurrent requests per process' },
  REQUEST_DEADLINE_MS: {
    fallback: 10_000,
    meaning: 'deadline of a request; after it, Octavo starts no more database statements for the request',
  },
} as const satisfies Record<string, Setting>

const workers = {
  API_PROCESSES: {
    fallback: 1,
    least: 1,
    most: 64,
    meaning:
      'API processes of single-process mode, all on the same port (not on macOS and Windows). Without `VALKEY_URL`, each applies rate limits separately',
  },
  WORKER_PROCESSES: { fallback: 1, least: 1, most: 64, meaning: 'workers of single-process mode' },
  WORKER_SLOTS: { fallback: 4, least: 1, most: 1_000, meaning: 'jobs that one worker runs at once' },
  WORKER_TYPES: {
    meaning: `maximum jobs of a type that one worker runs at once, such as \`ingestion:2,purge:1\`. Types: ${inCode(jobTypes)}`,
  },
  JOB_SLOTS: {
    follows: 'WORKER_SLOTS',
    least: 1,
    meaning:
      'jobs that all workers together run at once (multiplied by `WORKER_PROCESSES` if not set); a tenant in the `self_hosted` tier may use all but one of them',
  },
  DRAIN_MS: {
    fallback: 5_000,
    meaning: 'how long a stopping API process keeps serving, and how long a stopping worker lets its jobs finish',
  },
} as const satisfies Record<string, Setting>

const S3 = { is_required: 'with `s3`' } as const

const storage = {
  FILES_DRIVER: { words: ['disk', 's3'], meaning: 'file storage' },
  FILES_DIR: { fallback: 'data/files', meaning: 'directory for `disk`; API and workers need the same one' },
  S3_BUCKET: { ...S3, meaning: 'existing S3 bucket; use each bucket and prefix for one database only' },
  S3_ACCESS_KEY_ID: { ...S3, meaning: 'S3 access key ID' },
  S3_SECRET_ACCESS_KEY: { ...S3, meaning: 'S3 secret access key' },
  S3_ENDPOINT: { meaning: 'endpoint of an S3 server other than AWS, such as `https://minio.example.com`' },
  S3_PUBLIC_ENDPOINT: {
    follows: 'S3_ENDPOINT',
    meaning: 'endpoint that clients can reach; signed upload URLs start with it',
  },
  S3_REGION: { fallback: 'us-east-1', meaning: 'S3 region' },
  S3_PREFIX: { meaning: 'object key prefix, such as `octavo/`' },
  SWEEP_EVERY_SECONDS: {
    fallback: 3_600,
    least: 1,
    // Limit of a Node.js timer.
    most: 2_000_000,
    meaning: 'how often a worker looks for stored bytes without a row and rows without bytes',
  },
  SWEEP_AFTER_SECONDS: {
    // More than the day that an upload may take: S3 dates a multipart object by the start of its upload.
    fallback: 90_000,
    meaning:
      'minimum age of both. Must be longer than the slowest upload, because S3 dates a multipart object by the start of its upload',
  },
} as const satisfies Record<string, Setting>

const reading = {
  MAX_READ_BYTES: {
    fallback: 256 * MIB,
    least: 1,
    meaning:
      'maximum size of a file that is parsed; a larger one is stored, and its document fails with `document_too_large`',
  },
  MAX_PAGES: { fallback: MAX_PAGES, least: 1, most: MAX_PAGES, meaning: 'maximum pages read per document' },
  MAX_TEXT_CHARACTERS: {
    fallback: 32 * MIB,
    least: 1,
    meaning: 'maximum characters read per document (each table cell adds ten); later pages are skipped',
  },
  MAX_INFLATED_BYTES: { fallback: 512 * MIB, least: 1, meaning: 'maximum decompressed size of a file' },
  MAX_PIXELS: { fallback: 100_000_000, least: 1, meaning: 'maximum pixels of an image that is decoded' },
  PARSER_HEAP_MB: { fallback: 384, least: 64, meaning: 'heap limit of the parser process' },
  PARSER_RESIDENT_MB: { fallback: 700, least: 128, meaning: 'memory limit of the parser process' },
  PARSER_OPEN_SECONDS: {
    fallback: 25,
    least: 1,
    meaning: 'CPU time limit for opening a file; the wall-clock limit is three times as long',
  },
  PARSER_PAGE_SECONDS: {
    fallback: 12,
    least: 1,
    meaning: 'CPU time limit for one page; the average over all pages may be at most a third of it',
  },
  SANDBOX_MINIMUM: {
    words: ['process', 'seccomp', 'landlock', 'bubblewrap', 'container'],
    meaning:
      'weakest acceptable [sandbox level](security.md#sandbox-of-parsers) for parsers and OCR; a worker refuses to start if the machine cannot provide it',
  },
  SANDBOX_SOCKET: {
    meaning:
      'Unix socket of an [`extract` process](security.md#the-extract-container); parsers and OCR then run in that process instead of next to the worker',
  },
  OCR_ENGINE: {
    words: ['auto', 'tesseract', 'tesseract_js', 'pp_ocr'],
    meaning: 'OCR engine; `auto` uses tesseract if it is installed, otherwise the bundled tesseract.js',
  },
  PATH: { meaning: 'where Octavo looks for tesseract' },
  TESSDATA_PREFIX: { meaning: 'where tesseract looks for language data' },
  DOCLING_URL: { meaning: 'URL of a docling-serve instance; enables the `docling` reader' },
  DOCLING_API_KEY: { meaning: 'API key of docling-serve' },
  TIKA_URL: {
    meaning: 'URL of an Apache Tika server, which reads formats that Octavo does not, such as .doc, .xls and .ppt',
  },
  EGRESS_ALLOW_CIDRS: {
    meaning: 'comma-separated CIDRs of private networks from which Octavo may download documents; default: none',
  },
  EGRESS_ALLOW_HTTP: { words: ['false', 'true'], meaning: '`true` also allows downloading documents without TLS' },
} as const satisfies Record<string, Setting>

const models = {
  OCTAVO_MODELS_DIR: {
    meaning:
      'directory of model weights, with a subdirectory for each model: `all-MiniLM-L6-v2` and `bge-small-en-v1.5` for embeddings, `pp-ocrv6-small` for `pp_ocr`',
  },
  MODEL_THREADS: { fallback: 2, least: 1, most: 256, meaning: 'threads in each process that runs these models' },
  EXACT_SEARCH_MAX: {
    fallback: 50_000,
    most: 10_000_000,
    meaning:
      'semantic search is exact for tenants with up to this many chunks; for larger tenants it uses an approximate index',
  },
  CHAT_BASE_URL: {
    meaning:
      'URL of an OpenAI-compatible server with one generative model, which becomes the default; to configure more, use `MODELS_FILE`',
  },
  CHAT_MODEL: { meaning: 'name of the model on that server' },
  CHAT_API_KEY: { meaning: 'API key of that server, if it needs one' },
  CHAT_LOCALITY: {
    words: ['auto', 'local', 'remote'],
    meaning:
      '`local` means that text sent to the model does not leave this installation. `auto` is `local` for a server on this machine, otherwise `remote`',
  },
  MODELS_FILE: { meaning: 'path of a file that lists models on other servers; see [below](#models-of-other-servers)' },
} as const satisfies Record<string, Setting>

const running = {
  OCTAVO_DATA_DIR: {
    fallback: 'data',
    meaning: 'directory for generated data in single-process mode; the secret is in `secrets`, files are in `files`',
  },
  LOG_LEVEL: { words: ['info', 'warn', 'error', 'silent'], meaning: 'minimum log level' },
} as const satisfies Record<string, Setting>

const tracing = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    meaning:
      'OpenTelemetry receiver (OTLP over HTTP), such as `http://127.0.0.1:4318`; Octavo adds `/v1/traces`. Enables [traces](monitoring.md#traces)',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    meaning: 'headers for the receiver, percent-encoded, such as `authorization=Bearer%20token,x-team=docs`',
  },
  OTEL_SERVICE_NAME: { fallback: 'octavo', meaning: 'service name of the spans' },
  OTEL_TRACES_SAMPLER_ARG: {
    fallback: '1',
    meaning:
      'fraction of new traces to record, from 0 to 1. A request with a `traceparent` header is traced if its sampled flag is set',
  },
  TRACE_PROPAGATE_UPSTREAM: {
    words: ['false', 'true'],
    meaning: '`true` sends `traceparent` to model servers, docling-serve and Tika',
  },
} as const satisfies Record<string, Setting>

/** In the order of the page. */
export const settingGroups = {
  'Addresses and ports': addresses,
  Database: database,
  'Secrets and processes': { ...secrets, ...running },
  'Single sign-on': signIn,
  Mail: mail,
  Limits: limits,
  Workers: workers,
  'File storage': storage,
  'Reading files': reading,
  Models: models,
  Traces: tracing,
} as const

export const settings = {
  ...addresses,
  ...database,
  ...secrets,
  ...running,
  ...signIn,
  ...mail,
  ...limits,
  ...workers,
  ...storage,
  ...reading,
  ...models,
  ...tracing,
} as const

export type SettingName = keyof typeof settings
