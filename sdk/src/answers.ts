import type { Send } from './call.ts'
import { OctavoError } from './errors.ts'
import { AnswersResource } from './generated/resources.ts'
import type { Answer, NewAnswer } from './generated/types.ts'
import { parse, type Settings } from './request.ts'
import { type Message, MessageParser } from './sse.ts'
import { readStream } from './stream.ts'
import { waitUntil } from './waiting.ts'

/** `delta`: a piece of an unverified draft. `completed`: the answer with its verified quotes, whatever its `status`. */
export type AnswerEvent =
  | { type: 'created'; answer: Answer }
  | { type: 'delta'; text: string }
  | { type: 'completed'; answer: Answer }

export interface AnswerStreamOptions {
  /** Aborts the iteration, which then rejects with the reason of the signal. The server still finishes the answer. */
  signal?: AbortSignal | undefined
  /** By default each call gets a new one. */
  idempotency_key?: string | undefined
  /** How long the server may stay silent; it sends at least a ping every 15 seconds. 60 seconds by default. */
  timeout_ms?: number | undefined
}

const DEFAULT_SILENCE_MS = 60_000

export class Answers extends AnswersResource {
  readonly #settings: Settings

  constructor(send: Send, settings: Settings) {
    super(send)
    this.#settings = settings
  }

  /**
   * Asks a question and yields the answer while a generative model writes it. After a lost connection it waits for the
   * answer instead. Needs `searches:write` and, after a lost connection, `searches:read`.
   */
  async *stream(body: NewAnswer, options: AnswerStreamOptions = {}): AsyncGenerator<AnswerEvent, void, undefined> {
    const { signal, idempotency_key, timeout_ms = DEFAULT_SILENCE_MS } = options
    const headers: Record<string, string> = idempotency_key === undefined ? {} : { 'idempotency-key': idempotency_key }
    const operation = { method: 'POST', path: '/answers', body } as const
    const parser = new MessageParser()
    let id: string | null = null
    try {
      for await (const text of readStream(this.#settings, operation, {
        headers,
        signal,
        silenceMs: () => timeout_ms,
      })) {
        for (const message of parser.push(text)) {
          const event = eventOf(message)
          if (event?.type === 'created') id = event.answer.id
          if (event) yield event
          if (event?.type === 'completed') return
        }
      }
    } catch (error) {
      if (id === null || !(error instanceof OctavoError)) throw error
    }
    if (id === null)
      throw new OctavoError({ code: 'unexpected_answer', message: 'The stream ended before the answer was created.' })
    yield { type: 'completed', answer: await this.#wait(id, signal) }
  }

  #wait(answer_id: string, signal: AbortSignal | undefined): Promise<Answer> {
    return waitUntil(
      (asked) => this.get(answer_id, {}, asked).withResponse(),
      ({ is_terminal }) => is_terminal,
      { signal },
    )
  }
}

/** Null for messages that this client does not know. */
function eventOf({ event, data }: Message): AnswerEvent | null {
  const sent = parse(data) as Answer & { text: string }
  if (event === 'answer.created') return { type: 'created', answer: sent }
  if (event === 'answer.delta') return { type: 'delta', text: sent.text }
  return event === 'answer.completed' ? { type: 'completed', answer: sent } : null
}
