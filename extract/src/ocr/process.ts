// Engines that run in Node do it in children, which stay for the next page. One page at a time each; as many children as
// pages are read side by side.

import { recordOf } from '@octavo/base/unknown.ts'
import { FrameReader } from '../protocol.ts'
import type { SandboxProcess } from '../sandbox/process.ts'
import { OcrFailure } from './ocr.ts'

/** A request to a child; the pixels are sent with it. */
export interface OcrAsk {
  width: number
  height: number
  dpi: number
  names: readonly string[]
}

const MAX_IDLE = 2

export class OcrProcesses {
  readonly #spawn: () => SandboxProcess
  readonly #deadline_ms: number
  readonly #all = new Set<Talk>()
  #idle: Talk[] = []

  constructor(spawn: () => SandboxProcess, deadline_ms: number) {
    this.#spawn = spawn
    this.#deadline_ms = deadline_ms
  }

  async ask(ask: OcrAsk, pixels: Uint8Array, signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted()
    const talk = this.#idle.pop() ?? this.#begin()
    const answer = await talk.ask(ask, pixels, { signal, deadline: AbortSignal.timeout(this.#deadline_ms) })
    if (talk.is_over) return answer
    if (this.#idle.length < MAX_IDLE) this.#idle.push(talk)
    else talk.kill()
    return answer
  }

  async close(): Promise<void> {
    const all = [...this.#all]
    for (const talk of all) talk.kill()
    await Promise.all(all.map((talk) => talk.gone))
  }

  #begin(): Talk {
    const talk = new Talk(this.#spawn())
    this.#all.add(talk)
    void this.#forget(talk)
    return talk
  }

  async #forget(talk: Talk): Promise<void> {
    await talk.gone
    this.#all.delete(talk)
    this.#idle = this.#idle.filter((one) => one !== talk)
  }
}

class Talk {
  readonly gone: Promise<void>
  is_over = false
  readonly #child: SandboxProcess
  readonly #frames = new FrameReader(0)
  #answer: ((answer: unknown) => void) | null = null
  #complaint = ''

  constructor(child: SandboxProcess) {
    this.#child = child
    this.gone = this.#end()
    child.stderr.on('data', (data: Buffer) => {
      this.#complaint = (this.#complaint + data.toString()).slice(-1000)
    })
    child.stdout.on('data', (chunk: Buffer) => this.#receive(chunk))
  }

  async ask(
    ask: OcrAsk,
    pixels: Uint8Array,
    { signal, deadline }: { signal: AbortSignal; deadline: AbortSignal },
  ): Promise<unknown> {
    const ends = AbortSignal.any([signal, deadline])
    const kill = () => this.kill()
    ends.addEventListener('abort', kill)
    const { promise, resolve } = Promise.withResolvers<unknown>()
    this.#answer = resolve
    const json = Buffer.from(JSON.stringify(ask))
    const lengths = Buffer.allocUnsafe(8)
    lengths.writeUInt32LE(json.length, 0)
    lengths.writeUInt32LE(pixels.length, 4)
    this.#child.stdin.write(Buffer.concat([lengths, json]))
    this.#child.stdin.write(pixels)
    try {
      const answer = await Promise.race([promise, this.gone])
      signal.throwIfAborted()
      if (deadline.aborted) throw new OcrFailure('timeout', 'Text recognition took too long.')
      return this.#checked(answer)
    } finally {
      ends.removeEventListener('abort', kill)
    }
  }

  kill(): void {
    this.is_over = true
    this.#child.kill()
  }

  async #end(): Promise<void> {
    await this.#child.ended.catch((error: unknown) => {
      this.#complaint ||= String(error)
    })
    this.is_over = true
  }

  #receive(chunk: Buffer): void {
    try {
      for (const { header } of this.#frames.push(chunk)) this.#answer?.(header)
    } catch {
      this.kill()
    }
  }

  #checked(answer: unknown): unknown {
    const failed = answer === undefined ? this.#complaint.trim() || 'the process ended' : recordOf(answer).failed
    if (failed !== undefined)
      throw new OcrFailure('crashed', `Text recognition failed: ${String(failed).slice(0, 500)}`)
    return answer
  }
}
