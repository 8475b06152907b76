import { positiveChance, SENTIMENT_MODEL } from '../../../server/src/ai/built-in/sentiment.ts'
import { readTsv } from '../data.ts'
import { halvesOf, mean, standardErrorOf } from '../measures.ts'
import type { EvalRow, ModelId } from '../row.ts'

export const row: EvalRow = {
  about:
    'SST-2 test: sentences from film reviews, positive or negative. The classification head was trained on other data: rated tweet-like sentences under the MIT license (tools/train-sentiment.ts).',
  weak: 'English only, and trained on short personal sentences: contracts and reports score near neutral, ironic sentences do not.',
  async measure({ embed }) {
    const rows = halvesOf(readTsv('sst2-test.tsv')).held_out
    const vectors = await embed(SENTIMENT_MODEL as ModelId)(
      rows.map(([text]) => text!),
      'text',
    )
    const right: number[] = rows.map(([, label], i) => (positiveChance(vectors[i]!) > 0.5 === (label === '1') ? 1 : 0))
    const figures = { value: mean(right), standard_error: standardErrorOf(right, mean), items: right.length }
    return [
      {
        what: 'sentiment of a sentence, accuracy',
        model: SENTIMENT_MODEL,
        ...figures,
        goal: 0.82,
        baseline: 'lexicons .65–.66 (measured before)',
      },
    ]
  },
}
