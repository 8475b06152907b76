// Every setting: its name, what holds where it is not set, what it may be, what it means. Readers of the environment take names,
// defaults and bounds from here, and docs/configuration.md is written from it (`npm run openapi`).

import { jobTypes, MAX_PAGES, tiers } from '@octavo/contract'

export interface Setting {
  meaning: string
  /** Must be set; a text says when. */
  is_required?: true | string
  /** Of texts and numbers. */
  fallback?: string | number
  /** What is shown in place of a default that depends on others. */
  follows?: string
  least?: number
  most?: number
  /** All that it may be; the first is the default. */
  words?: readonly [string, ...string[]]
}

const MIB = 1024 * 1024
const PORT = { most: 65_535 }

const addresses = {
  BASE_URL: {
    is_required: true,
    meaning: 'scheme, host and path prefix that clients see, without a trailing slash; every link is made from it',
  },
  HOST: { fallback: '127.0.0.1', meaning: 'where the API listens' },
  PORT: { fallback: 3000, ...PORT, meaning: 'its port; 0 takes any free one' },
  MANAGEMENT_HOST: { fallback: '127.0.0.1', meaning: 'where health and metrics are' },
  MANAGEMENT_PORT: {
    fallback: 9090,
    ...PORT,
    meaning: 'their port; each process on a host needs one of its own. Do not publish it',
  },
  HEALTH_ON_MAIN: { words: ['false', 'true'], meaning: '`true`: also serve `/livez` and `/readyz` on the main port' },
  CORS_ALLOWED_ORIGINS: {
    meaning:
      'exact origins of browsers, comma-separated, such as `https://app.example.com`: no path, no slash at the end; none by default',
  },
  TRUSTED_PROXIES: { meaning: 'IP addresses or CIDRs, comma-separated, whose `X-Forwarded-For` is believed' },
} as const satisfies Record<string, Setting>

const database = {
  DATABASE_URL: { is_required: true, meaning: "the requests' role; may go through pgbouncer" },
  DATABASE_SYSTEM_URL: { is_required: true, meaning: 'the system role' },
  DATABASE_DIRECT_URL: { follows: 'DATABASE_URL', meaning: 'as `DATABASE_URL`, never through a pooler' },
  DATABASE_OWNER_URL: { meaning: 'the owner: for migrations, tests, and everything in one process' },
  DATABASE_POOL: { fallback: 10, least: 1, meaning: 'connections of one process' },
  VALKEY_URL: { meaning: '`redis://`, `rediss://` or `valkey://`; without it limits are kept in each process' },
  VALKEY_TIMEOUT_MS: {
    fallback: 50,
    least: 1,
    meaning:
      'what a request may lose to a Valkey that is late; each process then keeps the limits for itself for a while',
  },
} as const satisfies Record<string, Setting>

const secrets = {
  OCTAVO_SECRETS: {
    is_required: true,
    meaning: 'keys of the server, see [operations](operations.md#secrets-of-the-server)',
  },
} as const satisfies Record<string, Setting>

const inCode = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ')

const TIER = 'the same of that tier'

const limits = {
  RATE_LIMITS: { words: ['on', 'off'], meaning: '`off` turns rate and concurrency limits of callers off' },
  TIER_FREE: {
    meaning: `numbers of the tier, such as \`requests_per_minute:600,running_jobs:2\`; the others stay. There are ${inCode(Object.keys(tiers.free))}`,
  },
  TIER_STANDARD: { meaning: TIER },
  TIER_ENTERPRISE: { meaning: TIER },
  TIER_SELF_HOSTED: { meaning: TIER },
  MAX_JSON_BYTES: { fallback: 32 * MIB, meaning: 'largest JSON body of documents and pages; others have 1 MiB' },
  MAX_FILE_BYTES: { fallback: 2048 * MIB, least: 1, meaning: 'largest file that is received or fetched' },
  MAX_CONCURRENCY: { fallback: 256, least: 1, meaning: 'most requests under way in one process' },
  REQUEST_DEADLINE_MS: { fallback: 10_000, meaning: 'after this no further statement is begun for a request' },
} as const satisfies Record<string, Setting>

const workers = {
  WORKER_SLOTS: { fallback: 4, least: 1, most: 1_000, meaning: 'jobs that one worker runs at once' },
  WORKER_TYPES: {
    meaning: `of which at most so many of a type: \`ingestion:2,purge:1\`. Types: ${inCode(jobTypes)}`,
  },
  JOB_SLOTS: {
    follows: 'WORKER_SLOTS',
    least: 1,
    meaning:
      'jobs that all workers together run at once; a tenant of the tier `self_hosted` may hold all of them but one',
  },
  DRAIN_MS: {
    fallback: 5_000,
    meaning:
      'how long a stopping API process serves on before it closes, and how long a stopping worker lets its jobs finish',
  },
} as const satisfies Record<string, Setting>

const S3 = { is_required: 'with `s3`' } as const

