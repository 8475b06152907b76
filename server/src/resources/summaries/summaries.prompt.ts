import { required } from '@octavo/base/required.ts'
import type { Summary } from '@octavo/contract'

export const SUMMARY_VERSION = '2'

type SummaryPromptRequest = Pick<Summary, 'style' | 'length' | 'language' | 'focus'>

const SENTENCES = { short: 3, medium: 6, long: 12 } as const
const SHAPES: Partial<Record<Summary['style'], (count: number) => string>> = {
  abstract: (count) => `a summary of at most ${count} sentences`,
  bullets: (count) => `at most ${count} bullet points, each one sentence without a bullet character`,
  headline: () => 'one headline of at most fifteen words',
}

const wishes = ({ language, focus }: SummaryPromptRequest): string =>
  [
    language ? `Write in the language '${language}'.` : 'Write in the language of the text.',
    focus ? `The reader wants to know: ${focus}` : '',
  ]
    .filter((line) => line !== '')
    .join('\n')

export const countOf = ({ style, length }: SummaryPromptRequest): number =>
  style === 'headline' ? 1 : SENTENCES[length]

/** Extractive summaries are not written by a model. */
const shapeOf = (asked: SummaryPromptRequest): string =>
  required(SHAPES[asked.style], `shape of the style '${asked.style}'`)(countOf(asked))

export const summaryTask = (asked: SummaryPromptRequest): string =>
  `Write ${shapeOf(asked)} of the text below.
${wishes(asked)}
For each sentence add one to three short quotes that support it, copied exactly from the text.`

export const notesTask = (asked: SummaryPromptRequest, count: number): string =>
  `Below is one part of a longer text. Write down the ${count} most important points of this part, each in one sentence with one short quote, copied exactly.
${wishes(asked)}`

export const joinTask = (asked: SummaryPromptRequest): string =>
  `Below are numbered notes from all parts of a long text, in their order. Write ${shapeOf(asked)} of the whole.
${wishes(asked)}
For each sentence add the numbers of the notes that support it.`

const sentenceList = (count: number, members: Record<string, object>) => ({
  type: 'object',
  additionalProperties: false,
  required: ['sentences'],
  properties: {
    sentences: {
      type: 'array',
      minItems: 1,
      maxItems: count,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['text', ...Object.keys(members)],
        properties: { text: { type: 'string', minLength: 1, maxLength: 1_000 }, ...members },
      },
    },
  },
})
const QUOTES = { type: 'array', maxItems: 3, items: { type: 'string', minLength: 1, maxLength: 400 } }
const NOTES = { type: 'array', maxItems: 10, items: { type: 'integer', minimum: 1, maximum: 1_000_000 } }

export const summarySchema = (count: number) => ({ name: 'summary', schema: sentenceList(count, { quotes: QUOTES }) })
export const joinSchema = (count: number) => ({
  name: 'summary_of_notes',
  schema: sentenceList(count, { notes: NOTES }),
})

export interface QuotedSentences {
  sentences: { text: string; quotes: string[] }[]
}
export interface NotedSentences {
  sentences: { text: string; notes: number[] }[]
}
