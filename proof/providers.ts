// A provider in trouble is a state and not an outage, over real HTTP against a server that misbehaves in every known way.

import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'
import { BUSY, faults } from './providers/faults.ts'
import { keepRate } from './providers/rate.ts'
import { openScene, type ProvidersPart } from './providers/scene.ts'
import { reachStates } from './providers/states.ts'

export const proof: Proof = {
  promise:
    'If a model provider fails, jobs end in a documented state in time and are charged once, and other tenants are not affected.',
  goal: 'every kind of failure ends in its documented state within its deadline, the worker at most 120 MB larger, usage recorded once; other jobs at ≥ 0.9 of their rate',
  faults,
  run: prove,
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  const scene = await openScene(run)
  try {
    const parts: ProvidersPart[] = []
    // A fault must be caught by the part that it is meant for: a busy machine would hide a stale one.
    const wanted = run.fault === null ? [reachStates, keepRate] : [run.fault === BUSY ? keepRate : reachStates]
    for (const part of wanted) {
      const result = await part(scene)
      parts.push(result)
      run.say(result.figure)
      for (const finding of result.findings.slice(0, 20)) run.say(`  ${finding}`)
    }
    const found = parts.flatMap(({ findings }) => findings)
    const figure = run.fault === null ? parts.map((part) => part.figure).join('; ') : (found[0] ?? 'nothing was found')
    return { figure, is_met: found.length === 0 }
  } finally {
    await scene.close()
  }
}
