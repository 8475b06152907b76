// An outcome that is being made survives whoever makes it: what a model has answered is neither asked nor paid for again.

import { startProvider } from '../server/src/testing/provider.ts'
import { writeCatalogue } from './lib/catalogue.ts'
import { openNotes } from './lib/notes.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'
import { announceSeed, newRandom } from './lib/random.ts'
import { openWorld, type World } from './lib/world.ts'
import { faults } from './outcome-resume/faults.ts'
import { resumeAnalysis } from './outcome-resume/groups.ts'
import { listen, PARTS, resumeMap } from './outcome-resume/maps.ts'
import {
  NOTING,
  type OutcomeResumePart,
  type OutcomeResumeScene,
  READER,
  someNumbers,
  startWorker,
} from './outcome-resume/scene.ts'

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
  const { notes, removeNotes } = await openNotes()
  const answers: OutcomeResumeScene['answers'] = []
  const stub = await startProvider({ delay_ms: ANSWER_MS })
  stub.say(READER, listen(answers))
  // So little room that every question is about as much text as the least there is.
  const price = { input: 1_000_000, output: 2_000_000 }
  const catalogue = writeCatalogue([{ model: READER, base_url: stub.url, context_tokens: 2_048, price }])
  const env = { RATE_LIMITS: 'off', MODELS_FILE: catalogue.path, OCTAVO_MODELS_DIR: '' }
  const world = await openWorld([NOTING, ...run.plants], env)
  try {
    await world.startApi()
    const scene = await openScene({ run, world, notes, answers, random: newRandom(seed) })
    return await proveOn(scene)
  } finally {
    await world.close()
    await Promise.all([stub.close(), catalogue.remove(), removeNotes()])
  }
}

async function openScene(
  given: Omit<OutcomeResumeScene, 'client' | 'worker'> & { world: World },
): Promise<OutcomeResumeScene> {
  const { key } = await given.world.newTenant()
  return { ...given, client: key.client(undefined, { timeout_ms: 120_000 }), worker: await startWorker(given) }
}

async function proveOn(scene: OutcomeResumeScene): Promise<ProofOutcome> {
  const { run, random } = scene
  const { kills, pages, group_kills } = SIZES[run.length]
  const parts: OutcomeResumePart[] = []
  const add = async (begin: () => Promise<OutcomeResumePart>): Promise<void> => {
    // A fault is caught by its first finding.
    if (run.fault !== null && parts.some(({ findings }) => findings.length > 0)) return
    const part = await begin()
    parts.push(part)
    run.say(part.figure)
    for (const finding of part.findings.slice(0, 10)) run.say(`  ${finding}`)
  }
  await add(() => resumeMap(scene, someNumbers(random, kills, [20, PARTS - 20])))
  await add(() => resumeAnalysis(scene, pages, someNumbers(random, group_kills, [2, pages / 50 - 1])))
  const found = parts.flatMap(({ findings }) => findings)
  const figure = run.fault === null ? parts.map((part) => part.figure).join('; ') : (found[0] ?? 'nothing was found')
  return { figure, is_met: found.length === 0 }
}
