// Every citation matches its page exactly, at its offsets, whatever the model says.

import { type CitationsCheckResult, checkStored } from './citations/check.ts'
import { correctPages } from './citations/correct.ts'
import { faults } from './citations/faults.ts'
import { type CitationsOutput, makeOutcomes } from './citations/make.ts'
import { type CitationsScene, openScene } from './citations/scene.ts'
import { type CitationsWriter, liars, truthful } from './citations/writers.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'
import { owned } from './lib/scope.ts'

export const proof: Proof = {
  promise: 'Every stored citation equals the text of its page at its offsets, whatever the model claims to quote.',
  goal: '100% of the citations and passages of all outcomes match (one query over all of them), including pages corrected during the run; of quotes that are on no page (invented, or with a changed number) 0 stored and each counted in `warnings`; of quotes that are on the page 0 dropped',
  faults,
  run: prove,
}

const SHOWN = 12

async function prove(run: ProofRun): Promise<ProofOutcome> {
  await using scene = owned(await openScene(run))
  const made = await makeOutcomes(scene)
  const { corrections, dropped, left } = await correctPages(scene)
  const checked = await checkStored(scene.world.database.name, scene.texts, corrections)
  const findings = [...left, ...checked.mismatches, ...misjudged(scene, made, checked)]
  if (dropped === 0) findings.push('no citation of a page that was corrected meanwhile was dropped')
  for (const finding of findings.slice(0, SHOWN)) run.say(`  ${finding}`)
  const kinds = [...checked.by_object].map(([object, count]) => `${object} ${count}`).join(', ')
  run.say(`places by kind: ${kinds}`)
  const figure = `${checked.citations} citations and ${checked.passages} passages of ${made.length} outcomes of ${scene.documents.length} documents: ${checked.mismatches.length} mismatches (${checked.older} of pages that were corrected afterwards); ${toldBy(scene, liars)} quotes that are on no page: ${checked.invented} stored; ${toldBy(scene, truthful)} that are on a page: ${droppedBy(made, truthful)} dropped; ${dropped} times pages were corrected while a model wrote, ${findings.length} findings`
  return { figure, is_met: findings.length === 0 }
}

const toldBy = ({ told }: CitationsScene, writers: readonly CitationsWriter[]): number =>
  writers.reduce((sum, writer) => sum + told[writer].quotes, 0)

function droppedBy(made: readonly CitationsOutput[], writers: readonly CitationsWriter[]): number {
  const warnings = made
    .filter(({ writer }) => writer !== null && writers.includes(writer))
    .flatMap((one) => one.warnings)
  return warnings.reduce(
    (sum, warning) => sum + Number(/^(\d+) quotes? (?:was|were) dropped/.exec(warning)?.[1] ?? 0),
    0,
  )
}

function misjudged(scene: CitationsScene, made: readonly CitationsOutput[], checked: CitationsCheckResult): string[] {
  const findings = made
    .filter(({ status }) => status !== 'succeeded')
    .map(({ what, status, error }) => `${what} is ${status}: ${error?.code ?? ''} ${error?.message ?? ''}`)
  if (checked.invented > 0) findings.push(`${checked.invented} citations were stored for quotes that are on no page`)
  for (const writer of liars) {
    const counted = droppedBy(made, [writer])
    if (counted !== scene.told[writer].quotes)
      findings.push(`of ${scene.told[writer].quotes} quotes of the ${writer} ${counted} were counted`)
  }
  for (const quote of checked.nearly) findings.push(`found only nearly, though told to the letter: ${quote}`)
  for (const { what, writer, warnings } of made)
    if (writer && truthful.includes(writer) && warnings.some((warning) => / dropped: not found/.test(warning)))
      findings.push(`${what}: ${warnings.join(' ')}`)
  for (const object of ['summary', 'answer', 'classification', 'analysis', 'search'])
    if (!checked.by_object.has(object)) findings.push(`no ${object} cites anything`)
  return findings
}
