// Argon2id hashes of passwords, in the PHC string format. One thread computes them and a short queue waits for it, so
// that a flood of sign-ins takes neither CPU time nor memory from the API.

import { randomBytes, timingSafeEqual } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { itemAt } from '@octavo/base/required.ts'
import { toError } from '@octavo/base/unknown.ts'

export interface HashRequest {
  password: string
  salt: Uint8Array
  /** KiB. */
  memory: number
  passes: number
}
interface QueuedHash {
  queued_ms: number
  request: HashRequest
  client: string
  resolve: (hash: Buffer) => void
  reject: (error: Error) => void
}
interface ParsedHash {
  salt: Buffer
  hash: Buffer
  memory: number
  passes: number
}

/** The second choice of the OWASP password storage cheat sheet: 19 MiB and two passes. */
const COST = { memory: 19_456, passes: 2 }
const MAX_QUEUED = 32
/** Well within the deadline of a request. */
const MAX_QUEUED_MS = 5_000
/** A client that waits for more hashes than this gets no further place in the queue. */
const MAX_QUEUED_BY_CLIENT = 2
const HASH = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=1\$([\w+/]+)\$([\w+/]+)$/

/** The queue is full, for everybody or for this client. */
export class HashQueueFull extends Error {
  readonly is_by_client: boolean
  constructor(is_by_client: boolean) {
    super('Too many passwords are being checked.')
    this.is_by_client = is_by_client
  }
}

const encode = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

function parseHash(text: string): ParsedHash | null {
  const match = HASH.exec(text)
  if (!match) return null
  return {
    memory: Number(match[1]),
    passes: Number(match[2]),
    salt: Buffer.from(itemAt(match, 3), 'base64'),
    hash: Buffer.from(itemAt(match, 4), 'base64'),
  }
}

/** Equal for hashes that one computation can check. */
const computationKey = ({ salt, memory, passes }: ParsedHash): string => `${salt.toString('hex')} ${memory} ${passes}`

export class Passwords {
  private worker: Worker | null = null
  private readonly queue: QueuedHash[] = []
  private readonly queued = new Map<string, number>()
  private running: QueuedHash | null = null
  /** Addresses without a password are checked against it, so that they take as long as others. */
  private readonly dummy_salt = randomBytes(16)
  private readonly max_queued: number

  constructor(max_queued = MAX_QUEUED) {
    this.max_queued = max_queued
  }

  /**
   * `others`: hashes of users with the same address in other tenants. They share a salt, so that one computation
   * checks the password for all of them.
   */
  async hash(client: string, password: string, others: readonly string[] = []): Promise<string> {
    const shared = others.map(parseHash).find((other) => other !== null)
    const salt = shared?.salt ?? randomBytes(16)
    const hash = await this.compute(client, { password, salt, ...COST })
    return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=1$${encode(salt)}$${encode(hash)}`
  }

  /** Which of the hashes the password matches. At least one hash is computed, also if there is none to compare. */
  async verify(client: string, password: string, hashes: readonly (string | null)[]): Promise<boolean[]> {
    const parsed = hashes.map((hash) => (hash === null ? null : parseHash(hash)))
    const computed = new Map<string, Buffer>()
    for (const one of parsed) {
      if (one === null || computed.has(computationKey(one))) continue
      const { salt, memory, passes } = one
      computed.set(computationKey(one), await this.compute(client, { password, salt, memory, passes }))
    }
    if (computed.size === 0) await this.compute(client, { password, salt: this.dummy_salt, ...COST })
    return parsed.map((one) => {
      const hash = one === null ? undefined : computed.get(computationKey(one))
      return one !== null && hash?.length === one.hash.length && timingSafeEqual(hash, one.hash)
    })
  }

  async close(): Promise<void> {
    await this.worker?.terminate()
  }

  /** Refuses before any other work is done for a password that would find no place in the queue. */
  checkRoom(client: string): void {
    if ((this.queued.get(client) ?? 0) >= MAX_QUEUED_BY_CLIENT) throw new HashQueueFull(true)
    if (this.queue.length >= this.max_queued) throw new HashQueueFull(false)
  }

  private async compute(client: string, request: HashRequest): Promise<Buffer> {
    this.checkRoom(client)
    this.queued.set(client, (this.queued.get(client) ?? 0) + 1)
    return new Promise((resolve, reject) => {
      this.queue.push({ request, client, resolve, reject, queued_ms: performance.now() })
      this.next()
    })
  }

  private next(): void {
    if (this.running) return
    const next = this.queue.shift() ?? null
    this.running = next
    if (next && performance.now() - next.queued_ms > MAX_QUEUED_MS)
      return this.settle(({ reject }) => reject(new HashQueueFull(false)))
    this.worker ??= next && this.startWorker()
    if (!next) return this.worker?.unref()
    this.worker?.ref()
    this.worker?.postMessage(next.request)
  }

  private settle(end: (call: QueuedHash) => void): void {
    const call = this.running
    this.running = null
    if (call) {
      const count = (this.queued.get(call.client) ?? 1) - 1
      if (count > 0) this.queued.set(call.client, count)
      else this.queued.delete(call.client)
      end(call)
    }
    this.next()
  }

  private startWorker(): Worker {
    const started = new Worker(new URL('./passwords.thread.ts', import.meta.url))
    started.on('message', (hash: Uint8Array) => this.settle(({ resolve }) => resolve(Buffer.from(hash))))
    // The next hash starts another thread.
    const fail = (error: unknown): void => {
      if (this.worker !== started) return
      this.worker = null
      this.settle(({ reject }) => reject(toError(error)))
    }
    started.on('error', fail)
    started.on('exit', () => fail(new Error('the password thread ended')))
    return started
  }
}
