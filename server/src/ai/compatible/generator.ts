// Answers of a chat server. With a schema: repaired once, asked for again once, then given up, and all of it is counted.

import { cardOf, type Provider, type RemoteModel } from '../catalogue.ts'
import {
  type Generation,
  type GenerationResult,
  type Generator,
  type Message,
  ModelOutputInvalid,
  type Tokens,
} from '../model.ts'
import { type Chat, type ChatAnswer, openChat } from './chat.ts'
import { readJsonAnswer } from './json-answer.ts'
import type { Line } from './line.ts'
import { addTokens, NOTHING, withSpent } from './trouble.ts'
import type { Wire } from './wire.ts'

/** More than this of a wrong answer helps no model to do better. */
const MAX_QUOTED = 4_000

export function openGenerator(
  entry: RemoteModel,
  provider: Provider,
  { line, wire }: { line: Line; wire: Wire },
): Generator {
  const chat = openChat(entry, wire)
  return {
    card: cardOf(entry, provider),
    async generate(asked) {
      const first = await ask({ chat, line, entry }, asked, NOTHING)
      if (!asked.schema) return { ...first, value: null }
      const read = readJsonAnswer(first.text, asked.schema.schema)
      if (read.is_valid) return { ...first, value: read.value }
      return askAgain({ chat, line, entry }, asked, { first, reason: read.reason })
    },
  }
}

interface GeneratorPlace {
  chat: Chat
  line: Line
  entry: RemoteModel
}

/** `before`: what was already spent on the way to this answer. */
async function ask({ chat, line, entry }: GeneratorPlace, asked: Generation, before: Tokens): Promise<ChatAnswer> {
  let has_begun = false
  const listening = asked.onText && {
    onText(piece: string): void {
      has_begun = true
      asked.onText?.(piece)
    },
  }
  try {
    // No retry after the first token: the caller has already received part of the answer.
    const answer = await line.run(
      asked.signal,
      (signal) => chat.ask({ ...asked, ...listening, signal }),
      () => !has_begun,
    )
    const spent = addTokens(before, answer.spent)
    if (answer.text.trim() === '') throw new ModelOutputInvalid(entry.id, 'it is empty', { spent: answer.spent })
    return { ...answer, spent }
  } catch (error) {
    throw withSpent(error, before)
  }
}

async function askAgain(
  place: GeneratorPlace,
  asked: Generation,
  { first, reason }: { first: ChatAnswer; reason: string },
): Promise<GenerationResult> {
  const { idempotency_key, schema, max_output_tokens, signal } = asked
  if (!schema) throw new Error('only an answer with a schema is asked for again')
  const messages: Message[] = [
    ...asked.messages,
    { role: 'assistant', text: first.text.slice(0, MAX_QUOTED) },
    { role: 'user', text: correctionOf(reason, first.is_cut) },
    // The server may have accepted the schema without passing it to the model.
    ...(JSON.stringify(schema.schema).length <= MAX_QUOTED
      ? [{ role: 'user' as const, text: `The JSON Schema: ${JSON.stringify(schema.schema)}` }]
      : []),
  ]
  const key = idempotency_key === undefined ? {} : { idempotency_key: `${idempotency_key}-again` }
  const second = await ask(place, { schema, max_output_tokens, signal, messages, ...key }, first.spent)
  const read = readJsonAnswer(second.text, schema.schema)
  if (read.is_valid) return { ...second, value: read.value }
  throw new ModelOutputInvalid(place.entry.id, second.is_cut ? `it was cut off, and ${read.reason}` : read.reason, {
    spent: second.spent,
  })
}

function correctionOf(reason: string, is_cut: boolean): string {
  const shorter = is_cut ? ' It was too long and was cut off: answer more briefly.' : ''
  return `That answer cannot be used: ${reason}.${shorter} Answer again, with the complete JSON that was asked for and nothing else.`
}
