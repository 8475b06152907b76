// Schedules batches. Queries go before documents, and documents take turns, batch by batch.

import { MAX_BATCH, MAX_RUN_TOKENS } from './specs.ts'

export interface EngineCall {
  model: string
  is_query: boolean
  /** Waiting texts with their places in the answer, the longest first. */
  waiting: QueueItem[]
  /** Called with each batch's vectors. */
  settle(batch: TextBatch, numbers: Float32Array, input_tokens: number): void
  fail(error: Error): void
}

interface QueueItem {
  text: string
  index: number
}

export interface TextBatch {
  call: EngineCall
  items: QueueItem[]
  /** Times that it was begun. */
  attempts: number
}

/** After this many queries in a row, one document batch runs, so that documents never starve. */
const MAX_STREAK = 8
/** Slightly low for English text: a batch that turns out too large is run in pieces. */
const CHARACTERS_A_TOKEN = 4

export class Queue {
  #queries: EngineCall[] = []
  #others: EngineCall[] = []
  #again: TextBatch[] = []
  #streak = 0

  add(call: EngineCall): void {
    const line = call.is_query ? this.#queries : this.#others
    line.push(call)
  }

  /** Batches of a process that died run first. */
  putBack(batch: TextBatch): void {
    this.#again.push(batch)
  }

  remove(call: EngineCall): void {
    const isOther = (one: EngineCall) => one !== call
    this.#queries = this.#queries.filter(isOther)
    this.#others = this.#others.filter(isOther)
    this.#again = this.#again.filter((batch) => isOther(batch.call))
  }

  /** Everybody who waits, for an end. */
  clear(): EngineCall[] {
    const calls = new Set([...this.#queries, ...this.#others, ...this.#again.map(({ call }) => call)])
    for (const call of calls) this.remove(call)
    return [...calls]
  }

  next(): TextBatch | null {
    const again = this.#again.shift()
    if (again) return again
    const is_turn_of_query = this.#queries.length > 0 && (this.#others.length === 0 || this.#streak < MAX_STREAK)
    this.#streak = is_turn_of_query ? this.#streak + 1 : 0
    const line = is_turn_of_query ? this.#queries : this.#others
    const call = line.shift()
    if (!call) return null
    const items = call.waiting.splice(0, batchSize(call.waiting))
    if (call.waiting.length > 0) line.push(call)
    return { call, items, attempts: 0 }
  }
}

function batchSize(waiting: readonly QueueItem[]): number {
  const longest = (waiting[0]?.text.length ?? 0) / CHARACTERS_A_TOKEN
  return Math.max(1, Math.min(MAX_BATCH, Math.floor(MAX_RUN_TOKENS / (longest + 2))))
}
