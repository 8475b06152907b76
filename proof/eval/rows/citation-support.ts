// Is a citation that does not support its claim seen? Over claims of which half cite another passage than the one they were made from.

import { cosinesOf, SUPPORT_THRESHOLD, supports } from '../../../server/src/ai/built-in/support.ts'
import type { Embed } from '../../../server/src/ai/built-in/vectors.ts'
import { type Claim, makeClaims, type Swap } from '../generate/claims.ts'
import { standardErrorOf } from '../measures.ts'
import type { EvalRow, RowContext, RowFigure } from '../row.ts'

const MODEL = 'all-minilm-l6-v2'

export const row: EvalRow = {
  about:
    'Claims with the passage that each cites, generated (`proof/eval/generate`); for every second one the passage was swapped: for one of the same topic or paper, for the same with one figure altered, for one that says the opposite, or for any other. The held-out half has topics and statements of its own.',
  weak: 'A passage that says the opposite in much the same words often passes for support.',
  measure,
}

async function measure({ embed, say }: RowContext): Promise<RowFigure[]> {
  const by_model = await measureSupport({ embed: embed(MODEL), model: MODEL })
  const by_words = await measureSupport(null)
  const shares = Object.entries(by_model.by_swap).map(([swap, { right, of }]) => `${swap} ${right} of ${of}`)
  say(`citation-support: judged rightly: ${shares.join(', ')}`)
  return [...figuresOf(by_model, MODEL), ...swapsOf(by_model), ...figuresOf(by_words, 'rules')]
}

const simple = (value: number | undefined): string =>
  value === undefined ? 'none' : `cosine alone ${value.toFixed(3)}`

function figuresOf({ precision, recall, standard_error, count, baseline }: SupportFigures, model: string): RowFigure[] {
  const reported = { model, items: count, goal: null }
  return [
    {
      ...reported,
      what: 'citations called supporting that are, precision',
      value: precision,
      standard_error,
      baseline: simple(baseline?.precision),
    },
    {
      ...reported,
      what: 'supporting citations called so, recall',
      value: recall,
      standard_error: null,
      baseline: simple(baseline?.recall),
    },
  ]
}

const swapsOf = ({ by_swap }: SupportFigures): RowFigure[] =>
  Object.entries(by_swap).flatMap(([swap, { right, of }]) =>
    swap === 'none'
      ? []
      : [
          {
            what: `swapped citations that were seen: ${swap.replace('_', ' ')}`,
            model: MODEL,
            value: right / of,
            standard_error: null,
            items: of,
            goal: null,
            baseline: 'none',
          },
        ],
  )

type Judged = Claim & { says: boolean }

interface SupportFigures {
  /** Of the claims that were called supported, how many are; and of those that are, how many were called so. */
  precision: number
  recall: number
  standard_error: number
  count: number
  /** The share that was judged rightly. */
  by_swap: Partial<Record<Swap, { right: number; of: number }>>
  /** The same by the cosine alone, with the threshold that is best on the tuning half. */
  baseline: { precision: number; recall: number } | null
}

const precisionOf = (judged: readonly Judged[]): number => {
  const called = judged.filter(({ says }) => says)
  return called.length === 0 ? 0 : called.filter(({ is_supported }) => is_supported).length / called.length
}

const recallOf = (judged: readonly Judged[]): number => {
  const are = judged.filter(({ is_supported }) => is_supported)
  return are.filter(({ says }) => says).length / Math.max(1, are.length)
}

const rightOf = (judged: readonly Judged[]): number =>
  judged.filter(({ says, is_supported }) => says === is_supported).length

const judge = (claims: readonly Claim[], scores: readonly number[], threshold: number): Judged[] =>
  claims.map((claim, at) => ({ ...claim, says: (scores[at] as number) >= threshold }))

async function judgeByCosine(
  { tuning, held_out }: { tuning: Claim[]; held_out: Claim[] },
  embed: Embed,
): Promise<Judged[]> {
  const scores = await cosinesOf(tuning, embed)
  const best = scores.toSorted(
    (a, b) => rightOf(judge(tuning, scores, b)) - rightOf(judge(tuning, scores, a)),
  )[0] as number
  return judge(held_out, await cosinesOf(held_out, embed), best)
}

/** On the held-out half. `by`: null for words alone. */
async function measureSupport(by: { embed: Embed; model: string } | null): Promise<SupportFigures> {
  const claims = makeClaims()
  const judged = judge(claims.held_out, await supports(claims.held_out, by), SUPPORT_THRESHOLD)
  const baseline = by && (await judgeByCosine(claims, by.embed))
  const groups = Map.groupBy(judged, ({ swap }) => swap)
  return {
    precision: precisionOf(judged),
    recall: recallOf(judged),
    standard_error: standardErrorOf(judged, precisionOf),
    count: judged.length,
    by_swap: Object.fromEntries([...groups].map(([swap, own]) => [swap, { right: rightOf(own), of: own.length }])),
    baseline: baseline && { precision: precisionOf(baseline), recall: recallOf(baseline) },
  }
}
