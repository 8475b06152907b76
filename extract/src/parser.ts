// The host's side of one child: asks, waits no longer than allowed, watches its memory, and knows why it ended.

import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { Busy } from '@octavo/base/busy.ts'
import { findAnswer } from './answers.ts'
import type { Used } from './meter.ts'
import { type Answer, type Ask, FrameReader, FrameTooLarge, frameHead } from './protocol.ts'
import type { SandboxProcess } from './sandbox/process.ts'
import type { ParserLimits } from './spawn.ts'

/** `start`: it never came up, which is no fault of a file. */
export type Death = 'memory' | 'time' | 'output' | 'crash' | 'closed' | 'start'

export class ParserDied extends Error {
  readonly why: Death
  constructor(why: Death) {
    super(`The parser ended: ${why}`)
    this.why = why
  }
}

export interface Reply {
  answer: Answer
  binary: Uint8Array
}

/** Wall time. The child has the lowest priority, so that it starts slowly where many processes compete. */
const START_SECONDS = 180
const WATCH_MS = 25
/** Between two looks it may grow further. */
const KILLED_AT = 0.9
/** A clock counts processor time, so that a busy machine is not taken for a slow file. Time that a child sleeps counts less. */
const IDLE_SHARE = 1 / 3
/**
 * Wall time limit relative to the CPU time limit. It applies where CPU time cannot be measured; on Linux it is the last
 * resort for a child that never gets the processor.
 */
const WALL_FACTOR = process.platform === 'linux' ? 50 : 1 / IDLE_SHARE
const PART_BYTES = 1024 * 1024

interface Clock {
  /** CPU seconds allowed. */
  seconds: number
  /** CPU seconds used before the clock started. */
  before: number
  began_ms: number
  looked_ms: number
  idle_ms: number
}

export class Parser {
  readonly #process: SandboxProcess
  readonly #resident_bytes: number
  readonly #frames: FrameReader
  readonly #ended: Promise<never>
  #stderr = ''
  #why: Death | null = null
  #waiting: ((reply: Reply) => void) | null = null
  #watch: NodeJS.Timeout | null = null
  #used: Used | null = null
  #clock: Clock | null = null
  /** Seconds spent on the last request, as its clock counts them. */
  spent_seconds = 0
  readonly #ready: Promise<Reply>

  constructor(
    process: SandboxProcess,
    { parser_resident_mb, parser_start_seconds = START_SECONDS }: ParserLimits,
    max_binary: number,
  ) {
    this.#resident_bytes = parser_resident_mb * 1024 * 1024 * KILLED_AT
    this.#frames = new FrameReader(max_binary)
    this.#process = process
    this.#ended = this.#end()
    this.#ended.catch(() => {})
    this.#process.stderr.on('data', (text: Buffer) => {
      this.#stderr = (this.#stderr + text.toString('latin1')).slice(-4096)
    })
    this.#ready = this.#next(parser_start_seconds * 1000)
    this.#ready.catch(() => {})
    this.#process.stdout.on('data', (chunk: Buffer) => this.#receive(chunk))
    // A spare that waits for work does not keep this process alive.
    this.#process.hold(false)
  }

  async start(): Promise<void> {
    this.#process.hold(true)
    await this.#ready.catch(() => {
      const isLate = this.#why === 'time'
      this.kill('start')
      throw isLate ? new Busy('The parser did not start in time') : new ParserDied('start')
    })
    if (process.platform === 'linux') this.#watch = setInterval(() => this.#look(), WATCH_MS)
  }

  /** `seconds` is CPU time. */
  async ask(ask: Ask, seconds: number): Promise<Reply> {
    this.#look()
    const now = performance.now()
    const clock: Clock = { seconds, before: this.#used?.seconds ?? 0, began_ms: now, looked_ms: now, idle_ms: 0 }
    this.#clock = clock
    const reply = this.#next(seconds * 1000 * WALL_FACTOR)
    this.#process.stdin.write(frameHead(ask))
    try {
      return await reply
    } finally {
      // Before the last look: an answer that came is not late any more.
      this.#clock = null
      this.#look()
      this.spent_seconds = this.#secondsOf(clock)
    }
  }

  /** Parts wait for the child to take the ones before them, so that no more than a few are here at once. */
  async feed(begin: Ask & { do: 'begin' }, bytes: Readable): Promise<void> {
    await this.#write(frameHead(begin))
    let sent = 0
    for await (const chunk of bytes) {
      const whole = chunk as Buffer
      for (let at = 0; at < whole.length; at += PART_BYTES) {
        const part = whole.subarray(at, at + PART_BYTES)
        sent += part.length
        if (sent > begin.size_bytes) throw new Error('There are more bytes than were announced')
        this.#process.stdin.write(frameHead({ do: 'bytes' }, part.length))
        await this.#write(part)
      }
    }
    if (sent < begin.size_bytes) throw new Error('There are fewer bytes than were announced')
  }

  kill(why: Death): void {
    this.#why ??= why
    // Or a process that waits for nothing else would end before its child has.
    this.#process.hold(true)
    this.#process.kill()
  }

  async gone(): Promise<void> {
    await this.#ended.catch(() => {})
  }

  async #end(): Promise<never> {
    await this.#process.ended.catch(() => {
      throw new ParserDied('start')
    })
    if (this.#watch) clearInterval(this.#watch)
    throw new ParserDied(this.#why ?? (/out of memory|allocation failed/i.test(this.#stderr) ? 'memory' : 'crash'))
  }

  async #write(bytes: Uint8Array): Promise<void> {
    if (this.#process.stdin.write(bytes)) return
    const stop = new AbortController()
    try {
      await Promise.race([once(this.#process.stdin, 'drain', { signal: stop.signal }), this.#ended])
    } finally {
      stop.abort()
    }
  }

  async #next(most_ms: number): Promise<Reply> {
    const { promise, resolve } = Promise.withResolvers<Reply>()
    this.#waiting = resolve
    const timer = setTimeout(() => this.#endLate(), most_ms)
    timer.unref()
    try {
      return await Promise.race([promise, this.#ended])
    } finally {
      clearTimeout(timer)
    }
  }

  #receive(chunk: Buffer): void {
    // Output of a child that is being killed is ignored, even if it was sent before the kill.
    if (this.#why !== null) return
    try {
      for (const { header, binary } of this.#frames.push(chunk)) {
        const answer = findAnswer(header, binary)
        if (!answer) return this.kill('crash')
        this.#waiting?.({ answer, binary })
        this.#waiting = null
      }
    } catch (error) {
      this.kill(error instanceof FrameTooLarge ? 'output' : 'crash')
    }
  }

  #look(): void {
    const used = this.#why === null ? this.#process.used() : null
    // It has ended, which is noticed elsewhere.
    if (!used) return
    this.#used = used
    const clock = this.#clock
    const now = performance.now()
    if (clock && used.is_idle) clock.idle_ms += now - clock.looked_ms
    if (clock) clock.looked_ms = now
    if (used.resident_bytes > this.#resident_bytes) this.kill('memory')
    else if (clock && this.#secondsOf(clock) > clock.seconds) this.#endLate()
  }

  #secondsOf({ before, began_ms, idle_ms }: Clock): number {
    const slept_ms = this.#used ? idle_ms : performance.now() - began_ms
    return (this.#used?.seconds ?? 0) - before + (slept_ms / 1000) * IDLE_SHARE
  }

  #endLate(): void {
    this.kill('time')
  }
}
