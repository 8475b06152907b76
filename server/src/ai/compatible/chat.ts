// The only file that knows the library which speaks with chat servers: its majors move fast.

import { Readable } from 'node:stream'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import type { OpenAICompatibleProvider } from '@ai-sdk/openai-compatible'
import type { RemoteModel } from '../catalogue.ts'
import type { Generation, Message, Tokens } from '../model.ts'
import { findTrouble, Trouble, withSpent } from './trouble.ts'
import { estimate, type ReportedUsage, spentOf } from './usage.ts'
import { RejectedRequest, send, type Wire } from './wire.ts'

export interface Chat {
  /** One question, one answer. Throws `Trouble`, or the reason of the signal. */
  ask(asked: ChatQuestion): Promise<ChatAnswer>
}

interface ChatQuestion
  extends Pick<Generation, 'messages' | 'max_output_tokens' | 'schema' | 'onText' | 'idempotency_key'> {
  signal: AbortSignal
}

export interface ChatAnswer {
  text: string
  spent: Tokens
  is_cut: boolean
}

type ChatModel = ReturnType<OpenAICompatibleProvider['chatModel']>
type Options = Parameters<ChatModel['doGenerate']>[0]
type Usage = Awaited<ReturnType<ChatModel['doGenerate']>>['usage']
type ChatEnd = { reason: string; said: ReportedUsage }
/** Optional parts of a request that some servers reject; learned from their errors. */
type Habit = 'schema' | 'temperature' | 'max_tokens' | 'stream_options'

/** Any name will do: it only separates our options from the library's. */
const NAME = 'compatible'

export function openChat(entry: RemoteModel, wire: Wire): Chat {
  const unwanted = new Set<Habit>(entry.supports_schema ? [] : ['schema'])
  let opening: ReturnType<typeof loadModel> | null = null
  const open = () => (opening ??= loadModel(entry, wire))

  async function askOnce(asked: ChatQuestion, unwanted: ReadonlySet<Habit>): Promise<ChatAnswer> {
    const headers: Record<string, string> =
      asked.idempotency_key === undefined ? {} : { 'idempotency-key': asked.idempotency_key }
    const model = (await open())(headers, unwanted)
    const heard = new Heard(asked.onText)
    try {
      const ending = await (asked.onText ? stream : generate)(model, optionsOf(asked, unwanted), (piece) =>
        heard.add(piece),
      )
      return await answerOf(asked, heard.text, ending)
    } catch (error) {
      // An error of the listener is not an error of the server.
      throw heard.failure?.error ?? (await brokenOff(error, asked, heard.text))
    }
  }

  return {
    async ask(asked) {
      for (const own = new Set(unwanted); ; ) {
        try {
          return await askOnce(asked, own)
        } catch (error) {
          const habits = error instanceof RejectedRequest ? listHabits(error).filter((habit) => !own.has(habit)) : []
          if (habits.length === 0) throw error
          for (const habit of habits) {
            own.add(habit)
            // The server may reject only this schema, so other schemas are still tried.
            if (habit !== 'schema') unwanted.add(habit)
          }
        }
      }
    },
  }
}

/** Optional parts that the server complains about and that the request can do without. */
function listHabits(error: RejectedRequest): Habit[] {
  const words = {
    response_format: 'schema',
    temperature: 'temperature',
    max_completion_tokens: 'max_tokens',
    stream_options: 'stream_options',
  } as const
  return Object.entries(words).flatMap(([word, habit]) => (error.names(word) ? habit : []))
}

async function loadModel(entry: RemoteModel, wire: Wire) {
  // Loaded by the first question: a process that never asks never pays for it.
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return (headers: Record<string, string>, unwanted: ReadonlySet<Habit>): ChatModel =>
    createOpenAICompatible({
      name: NAME,
      // The address and the key stay with the wire, so that no error of the library can repeat them.
      baseURL: 'model:',
      includeUsage: !unwanted.has('stream_options'),
      supportsStructuredOutputs: !unwanted.has('schema'),
      transformRequestBody: ({ max_tokens, ...body }: Record<string, unknown>) =>
        unwanted.has('max_tokens') ? { ...body, max_completion_tokens: max_tokens } : { ...body, max_tokens },
      fetch: async (_url, { body, signal } = {}) => {
        if (!signal) throw new Error('a request without a signal')
        const answer = await send(wire, '/chat/completions', body as string, { signal, headers })
        const type = String(answer.headers['content-type'] ?? 'application/json')
        return new Response(Readable.toWeb(answer.body) as NodeStream<Uint8Array<ArrayBuffer>> as ReadableStream, {
          status: answer.status,
          headers: { 'content-type': type },
        })
      },
    }).chatModel(entry.model)
}