const storage = {
  FILES_DRIVER: { words: ['disk', 's3'], meaning: 'where bytes are kept' },
  FILES_DIR: { fallback: 'data/files', meaning: 'the directory of `disk`; API and workers need the same one' },
  S3_BUCKET: { ...S3, meaning: 'the bucket, which must exist; one database to a bucket and prefix' },
  S3_ACCESS_KEY_ID: { ...S3, meaning: 'who may use it' },
  S3_SECRET_ACCESS_KEY: { ...S3, meaning: 'and the secret' },
  S3_ENDPOINT: { meaning: "of a server other than Amazon's, such as `https://minio.example.com`" },
  S3_PUBLIC_ENDPOINT: {
    follows: 'S3_ENDPOINT',
    meaning: 'what clients reach: signed addresses of uploads are made from it',
  },
  S3_REGION: { fallback: 'us-east-1', meaning: 'the region' },
  S3_PREFIX: { meaning: 'stands before every key, such as `octavo/`' },
  SWEEP_EVERY_SECONDS: {
    fallback: 3_600,
    least: 1,
    // What a timer of Node can count.
    most: 2_000_000,
    meaning: 'how often a worker looks for stored bytes without a row, and for rows without bytes',
  },
  SWEEP_AFTER_SECONDS: {
    // Above the day that an upload may take: S3 dates an object that came in parts by its beginning.
    fallback: 90_000,
    meaning:
      'how old both must be. Longer than the slowest file takes to come: S3 dates one that came in parts by its beginning',
  },
} as const satisfies Record<string, Setting>

const reading = {
  MAX_READ_BYTES: {
    fallback: 256 * MIB,
    least: 1,
    meaning: 'largest file that is read; a larger one is kept, and its document fails with `document_too_large`',
  },
  MAX_PAGES: { fallback: MAX_PAGES, least: 1, most: MAX_PAGES, meaning: 'pages that are read of one document' },
  MAX_TEXT_CHARACTERS: {
    fallback: 32 * MIB,
    least: 1,
    meaning:
      'characters that are read of one document, a cell of a table counting as ten more; the pages after them are not read',
  },
  MAX_INFLATED_BYTES: { fallback: 512 * MIB, least: 1, meaning: 'what all that is packed in one file may unpack to' },
  MAX_PIXELS: { fallback: 100_000_000, least: 1, meaning: 'largest picture that is decoded' },
  PARSER_HEAP_MB: { fallback: 384, least: 64, meaning: 'heap of the process that parses one file' },
  PARSER_RESIDENT_MB: { fallback: 700, least: 128, meaning: 'all of its memory' },
  PARSER_OPEN_SECONDS: {
    fallback: 25,
    least: 1,
    meaning: "its processor time for a file's opening; a process that sleeps has three times as long",
  },
  PARSER_PAGE_SECONDS: {
    fallback: 12,
    least: 1,
    meaning: 'and for each page. All pages together may take a third of that each',
  },
  OCR_ENGINE: {
    words: ['auto', 'tesseract', 'tesseract_js', 'pp_ocr'],
    meaning: '`auto` takes a tesseract of the machine if there is one, else the one that comes along',
  },
  PATH: { meaning: 'where tesseract is looked for' },
  TESSDATA_PREFIX: { meaning: 'where its languages are looked for' },
  DOCLING_URL: { meaning: 'a docling-serve that becomes the reader `docling`' },
  DOCLING_API_KEY: { meaning: 'its key' },
  EGRESS_ALLOW_CIDRS: {
    meaning: 'private networks, comma-separated, from which documents may be fetched by `url`; none by default',
  },
  EGRESS_ALLOW_HTTP: { words: ['false', 'true'], meaning: '`true`: documents may also be fetched without TLS' },
} as const satisfies Record<string, Setting>

const models = {
  OCTAVO_MODELS_DIR: {
    meaning:
      'where weights are kept: `all-MiniLM-L6-v2` and `bge-small-en-v1.5` for embeddings, `pp-ocrv6-small` for `pp_ocr`, each in a folder of its name',
  },
  MODEL_THREADS: { fallback: 2, least: 1, most: 256, meaning: 'threads of one process that runs these models' },
  EXACT_SEARCH_MAX: {
    fallback: 50_000,
    most: 10_000_000,
    meaning:
      'chunks of a tenant up to which a semantic search compares the query with each; more are searched through an approximate index',
  },
  CHAT_BASE_URL: {
    meaning: 'one OpenAI-compatible server with one model that writes, without a list; it becomes the default',
  },
  CHAT_MODEL: { meaning: 'the model, as that server calls it' },
  CHAT_API_KEY: { meaning: 'the key, if that server wants one' },
  CHAT_LOCALITY: {
    words: ['auto', 'local', 'remote'],
    meaning: '`local`: what is asked does not leave this installation. `auto`: `local` on this machine, else `remote`',
  },
  MODELS_FILE: { meaning: 'the list of models that other servers run, see [below](#models-of-other-servers)' },
} as const satisfies Record<string, Setting>

const running = {
  OCTAVO_DATA_DIR: {
    fallback: 'data',
    meaning:
      'of everything in one process: where what it makes itself is kept, its secret in `secrets` and bytes in `files`',
  },
  LOG_LEVEL: { words: ['info', 'warn', 'error', 'silent'], meaning: 'the least that is logged' },
} as const satisfies Record<string, Setting>

/** In the order of the page. */
export const settingGroups = {
  'Addresses and ports': addresses,
  Database: database,
  'Secrets and processes': { ...secrets, ...running },
  Limits: limits,
  Workers: workers,
  'Storage of files': storage,
  'Reading files': reading,
  Models: models,
} as const

export const settings = {
  ...addresses,
  ...database,
  ...secrets,
  ...running,
  ...limits,
  ...workers,
  ...storage,
  ...reading,
  ...models,
} as const

export type SettingName = keyof typeof settings
