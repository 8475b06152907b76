// While some providers are in trouble, work that has nothing to do with them goes on as before.

import type { Behaviour } from '../../server/src/testing/provider-answers.ts'
import { median, type Part, round } from '../lib/proof.ts'
import { askSummary, type ProvidersScene, removeSummary } from './scene.ts'

const TROUBLE: readonly Behaviour[] = [
  'hangs',
  'drips',
  'fails',
  'closes',
  'throttles',
  'is_huge',
  'breaks_json',
  'refuses',
]
const LANES = 3
const SECONDS = { short: 3, normal: 6, long: 20 }
const ROUNDS = { short: 5, normal: 7, long: 9 }
const GOAL = 0.9
const JOBS_OF_EACH = 2

export async function keepRate(scene: ProvidersScene): Promise<Part> {
  const ms = SECONDS[scene.run.length] * 1_000
  await measure(scene, 2_000)
  const ratios: number[] = []
  for (let i = 0; i < ROUNDS[scene.run.length]; i++) {
    const alone = await measure(scene, ms)
    const ids = await startTrouble(scene)
    const beside = await measure(scene, ms)
    await Promise.all(ids.map((id) => removeSummary(scene, id)))
    ratios.push(beside / alone)
    scene.run.say(`  ${round(alone)} summaries/s alone, ${round(beside)} beside`)
  }
  const ratio = median(ratios)
  const figure = `other jobs at ${round(ratio)} of their rate beside ${TROUBLE.length * JOBS_OF_EACH} jobs of ${TROUBLE.length} providers in trouble (${ratios.map((one) => round(one)).join(', ')})`
  return { figure, findings: ratio < GOAL ? [`other jobs fell to ${round(ratio)} of their rate`] : [] }
}

/** Summaries in a second. */
async function measure(scene: ProvidersScene, ms: number): Promise<number> {
  const began = performance.now()
  let done = 0
  const lane = async (): Promise<void> => {
    while (performance.now() - began < ms) {
      if ((await askSummary(scene, 'well', 30)).status === 'succeeded') done++
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return (done * 1_000) / (performance.now() - began)
}

/** Jobs that fail, wait and try again by themselves. */
async function startTrouble(scene: ProvidersScene): Promise<string[]> {
  const jobs = await Promise.all(
    Array.from({ length: JOBS_OF_EACH }, () => TROUBLE.map((behaviour) => askSummary(scene, behaviour))).flat(),
  )
  return jobs.map(({ id }) => id)
}
