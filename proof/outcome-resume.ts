// An outcome that is being made survives whoever makes it: what a model has answered is neither asked nor paid for again.

import { startProvider } from '../server/src/testing/provider.ts'
import { writeCatalogue } from './lib/catalogue.ts'
import { openNotes } from './lib/notes.ts'
import { type Proof, type ProofOutcome, type ProofRun, proveParts } from './lib/proof.ts'
import { announceSeed, newRandom } from './lib/random.ts'
import { defer, owned } from './lib/scope.ts'
import { openWorld } from './lib/world.ts'
import { faults } from './outcome-resume/faults.ts'
import { resumeAnalysis } from './outcome-resume/groups.ts'
import { listen, PARTS, resumeMap } from './outcome-resume/maps.ts'
import { NOTING, type OutcomeResumeScene, READER, startWorker } from './outcome-resume/scene.ts'

const SIZES = {
  short: { kills: 1, pages: 400, group_kills: 1 },
  normal: { kills: 3, pages: 800, group_kills: 2 },
  long: { kills: 10, pages: 800, group_kills: 5 },
}
/** So long that there is always something under way. */
const ANSWER_MS = 10

export const proof: Proof = {
  promise: 'If a worker dies, another one continues the outcome, and nothing is paid for twice.',
  goal: 'worker killed with -9 in the middle of a summary of 300 parts and of an analysis of many pages: both succeed completely; no stored step is repeated, at most one repeated model call for each kill; usage recorded once per response',
  faults,
  run: prove,
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  const seed = announceSeed(run)
  await using notes = await openNotes()
  const answers: OutcomeResumeScene['answers'] = []
  await using stub = owned(await startProvider({ delay_ms: ANSWER_MS }))
  stub.say(READER, listen(answers))
  // So little room that every question is about as much text as the least there is.
  const price = { input: 1_000_000, output: 2_000_000 }
  const catalogue = writeCatalogue([{ model: READER, base_url: stub.url, context_tokens: 2_048, price }])
  await using _catalogue = defer(() => catalogue.remove())
  const env = { RATE_LIMITS: 'off', MODELS_FILE: catalogue.path, OCTAVO_MODELS_DIR: '' }
  await using world = await openWorld([NOTING, ...run.plants], env)
  await world.startApi()
  const { key } = await world.newTenant()
  const client = key.client(undefined, { timeout_ms: 120_000 })
  const random = newRandom(seed)
  const scene: OutcomeResumeScene = { world, notes, answers, client, worker: await startWorker({ world, notes }) }
  const { kills, pages, group_kills } = SIZES[run.length]
  return await proveParts(run, [
    () => resumeMap(scene, random.some(kills, 20, PARTS - 20)),
    () => resumeAnalysis(scene, pages, random.some(group_kills, 2, pages / 50 - 1)),
  ])
}
