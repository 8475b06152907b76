import { nearnessTo, placeLabels } from '../../../server/src/ai/built-in/labels.ts'
import type { Embed } from '../../../server/src/ai/built-in/vectors.ts'
import { readCsv } from '../data.ts'
import { halvesOf, mean, randomOf, standardErrorOf } from '../measures.ts'
import type { EvalRow, ModelId } from '../row.ts'

const DRAWS = 3
const EXAMPLES = 10

export const row: EvalRow = {
  about:
    'Banking77: 77 intents of bank customers, with ten examples each, drawn from the training part; mean of three draws.',
  weak: null,
  async measure({ embed }) {
    const measureOne = async (model: ModelId, goal: number) => {
      const rows = halvesOf(readCsv('banking-test.csv').slice(1)).held_out
      const draws: number[][] = []
      for (let draw = 1; draw <= DRAWS; draw++) draws.push(await rightOnes(rows, draw, embed(model)))
      const items = rows.map((_, i) => mean(draws.map((draw) => draw[i]!)))
      const figures = { value: mean(items), standard_error: standardErrorOf(items, mean), items: items.length }
      return {
        what: 'one of 77 labels by ten examples, accuracy',
        model,
        ...figures,
        goal,
        baseline: 'TF-IDF .599 (measured before)',
      }
    }
    return [await measureOne('all-minilm-l6-v2', 0.811), await measureOne('bge-small-en-v1.5', 0.852)]
  },
}

async function rightOnes(rows: string[][], seed: number, embed: Embed): Promise<number[]> {
  const random = randomOf(seed)
  const train = Map.groupBy(readCsv('banking-train.csv').slice(1), ([, name]) => name!)
  const labels = [...train].map(([name, own]) => {
    const texts = own.map(([text]) => text!)
    return {
      name,
      examples: Array.from({ length: EXAMPLES }, () => texts.splice(Math.floor(random() * texts.length), 1)[0]!),
    }
  })
  const known = await placeLabels(labels, embed)
  const vectors = await embed(
    rows.map(([text]) => text!),
    'text',
  )
  return rows.map(([, name], i) => {
    const nearness = known.map((label) => nearnessTo(vectors[i]!, label))
    return labels[nearness.indexOf(Math.max(...nearness))]?.name === name ? 1 : 0
  })
}
