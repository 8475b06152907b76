// Tokens that an answer cost: the server's figures if they are plausible, otherwise our own count.

import { tokenCounter } from '../../text/tokens.ts'
import type { Message, Tokens } from '../model.ts'

export interface ReportedUsage {
  input: number | undefined
  output: number | undefined
}

export interface Evidence {
  sent: readonly Message[]
  received: string
  max_output_tokens: number
}

/** Chat templates add tokens around messages, and a schema may be sent as text. */
const SLACK_TOKENS = 4_096
const MAX_IMAGE_TOKENS = 50_000
/** Rough, and so is every model's own rule. */
const IMAGE_TOKENS = 1_000
const MESSAGE_TOKENS = 4
/** Beyond it the letters are counted: the tokenizer takes a second for a few million. */
const MAX_COUNTED = 200_000
const LETTERS_PER_TOKEN = 4

export async function spentOf(said: ReportedUsage, evidence: Evidence): Promise<Tokens> {
  const { input, output } = said
  if (
    isCount(input, 1, mostInput(evidence.sent)) &&
    isCount(output, evidence.received === '' ? 0 : 1, mostOutput(evidence))
  )
    return { input_tokens: input, output_tokens: output }
  return estimate(evidence)
}

/** For answers that said nothing of it, such as those that broke off. */
export async function estimate({ sent, received, max_output_tokens }: Evidence): Promise<Tokens> {
  const images = sent.filter(({ image }) => image !== undefined).length
  const texts = await countAll(sent.map(({ text }) => text))
  const input_tokens = texts + sent.length * MESSAGE_TOKENS + images * IMAGE_TOKENS
  return { input_tokens, output_tokens: Math.min(await countAll([received]), max_output_tokens), is_estimate: true }
}

export async function countAll(texts: readonly string[]): Promise<number> {
  const count = await tokenCounter()
  return texts.reduce(
    (sum, text) => sum + (text.length > MAX_COUNTED ? Math.ceil(text.length / LETTERS_PER_TOKEN) : count(text)),
    0,
  )
}

export const isCount = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most

/** No token is shorter than a byte. */
function mostInput(sent: readonly Message[]): number {
  const images = sent.filter(({ image }) => image !== undefined).length
  return sent.reduce((sum, { text }) => sum + Buffer.byteLength(text), SLACK_TOKENS + images * MAX_IMAGE_TOKENS)
}

/** Thoughts that are not shown are paid too, and count towards what was allowed. */
const mostOutput = ({ received, max_output_tokens }: Evidence): number =>
  Math.max(max_output_tokens, Buffer.byteLength(received)) + 64
