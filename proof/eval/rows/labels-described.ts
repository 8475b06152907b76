import { DESCRIBED_THRESHOLD, scoreLabels } from '../../../server/src/ai/built-in/labels.ts'
import { readCsv } from '../data.ts'
import { halvesOf, mean, standardErrorOf } from '../measures.ts'
import type { EvalRow, ModelId, RowContext, RowFigure } from '../row.ts'

const LABELS = [
  {
    name: 'world news',
    description:
      'politics, governments, wars and violence, elections, disasters and diplomacy in countries around the world',
  },
  { name: 'sports news', description: 'games, matches, teams, players, coaches, leagues and championships' },
  { name: 'business news', description: 'companies, earnings, stock markets, oil prices, jobs, trade and the economy' },
  {
    name: 'technology and science news',
    description: 'software, computers, internet, mobile phones, video games, space and research',
  },
]
const ITEMS = 2_000

export const row: EvalRow = {
  about:
    'AG News test, the first 2,000 texts: four labels with a description each and no examples; we chose the wording on the other half.',
  weak: 'Accuracy depends on the wording of the descriptions: label names alone reached .65 on the tuning half. Examples help more than descriptions.',
  measure: async (context) => [
    ...(await measureOne(context, 'all-minilm-l6-v2', 0.764)),
    ...(await measureOne(context, 'bge-small-en-v1.5', null)),
  ],
}

async function measureOne({ embed }: RowContext, model: ModelId, goal: number | null): Promise<RowFigure[]> {
  const rows = halvesOf(readCsv('agnews-test.csv').slice(0, ITEMS)).held_out
  const results: { is_right: number; score: number }[] = []
  const own = embed(model)
  await own(
    rows.map(([, title, text]) => `${title}. ${text}`),
    'text',
  )
  for (const [wanted, title, text] of rows) {
    const [best] = await scoreLabels([`${title}. ${text}`], LABELS, {
      embed: own,
      model,
      language: 'en',
      multi_label: false,
    })
    results.push({ is_right: best?.label === LABELS[Number(wanted) - 1]?.name ? 1 : 0, score: best?.score ?? 0 })
  }
  const frequent =
    Math.max(...[...Map.groupBy(rows, ([wanted]) => wanted).values()].map((own) => own.length)) / rows.length
  const sure = results.filter(({ score }) => score >= DESCRIBED_THRESHOLD)
  const figure = (what: string, some: typeof results, own_goal: number | null) => ({
    what,
    model,
    value: accuracy(some),
    standard_error: standardErrorOf(some, accuracy),
    items: some.length,
    goal: own_goal,
    baseline: `most frequent label ${frequent.toFixed(3)}`,
  })
  return [
    figure('one of four labels by description, accuracy', results, goal),
    figure(
      `the same over the default threshold (${((100 * sure.length) / results.length).toFixed(0)}% of the texts)`,
      sure,
      null,
    ),
  ]
}

const accuracy = (all: readonly { is_right: number }[]): number => mean(all.map(({ is_right }) => is_right))
