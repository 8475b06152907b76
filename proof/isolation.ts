// No caller sees, changes or notices what is not theirs, even when one of the two walls between tenants is gone.

import { operations } from '@octavo/contract'
import { attack, type IsolationResult, type Mode } from './isolation/attack.ts'
import { faults } from './isolation/faults.ts'
import { isStored } from './isolation/gaps.ts'
import { noConditionsButSlots, noStoreConditions } from './isolation/walls.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'

const SHOWN = 20

export const proof: Proof = {
  promise:
    'No caller can see, change or detect the resources of another tenant or project, even if one of the two protections is removed.',
  goal: '0 leaks over all operations, unchanged, without the conditions in queries, and without row-level security',
  faults,
  run: prove,
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  if (run.fault !== null) return proveWithFault(run)
  const modes: Mode[] = [
    { name: 'as is', plants: [], has_row_security: true },
    { name: "without the stores' conditions", plants: noStoreConditions, has_row_security: true },
    { name: 'without row security', plants: [], has_row_security: false },
  ]
  const results: IsolationResult[] = []
  const part = run.only === null ? {} : { resource: run.only }
  const is_sampled = run.length === 'short'
  for (const mode of modes) results.push(await attackAloud(run, { ...mode, ...part, is_sampled }))
  if (run.only !== null) return judgePart(run.only, results)
  const untouched = await findUntouched(run)
  const cells = results.reduce((sum, result) => sum + result.cells, 0)
  const leaks = results.reduce((sum, result) => sum + result.leaks.length, 0)
  const gaps = results.reduce((sum, result) => sum + result.gaps.length, 0)
  const stored = operations.filter(({ endpoint }) => isStored(endpoint)).length
  const control = `without both walls ${stored - untouched.length} of ${stored} operations leak`
  return {
    figure: `${leaks} leaks in ${cells} cells (${operations.length} operations, ${results[0]?.actors ?? 0} actors, 3 modes), ${gaps} gaps; ${control}`,
    is_met: leaks === 0 && gaps === 0 && untouched.length === 0,
  }
}

function judgePart(resource: string, results: readonly IsolationResult[]): ProofOutcome {
  const cells = results.reduce((sum, result) => sum + result.cells, 0)
  const leaks = results.reduce((sum, result) => sum + result.leaks.length, 0)
  return { figure: `${resource}: ${leaks} leaks in ${cells} cells`, is_met: leaks === 0 && cells > 0 }
}

async function proveWithFault(run: ProofRun): Promise<ProofOutcome> {
  const name = run.fault ?? ''
  const { has_row_security = true, statements = [], caught_by, resource } = faults[name] ?? {}
  const part = { ...(caught_by && { caught_by }), ...(resource && { resource }) }
  const result = await attackAloud(run, { name, plants: run.plants, has_row_security, statements, ...part })
  return { figure: `${result.leaks.length} leaks in ${result.cells} cells`, is_met: result.leaks.length === 0 }
}

async function attackAloud(run: ProofRun, mode: Mode): Promise<IsolationResult> {
  const result = await attack(mode)
  run.say(`${mode.name}: ${result.cells} cells, ${result.leaks.length} leaks`)
  for (const { what } of result.leaks.slice(0, SHOWN)) run.say(`  ${what}`)
  for (const gap of result.gaps.slice(0, SHOWN)) run.say(`  ${gap}`)
  return result
}

/** Operations that show nothing foreign even without both walls: their cells would not notice a leak. */
async function findUntouched(run: ProofRun): Promise<string[]> {
  const { leaks } = await attack({
    name: 'without both',
    plants: noConditionsButSlots,
    has_row_security: false,
    is_control: true,
    is_sampled: true,
  })
  const leaking = new Set(leaks.map(({ operation }) => operation))
  const untouched = operations
    .filter(({ name, endpoint }) => isStored(endpoint) && !leaking.has(name))
    .map(({ name }) => name)
  run.say(`without both walls: ${leaks.length} leaks${untouched.length > 0 ? `, none by ${untouched.join(', ')}` : ''}`)
  return untouched
}
