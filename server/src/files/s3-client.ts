// The S3 client, loaded when it is first needed, and bounded: a server that hangs does not hang us.

import type { S3 } from '@aws-sdk/client-s3'
import { recordOf, toError } from '@octavo/base/unknown.ts'
import { StorageFull, StorageUnavailable } from './store.ts'

export interface S3Config {
  /** null: Amazon's own, by the region. */
  endpoint: string | null
  /** The endpoint that clients can reach, for signed requests; null: `endpoint`. */
  public_endpoint: string | null
  region: string
  bucket: string
  /** Before every key, such as `octavo/`. */
  prefix: string
  /** null: what the environment gives, such as the role of the machine. */
  access_key_id: string | null
  secret_access_key: string | null
  /** Default: true when `endpoint` is set, because only Amazon has a host name for each bucket. */
  is_path_style?: boolean
  /** How long one small request may take, all its attempts included. */
  timeout_ms?: number
}

export interface AskOptions {
  abortSignal: AbortSignal
}

export interface S3RequestOptions {
  signal?: AbortSignal | undefined
  /** How many times the usual patience. */
  times?: number
}

const TIMEOUT_MS = 10_000
const CONNECT_MS = 3_000
/** The longest delay of a Node.js timer. */
const LONGEST_MS = 2 ** 31 - 1
const MISSING = new Set(['NoSuchKey', 'NotFound', 'NoSuchUpload', 'InvalidRange'])
const FULL = new Set([
  'XMinioStorageFull',
  'QuotaExceeded',
  'QuotaExceededException',
  'InsufficientStorage',
  'InsufficientCapacity',
])

/** The thing is not there. Where a caller has no use for that, it is a failure like others. */
export class Missing extends StorageUnavailable {}

export class S3Client {
  readonly config: S3Config
  readonly timeout_ms: number
  #client: Promise<S3> | null = null
  #signer: Promise<S3> | null = null

  constructor(config: S3Config) {
    this.config = config
    this.timeout_ms = config.timeout_ms ?? TIMEOUT_MS
  }

  /** One request with its retries. The time ends with the head of the answer: a body may take longer. */
  async ask<T>(
    { signal, times = 1 }: S3RequestOptions,
    request: (client: S3, options: AskOptions) => Promise<T>,
  ): Promise<T> {
    signal?.throwIfAborted()
    const late = new AbortController()
    const timer = setTimeout(
      () => late.abort(new Error('The storage did not respond in time.')),
      Math.min(this.timeout_ms * times, LONGEST_MS),
    )
    try {
      this.#client ??= this.#load(this.config.endpoint)
      return await request(await this.#client, {
        abortSignal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
      })
    } catch (error) {
      signal?.throwIfAborted()
      throw asStorageError(error)
    } finally {
      clearTimeout(timer)
    }
  }

  /** Signs and sends nothing. */
  signer(): Promise<S3> {
    this.#signer ??= this.#load(this.config.public_endpoint ?? this.config.endpoint)
    return this.#signer
  }

  async close(): Promise<void> {
    for (const client of await Promise.all([this.#client, this.#signer])) client?.destroy()
  }

  async #load(endpoint: string | null): Promise<S3> {
    const { S3 } = await import('@aws-sdk/client-s3')
    const { region, is_path_style, access_key_id, secret_access_key } = this.config
    return new S3({
      region,
      forcePathStyle: is_path_style ?? endpoint !== null,
      ...(endpoint === null ? {} : { endpoint }),
      ...(access_key_id && secret_access_key
        ? { credentials: { accessKeyId: access_key_id, secretAccessKey: secret_access_key } }
        : {}),
      // Newer defaults add checksums that some servers refuse, and that a browser cannot compute for a signed request.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      maxAttempts: 3,
      // Failures are thrown; the default logger would also write them to the console.
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        httpAgent: { maxSockets: 256 },
        httpsAgent: { maxSockets: 256 },
      },
    })
  }
}

function asStorageError(error: unknown): Error {
  const { name } = toError(error)
  const { httpStatusCode } = recordOf(recordOf(error).$metadata)
  if (MISSING.has(name)) return new Missing(name, { cause: error })
  if (FULL.has(name) || httpStatusCode === 507) return new StorageFull('The storage is full.', { cause: error })
  return new StorageUnavailable('A storage operation failed.', { cause: error })
}

export async function orMissing<T>(work: Promise<T>): Promise<T | Missing> {
  return work.catch((error: unknown) => {
    if (error instanceof Missing) return error
    throw error
  })
}