function optionsOf(
  { messages, max_output_tokens, schema, signal }: ChatQuestion,
  unwanted: ReadonlySet<Habit>,
): Options {
  const told = schema && unwanted.has('schema') ? withSchema(messages, schema.schema) : messages
  return {
    prompt: told.map(promptOf),
    maxOutputTokens: max_output_tokens,
    // The same question should get the same answer.
    ...(unwanted.has('temperature') ? {} : { temperature: 0 }),
    abortSignal: signal,
    ...(schema
      ? {
          responseFormat: { type: 'json', name: schema.name, schema: schema.schema },
          providerOptions: { [NAME]: { strictJsonSchema: isStrict(schema.schema) } },
        }
      : {}),
  }
}

function withSchema(messages: readonly Message[], schema: object): Message[] {
  const text = `Answer with JSON only, without any other words. It must satisfy this JSON Schema:\n${JSON.stringify(schema)}`
  return [
    ...messages.filter(({ role }) => role === 'system'),
    { role: 'system', text },
    ...messages.filter(({ role }) => role !== 'system'),
  ]
}

function promptOf({ role, text, image }: Message): Options['prompt'][number] {
  if (role === 'system') return { role, content: text }
  const said = { type: 'text' as const, text }
  if (role === 'assistant' || !image) return { role, content: [said] }
  return {
    role,
    content: [said, { type: 'file', mediaType: image.media_type, data: { type: 'data', data: image.bytes } }],
  }
}

/** Servers that promise to keep to a schema take only those that leave nothing open. */
function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrict)
  if (typeof schema !== 'object' || schema === null) return true
  const { properties, required, additionalProperties } = schema as {
    properties?: unknown
    required?: unknown
    additionalProperties?: unknown
  }
  if (typeof properties === 'object' && properties !== null) {
    const names = Object.keys(properties)
    if (additionalProperties !== false || !Array.isArray(required) || !names.every((name) => required.includes(name)))
      return false
  }
  return Object.values(schema).every(isStrict)
}

class Heard {
  text = ''
  failure: { error: unknown } | null = null
  #tell: ChatQuestion['onText']
  constructor(tell: ChatQuestion['onText']) {
    this.#tell = tell
  }

  add(piece: string): void {
    this.text += piece
    try {
      this.#tell?.(piece)
    } catch (error) {
      this.failure = { error }
      throw error
    }
  }
}

type Listen = (piece: string) => void

async function generate(model: ChatModel, options: Options, listen: Listen): Promise<ChatEnd> {
  const { content, finishReason, usage } = await model.doGenerate(options)
  for (const part of content) if (part.type === 'text') listen(part.text)
  return { reason: finishReason.unified, said: saidOf(usage) }
}

async function stream(model: ChatModel, options: Options, listen: Listen): Promise<ChatEnd> {
  const { stream: parts } = await model.doStream(options)
  let ending: ChatEnd | null = null
  for await (const part of parts) {
    if (part.type === 'text-delta') listen(part.delta)
    if (part.type === 'error') throw findTrouble(part.error) ?? new Trouble('down', 'it closed the connection early')
    if (part.type === 'finish') ending = { reason: part.finishReason.unified, said: saidOf(part.usage) }
  }
  if (!ending) throw new Trouble('down', 'it closed the connection early')
  return ending
}

const saidOf = ({ inputTokens, outputTokens }: Usage): ReportedUsage => ({
  input: inputTokens.total,
  output: outputTokens.total,
})

async function answerOf(
  { messages, max_output_tokens }: ChatQuestion,
  text: string,
  { reason, said }: ChatEnd,
): Promise<ChatAnswer> {
  const spent = await spentOf(said, { sent: messages, received: text, max_output_tokens })
  if (reason === 'content-filter') throw withSpent(new Trouble('refused', 'it refused'), spent)
  return { text, spent, is_cut: reason === 'length' }
}

/** Tokens received before a failure are charged, also for an answer that was too large. */
async function brokenOff(
  error: unknown,
  { messages, max_output_tokens, signal }: ChatQuestion,
  received: string,
): Promise<unknown> {
  if (signal.aborted && received === '') return signal.reason
  const late = signal.aborted ? findTrouble(signal.reason) : null
  const trouble = late ?? findTrouble(error) ?? new Trouble('unusable', 'it is not a chat completion')
  if (signal.aborted && !late) return signal.reason
  const is_paid = received !== '' || trouble.kind === 'unusable'
  if (is_paid && trouble.spent.input_tokens === 0)
    trouble.spent = await estimate({ sent: messages, received, max_output_tokens })
  return trouble
}
