import { itemAt } from '@octavo/base/required.ts'
import type { Classification } from '@octavo/contract'

export const CLASSIFICATION_VERSION = '2'

export type AskedLabel = Classification['labels'][number]

const MOST_QUOTES = 3
/** Most candidates that a model may name when one label is wanted. */
const MOST_NAMED = 5
const MAX_QUOTE = 400

export interface TaskLabels {
  /** For the task: a line for each label. */
  text: string
  tokens: number
  /** Examples that did not fit. */
  left_out: number
}

/** Names and descriptions always, examples as far as they fit, one of each label in turn. */
export function labelsForTask(
  labels: readonly AskedLabel[],
  tokens: number,
  count: (text: string) => number,
): TaskLabels {
  const shown = labels.map(({ name, description }) => ({
    label: name,
    ...(description ? { description } : {}),
    examples: [] as string[],
  }))
  let used = shown.reduce((sum, label) => sum + count(JSON.stringify(label)) + 1, 0)
  let left_out = 0
  const most = Math.max(...labels.map(({ examples }) => examples.length))
  for (let turn = 0; turn < most; turn++)
    for (const [i, { examples }] of labels.entries()) {
      const example = examples[turn]
      if (example === undefined) continue
      const own = count(JSON.stringify(example)) + 1
      if (used + own > tokens) left_out++
      else {
        itemAt(shown, i).examples.push(example)
        used += own
      }
    }
  const text = shown
    .map(({ examples, ...label }) => JSON.stringify(examples.length > 0 ? { ...label, examples } : label))
    .join('\n')
  return { text, tokens: used, left_out }
}

export const classifyTask = (
  labels: string,
  { multi_label, is_part }: { multi_label: boolean; is_part: boolean },
): string =>
  `Below is ${is_part ? 'one part of a longer text' : 'a text'}. ${
    multi_label
      ? 'Choose the labels that fit it. Several labels may fit, or none.'
      : 'Choose the label that fits it best.'
  }
The labels, one per line, with descriptions and examples:
${labels}
Give each label that fits a score from 0 to 1, the probability that it fits.${
    multi_label ? '' : ' You may add other labels that could fit; the sum of all scores is at most 1.'
  } If no label fits, return none.
For each label add up to ${MOST_QUOTES} short quotes that support it, copied exactly from the text.`

/** Scores have no bounds here: a model that returns 95 means a high score and is not called again. */
export function classifySchema(names: readonly string[], multi_label: boolean) {
  const maxItems = multi_label ? names.length : Math.min(names.length, MOST_NAMED)
  return {
    name: 'labels',
    schema: {
      type: 'object',
      additionalProperties: false,
      required: ['results'],
      properties: {
        results: {
          type: 'array',
          maxItems,
          items: {
            type: 'object',
            additionalProperties: false,
            required: ['label', 'score', 'quotes'],
            properties: {
              label: { type: 'string', enum: [...names] },
              score: { type: 'number' },
              quotes: {
                type: 'array',
                maxItems: MOST_QUOTES,
                items: { type: 'string', minLength: 1, maxLength: MAX_QUOTE },
              },
            },
          },
        },
      },
    },
  }
}
export interface SaidLabels {
  results: { label: string; score: number; quotes: string[] }[]
}

/** Room for as many labels as may be named. */
export const outputTokens = (labels: number, multi_label: boolean): number =>
  Math.min(4_000, 300 + 200 * (multi_label ? labels : Math.min(labels, MOST_NAMED)))
