import { similarity } from '../../../server/src/ai/built-in/vectors.ts'
import { readCsv } from '../data.ts'
import { halvesOf, rankCorrelation, standardErrorOf } from '../measures.ts'
import type { EvalRow, ModelId, RowContext, RowFigure } from '../row.ts'

const GOALS: { language: string; name: string; model: ModelId; goal: number; baseline: string }[] = [
  {
    language: 'en',
    name: 'English',
    model: 'all-minilm-l6-v2',
    goal: 0.817,
    baseline: 'TF-IDF .685 (measured before)',
  },
  {
    language: 'en',
    name: 'English',
    model: 'bge-small-en-v1.5',
    goal: 0.858,
    baseline: 'TF-IDF .685 (measured before)',
  },
  { language: 'de', name: 'German', model: 'all-minilm-l6-v2', goal: 0.622, baseline: 'none' },
  { language: 'de', name: 'German', model: 'bge-small-en-v1.5', goal: 0.646, baseline: 'none' },
]

export const row: EvalRow = {
  about:
    'STS-B test: sentence pairs that people rated from 0 to 5; Spearman correlation of the rating with the cosine. The German pairs are machine translations.',
  weak: 'Both built-in models are trained for English. Other languages work, but clearly worse.',
  measure: (context) => Promise.all(GOALS.map((one) => measureOne(context, one))),
}

async function measureOne(
  { embed }: RowContext,
  { language, name, model, goal, baseline }: (typeof GOALS)[number],
): Promise<RowFigure> {
  const rows = halvesOf(readCsv(`stsb-${language}.csv`)).held_out
  const vectors = await embed(model)(
    rows.flatMap(([a = '', b = '']) => [a, b]),
    'text',
  )
  const pairs = rows.map(([, , score], i) => [similarity(vectors[2 * i]!, vectors[2 * i + 1]!), Number(score)] as const)
  return {
    what: `likeness of sentences, ${name}, rank correlation`,
    model,
    value: rankCorrelation(pairs),
    standard_error: standardErrorOf(pairs, rankCorrelation),
    items: pairs.length,
    goal,
    baseline,
  }
}
