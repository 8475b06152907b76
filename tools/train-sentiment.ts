// Trains the head of server/src/ai/built-in/sentiment.ts: logistic regression on the vectors of tweet-like sentences that
// twenty people rated from -4 to 4 (Hutto and Gilbert 2014, MIT license). The file is in the source package of PyPI's
// `vaderSentiment==0.5`: additional_resources/hutto_ICWSM_2014.tar.gz. `OCTAVO_MODELS_DIR=… node tools/train-sentiment.ts
// tweets_GroundTruth.txt` writes sentiment.weights.json. SST-2, which `npm run eval` measures with, is not used here.

import { readFileSync, writeFileSync } from 'node:fs'
import { cachedEmbed, openEvalModels } from '../proof/eval/embedder.ts'

const MODEL = 'bge-small-en-v1.5'
const ROUNDS = 600
const RATE = 20
const DECAY = 1e-4
/** Weaker ratings say little. */
const MIN_RATING = 1

const [path] = process.argv.slice(2)
if (path === undefined) throw new Error('Usage: node tools/train-sentiment.ts <tweets_GroundTruth.txt>')
const rows = readFileSync(path, 'latin1')
  .split('\n')
  .map((line) => line.trim().split('\t'))
  .filter(([, rating]) => Math.abs(Number(rating)) >= MIN_RATING)
const texts = rows.map(([, , text = '']) => text.replace(/http:\/\/url_removed|@anonymous/gi, '').trim())
const labels = rows.map(([, rating]) => (Number(rating) > 0 ? 1 : 0))
const models = openEvalModels()
const vectors = await cachedEmbed(models, MODEL)(texts, 'text')
await models.close()
const { weights, bias } = train(vectors, labels)
const round = (value: number): number => Math.round(value * 1e4) / 1e4
const head = {
  about: `Logistic regression on sentence vectors, made by tools/train-sentiment.ts from ${rows.length} tweet-like sentences of the VADER data (Hutto and Gilbert 2014, MIT license).`,
  model: MODEL,
  bias: round(bias),
  weights: [...weights].map(round),
}
writeFileSync(
  new URL('../server/src/ai/built-in/sentiment.weights.json', import.meta.url),
  `${JSON.stringify(head, null, 2)}\n`,
)

function train(inputs: Float32Array[], wanted: number[]): { weights: Float64Array; bias: number } {
  const size = inputs[0]!.length
  const weights = new Float64Array(size)
  let bias = 0
  for (let at = 0; at < ROUNDS; at++) {
    const slope = new Float64Array(size)
    let bias_slope = 0
    for (const [row, input] of inputs.entries()) {
      let sum = bias
      for (let i = 0; i < size; i++) sum += weights[i]! * input[i]!
      const error = (1 / (1 + Math.exp(-sum)) - wanted[row]!) / inputs.length
      for (let i = 0; i < size; i++) slope[i]! += error * input[i]!
      bias_slope += error
    }
    for (let i = 0; i < size; i++) weights[i]! -= RATE * (slope[i]! + DECAY * weights[i]!)
    bias -= (RATE / 10) * bias_slope
  }
  return { weights, bias }
}
