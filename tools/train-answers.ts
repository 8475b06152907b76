// Trains server/src/ai/built-in/answer-model.ts on XQuAD, TAT-QA and generated forms, split by article, report and form, and
// writes answer.weights.json with figures of the groups that training has not seen.
// `OCTAVO_EVAL_DIR=… OCTAVO_MODELS_DIR=… node tools/train-answers.ts`

import { writeFileSync } from 'node:fs'
import { cachedEmbed, openEvalModels } from '../proof/eval/embedder.ts'
import { formPools } from '../proof/eval/questions/forms.ts'
import {
  type AnswerFigures,
  figuresOfOutcomes,
  type Judged,
  judgePool,
  outcomeOf,
} from '../proof/eval/questions/judge.ts'
import type { Pool } from '../proof/eval/questions/pool.ts'
import { tatqaPools } from '../proof/eval/questions/tatqa.ts'
import { XQUAD_LANGUAGES, xquadPools } from '../proof/eval/questions/xquad.ts'
import { FEATURES } from '../server/src/ai/built-in/answer-features.ts'
import { type AnswerWeights, acceptVectorOf, rankCandidates, vectorOf } from '../server/src/ai/built-in/answer-model.ts'
import type { Embed } from '../server/src/ai/built-in/vectors.ts'
import { fitLogistic } from './logistic.ts'

const MODEL = 'all-minilm-l6-v2'
/** Chosen on real documents (docs/quality.md), not on these sets. */
const THRESHOLD = 0.15
const FORMS = 400
/** Wrong candidates of a question count as much as this many right ones. */
const WRONG_SHARE = 3
/** Every second question: more of the same articles teach little. */
const isChosen = (question: number): boolean => question % 2 === 0
const isHeldOut = ({ group }: Pool): boolean => Number(group.split('-').at(-1)) % 3 === 2

const pools = [
  ...XQUAD_LANGUAGES.flatMap((language) => xquadPools(language, isChosen)),
  ...tatqaPools(isChosen),
  ...formPools(FORMS),
]
const models = openEvalModels()
const with_vectors = await trainWith(cachedEmbed(models, MODEL))
await models.close()
const by_words = await trainWith(null)

const about =
  'Two logistic regressions made by tools/train-answers.ts: `rank` orders candidates, `accept` gives the probability that the first one is right. Trained on XQuAD (CC BY-SA 4.0), TAT-QA (CC BY 4.0) and generated forms; docs/decisions/0020-extractive-answers.md has their license. `report` is about articles, reports and forms that training has not seen.'
writeFileSync(
  new URL('../server/src/ai/built-in/answer.weights.json', import.meta.url),
  `${JSON.stringify({ about, model: MODEL, threshold: THRESHOLD, features: ['bias', ...FEATURES], with_vectors, by_words }, null, 2)}\n`,
)

async function trainWith(embed: Embed | null) {
  const judged: Judged[] = []
  for (const pool of pools) judged.push(await judgePool(pool, embed))
  const seen = judged.filter(({ pool }) => !isHeldOut(pool))
  const rank = trainRank(seen)
  const weights = { rank, accept: trainAccept(seen, rank) }
  return {
    ...rounded(weights),
    report: reportOf(
      judged.filter(({ pool }) => isHeldOut(pool)),
      weights,
    ),
  }
}

function trainRank(seen: readonly Judged[]): number[] {
  const [rows, labels, weights]: [number[][], boolean[], number[]] = [[], [], []]
  for (const { features, right } of seen) {
    const count = right.filter(Boolean).length
    if (count === 0) continue
    for (const [i, one] of features.entries()) {
      rows.push(vectorOf(one))
      labels.push(right[i]!)
      weights.push(right[i] ? 1 / count : WRONG_SHARE / (right.length - count))
    }
  }
  return fitLogistic(rows, labels, weights)
}

function trainAccept(seen: readonly Judged[], rank: number[]): number[] {
  const [rows, labels]: [number[][], boolean[]] = [[], []]
  for (const { candidates, features, right } of seen) {
    if (candidates.length === 0) continue
    const ranking = rankCandidates(candidates, features, { rank })
    const best = ranking.order[0]!
    rows.push(acceptVectorOf(features[best]!, ranking))
    labels.push(right[best]!)
  }
  return fitLogistic(rows, labels)
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4
}

function rounded({ rank, accept }: AnswerWeights): AnswerWeights {
  return { rank: rank.map(round), accept: accept.map(round) }
}

function reportOf(judged: readonly Judged[], weights: AnswerWeights): Record<string, AnswerFigures> {
  const sets = Map.groupBy(judged, ({ pool }) => pool.set)
  const report: Record<string, AnswerFigures> = {}
  for (const [set, own] of sets) {
    const figures = figuresOfOutcomes(
      own.map((one) => outcomeOf(one, weights)),
      THRESHOLD,
    )
    const { questions, precision, answered_right, refused, calibration_error } = figures
    report[set] = {
      questions,
      precision: round(precision),
      answered_right: round(answered_right),
      refused: round(refused),
      calibration_error: round(calibration_error),
    }
    console.log(set, JSON.stringify(report[set]))
  }
  return report
}
