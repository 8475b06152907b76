// A book that is being read survives whoever reads it: what is committed is never read again, and nothing is missing.

import { openNotes } from './lib/notes.ts'
import { type Proof, type ProofOutcome, type ProofRun, proveParts } from './lib/proof.ts'
import { announceSeed, newRandom } from './lib/random.ts'
import { openWorld } from './lib/world.ts'
import { cancelAt } from './reading-resume/cancels.ts'
import { faults } from './reading-resume/faults.ts'
import { freezeAt, killAt, startNoting } from './reading-resume/kills.ts'
import { NOTING, type ReadingResumeScene } from './reading-resume/scene.ts'

const SIZES = {
  short: { pages: 400, kill: 280, cancel: 200, mixed: 40, scans: 2, kills: 1 },
  normal: { pages: 1_000, kill: 700, cancel: 500, mixed: 200, scans: 5, kills: 3 },
  long: { pages: 1_000, kill: 700, cancel: 500, mixed: 400, scans: 20, kills: 8 },
}
/** The whole of it takes long enough for a worker to be missed. */
const FREEZE = { pages: 400, at: 100 }

export const proof: Proof = {
  promise: 'An interrupted ingestion continues with the first missing page.',
  goal: 'worker killed with -9 at page 700 of 1,000 and at random pages of a partly scanned file: ready, no committed page read again, none missing, chunks and headings complete; a worker that resumes late changes nothing; canceled at page 500: ≥ 500 kept, a second run reads only the rest',
  faults,
  run: prove,
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  const seed = announceSeed(run)
  await using notes = await openNotes()
  await using world = await openWorld([NOTING, ...run.plants], { RATE_LIMITS: 'off' })
  await world.startApi()
  const { key } = await world.newTenant()
  const scene: ReadingResumeScene = { run, world, key, random: newRandom(seed), workers: [], notes }
  for (let i = 0; i < 2; i++) scene.workers.push(await startNoting(scene))
  const { pages, kill, cancel, mixed, scans, kills } = SIZES[run.length]
  const some = (count: number): number[] => scene.random.some(count, 10, mixed - 11)
  return await proveParts(run, [
    () => killAt(scene, { pages, seed: 1 }, [kill]),
    () => killAt(scene, { pages: mixed, seed: 2, scanned: new Set(some(scans)) }, some(kills)),
    () => cancelAt(scene, { pages, seed: 3 }, cancel),
    () => freezeAt(scene, { pages: FREEZE.pages, seed: 4 }, FREEZE.at),
  ])
}
