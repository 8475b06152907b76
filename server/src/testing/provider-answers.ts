// Answers of the fake model server, by the requested behavior.

import type { IncomingMessage } from 'node:http'
import { sampleOf } from './schema-sample.ts'

export const behaviours = [
  'well',
  /** 429, without and with `Retry-After`. */
  'throttles',
  'throttles_until',
  'fails',
  'hangs',
  /** One byte a second. */
  'drips',
  'is_huge',
  /** The answer is cut JSON; `is_garbled`: not even the envelope is JSON. */
  'breaks_json',
  'is_garbled',
  'fences_json',
  /** JSON, but not what the schema says. */
  'ignores_schema',
  'is_empty',
  'refuses',
  'filters',
  'closes',
  'falls_silent',
  'lies',
  'says_no_usage',
  'has_wrong_dimensions',
  'shuffles',
  'invents_quotes',
  'redirects',
  'rejects',
  'rejects_schema',
  /** A model that thinks: no temperature, and another name for the bound of its answer. */
  'is_particular',
  'rejects_as_unsafe',
  'is_locked',
] as const
export type Behaviour = (typeof behaviours)[number]

export interface ProviderRequest {
  model: string
  path: string
  headers: IncomingMessage['headers']
  body: Request
}

export interface Request {
  model?: string
  stream?: boolean
  messages?: { role: string; content: string | { type: string; text?: string; image_url?: { url: string } }[] }[]
  response_format?: { type: string; json_schema?: { schema: object; strict: boolean } }
  max_tokens?: number
  max_completion_tokens?: number
  temperature?: number
  stream_options?: object
  input?: string[]
  query?: string
  documents?: string[]
}

const INVENTED = 'The moon was bought by the tenant in a year that never was.'

export const promptOf = ({ messages = [] }: Request): string =>
  messages
    .map(({ content }) => (typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n')))
    .join('\n')

/** `says` overrides the answer's text. */
export function providerText(
  behaviour: Behaviour,
  asked: ProviderRequest,
  says: ((asked: ProviderRequest) => string) | undefined,
): string {
  const prompt = promptOf(asked.body)
  const quote = behaviour === 'invents_quotes' ? INVENTED : longestLine(prompt)
  const schema = asked.body.response_format?.json_schema?.schema
  const said = says?.(asked) ?? (schema ? JSON.stringify(sampleOf(schema, quote)) : `In short: ${quote}`)
  if (behaviour === 'breaks_json') return '{"broken": [1, 2'
  if (behaviour === 'ignores_schema') return '{"something": "else"}'
  if (behaviour === 'fences_json') return `Here you are:\n\`\`\`json\n${said}\n\`\`\`\nIs there anything else?`
  return behaviour === 'is_empty' ? '' : said
}

/** Between two lines of signs, as questions about documents have it; else all of it. */
const MARKED = /^(=====\S+)\n([^]*)\n\1$/m

/** An exact quote from the prompt. */
function longestLine(prompt: string): string {
  const text = MARKED.exec(prompt)?.[2] ?? prompt
  return text
    .split('\n')
    .reduce((best, line) => (line.trim().length > best.length ? line.trim().slice(0, 200) : best), '')
}

const tokens = (text: string): number => Math.ceil(text.length / 4)

export function usageOf(behaviour: Behaviour, prompt: string, said: string): object {
  if (behaviour === 'says_no_usage') return {}
  const usage = { prompt_tokens: tokens(prompt) + 1, completion_tokens: tokens(said) }
  return { usage: behaviour === 'lies' ? { prompt_tokens: -5, completion_tokens: 1e12 } : usage }
}

/** The same words point the same way. Not of length 1, as some servers' are not. */
export function stubVector(text: string, dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, () => 0.01)
  for (const word of text.toLowerCase().match(/\w+/g) ?? []) {
    const place = [...word].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7) % dimensions
    vector[place] = (vector[place] ?? 0) + 1
  }
  return vector
}

export function embeddingsOf(behaviour: Behaviour, dimensions: number, input: readonly string[]): object {
  const size = behaviour === 'has_wrong_dimensions' ? dimensions + 1 : dimensions
  const data = input.map((text, index) => ({ object: 'embedding', index, embedding: stubVector(text, size) }))
  return {
    object: 'list',
    data: behaviour === 'shuffles' ? data.toReversed() : data,
    ...usageOf(behaviour, input.join(''), ''),
  }
}

/** By how many words of the query a document has. */
export function scoresOf(behaviour: Behaviour, { query = '', documents = [] }: Request): object {
  const words = query.toLowerCase().match(/\w+/g) ?? []
  const score = (text: string): number =>
    words.filter((word) => text.toLowerCase().includes(word)).length / (words.length || 1)
  const results = documents.map((text, index) => ({ index, relevance_score: score(text) }))
  const given = results.toSorted((a, b) => b.relevance_score - a.relevance_score)
  return {
    results: behaviour === 'has_wrong_dimensions' ? given.slice(1) : given,
    ...usageOf(behaviour, query + documents.join(''), ''),
  }
}
