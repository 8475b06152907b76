// A provider in trouble is a state and not an outage, over real HTTP against a server that misbehaves in every known way.

import { type Proof, type ProofOutcome, type ProofRun, proveParts } from './lib/proof.ts'
import { owned } from './lib/scope.ts'
import { BUSY, faults } from './providers/faults.ts'
import { keepRate } from './providers/rate.ts'
import { openScene } from './providers/scene.ts'
import { reachStates } from './providers/states.ts'

export const proof: Proof = {
  promise:
    'If a model provider fails, jobs end in a documented state in time and are charged once, and other tenants are not affected.',
  goal: 'every kind of failure ends in its documented state within its deadline, the worker at most 120 MB larger, usage recorded once; other jobs at ≥ 0.9 of their rate',
  faults,
  run: prove,
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  await using scene = owned(await openScene(run))
  // A fault must be caught by the part that it is meant for: a busy machine would hide a stale one.
  const wanted = run.fault === null ? [reachStates, keepRate] : [run.fault === BUSY ? keepRate : reachStates]
  return await proveParts(
    run,
    wanted.map((part) => () => part(scene)),
  )
}
