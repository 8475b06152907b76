import type { Send } from './call.ts'
import { ConnectionError, OctavoError } from './errors.ts'
import { AnswersResource } from './generated/resources.ts'
import type { Answer, NewAnswer } from './generated/types.ts'
import { newKey, parse, type Settings } from './request.ts'
import { retryWaitMs, sleep } from './retry.ts'
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
  /** How often the question is sent again after a temporary failure. */
  max_retries?: number | undefined
}

const DEFAULT_SILENCE_MS = 60_000

export class Answers extends AnswersResource {
  readonly #settings: Settings

  constructor(send: Send, settings: Settings) {
    super(send)
    this.#settings = settings
  }

  /**
   * Asks a question and yields the answer while a generative model writes it. The question is sent again after a temporary
   * failure; if the connection is lost after `created`, the client waits for the answer instead. Needs `searches:write` and,
   * after a lost connection, `searches:read`.
   */
  async *stream(body: NewAnswer, options: AnswerStreamOptions = {}): AsyncGenerator<AnswerEvent, void, undefined> {
    const { signal, max_retries = this.#settings.max_retries } = options
    // Chosen once, so that all attempts have the same Idempotency-Key.
    const idempotency_key = options.idempotency_key ?? newKey()
    let id: string | null = null
    for (let attempt = 1; id === null; attempt += 1) {
      let failure: OctavoError
      try {
        for await (const event of this.#connect(body, { ...options, idempotency_key })) {
          if (event.type === 'created') id = event.answer.id
          yield event
          if (event.type === 'completed') return
        }
        failure = new ConnectionError({
          code: 'connection_failed',
          message: 'The stream ended before the answer was created.',
        })
      } catch (error) {
        if (!(error instanceof OctavoError)) throw error
        failure = error
      }
      if (id !== null) break
      const wait = retryWaitMs(failure, attempt, max_retries)
      if (wait === null) throw failure
      await sleep(wait, signal)
    }
    yield { type: 'completed', answer: await this.#wait(id, signal) }
  }

  /** The events of one connection. */
  async *#connect(body: NewAnswer, options: AnswerStreamOptions): AsyncGenerator<AnswerEvent, void, undefined> {
    const { signal, idempotency_key = newKey(), timeout_ms = DEFAULT_SILENCE_MS } = options
    const parser = new MessageParser()
    const stored: Message[] = []
    const texts = readStream(
      this.#settings,
      { method: 'POST', path: '/answers', body },
      {
        headers: { 'idempotency-key': idempotency_key },
        signal,
        silenceMs: () => timeout_ms,
        // A repeated request gets the stored response, which is not a stream.
        onJson: (data) => stored.push({ id: '', event: 'answer.created', data }),
      },
    )
    for await (const text of texts) yield* eventsOf(parser.push(text))
    yield* eventsOf(stored)
  }

  #wait(answer_id: string, signal: AbortSignal | undefined): Promise<Answer> {
    return waitUntil(
      (asked) => this.get(answer_id, {}, asked).withResponse(),
      ({ is_terminal }) => is_terminal,
      { signal },
    )
  }
}

/** Skips messages that this client does not know. */
function* eventsOf(messages: Message[]): Generator<AnswerEvent, void, undefined> {
  for (const { event, data } of messages) {
    const sent = parse(data) as Answer & { text: string }
    if (event === 'answer.created') yield { type: 'created', answer: sent }
    if (event === 'answer.delta') yield { type: 'delta', text: sent.text }
    if (event === 'answer.completed') yield { type: 'completed', answer: sent }
  }
}
