// The parent side of the process that runs models: started by the first text, stopped after an idle period.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ModelUnavailable } from '../model.ts'
import type { EngineAnswer, EngineSettings } from './protocol.ts'
import { type EngineCall, Queue, type TextBatch } from './queue.ts'

export interface HostOptions extends EngineSettings {
  idle_ms?: number
  /** For one batch, the loading of the model included. */
  batch_ms?: number
}

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url))
const IDLE_MS = 5 * 60_000
const BATCH_MS = 60_000
const MAX_ATTEMPTS = 2
const MAX_LAST_WORDS = 2_000

export class EngineHost {
  readonly #options: Required<HostOptions>
  readonly #queue = new Queue()
  #child: ChildProcess | null = null
  #running: TextBatch | null = null
  #timer: NodeJS.Timeout | undefined
  #is_closed = false
  #serves_queries = false

  constructor(options: HostOptions) {
    this.#options = { idle_ms: IDLE_MS, batch_ms: BATCH_MS, ...options }
  }

  /** Id of the running process, if there is one. */
  get pid(): number | null {
    return this.#child?.pid ?? null
  }

  /** A user waits for a query, so its process keeps normal priority and is not ended when idle. Call this before the first text. */
  serveQueries(): void {
    this.#serves_queries = true
  }

  add(call: EngineCall): void {
    if (this.#is_closed) return call.fail(new ModelUnavailable(call.model, 'down'))
    this.#queue.add(call)
    this.#runNext()
  }

  /** Drops the call's waiting texts; the result of a batch that already runs is ignored. */
  remove(call: EngineCall): void {
    this.#queue.remove(call)
  }

  async close(): Promise<void> {
    this.#is_closed = true
    const running = this.#running ? [this.#running.call] : []
    this.#running = null
    for (const call of [...this.#queue.clear(), ...running]) call.fail(new ModelUnavailable(call.model, 'down'))
    await this.#end()
  }

  async #end(): Promise<void> {
    clearTimeout(this.#timer)
    const child = this.#child
    this.#child = null
    if (!child || child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
    const exit = once(child, 'exit')
    // It holds nothing that could be lost, and in the middle of a run it would hear nothing else.
    child.kill('SIGKILL')
    await exit
  }

  #runNext(): void {
    if (this.#running || this.#is_closed) return
    const batch = this.#queue.next()
    clearTimeout(this.#timer)
    if (!batch) {
      if (this.#serves_queries) return
      this.#timer = setTimeout(() => void this.#end(), this.#options.idle_ms).unref()
      return
    }
    this.#running = batch
    batch.attempts++
    const child = (this.#child ??= this.#spawn())
    this.#timer = setTimeout(() => child.kill('SIGKILL'), this.#options.batch_ms)
    // If the process is gone, sending fails; its exit handler deals with that.
    child.send({ model: batch.call.model, texts: batch.items.map(({ text }) => text) }, () => {})
  }

  #spawn(): ChildProcess {
    // The child runs in another directory, so the path must be absolute.
    const setting: EngineSettings = { models_dir: resolve(this.#options.models_dir), threads: this.#options.threads }
    const args = ['--no-warnings', CHILD, JSON.stringify(setting)]
    const child = spawn(process.execPath, args, {
      cwd: '/',
      env: {},
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
    })
    if (!this.#serves_queries) child.once('spawn', () => lowerPriority(child.pid))
    child.on('message', (answer: EngineAnswer) => this.#settle(child, answer))
    let last_words = ''
    child.stderr?.on('data', (bytes: Buffer) => (last_words = (last_words + bytes.toString()).slice(-MAX_LAST_WORDS)))
    // Not `exit`: what it said last is read by then.
    child.once('close', (code, signal) =>
      this.#lose(child, new Error(`The models' process ended (${signal ?? code}). ${last_words}`)),
    )
    child.once('error', (error) => this.#lose(child, error))
    return child
  }

  #settle(child: ChildProcess, answer: EngineAnswer): void {
    const batch = this.#running
    if (child !== this.#child || !batch) return
    this.#running = null
    if (answer.is === 'vectors') batch.call.settle(batch, answer.numbers, answer.input_tokens)
    else this.#fail(batch, new Error(answer.message))
    this.#runNext()
  }

  #lose(child: ChildProcess, cause: Error): void {
    if (child !== this.#child) return
    this.#child = null
    const batch = this.#running
    this.#running = null
    if (batch && batch.attempts < MAX_ATTEMPTS) this.#queue.putBack(batch)
    else if (batch) this.#fail(batch, cause)
    this.#runNext()
  }

  #fail({ call }: TextBatch, cause: Error): void {
    this.#queue.remove(call)
    call.fail(new ModelUnavailable(call.model, 'down', { cause }))
  }
}

/** Bulk embedding runs after requests and before the parsing of files. It is not for queries: only root can raise it again. */
function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already, which is noticed elsewhere.
  }
}
