// Overhead of outcomes over their engines, and the slowdown that other tenants in the same tables cause.

import { type Proof, type ProofOutcome, type ProofRun, partOf, proveParts } from './lib/proof.ts'
import { owned } from './lib/scope.ts'
import { compareEmbedding } from './outcome-ratios/embedding.ts'
import { faults } from './outcome-ratios/faults.ts'
import { measureRecall } from './outcome-ratios/recall.ts'
import { type OutcomeRatioScene, openScene } from './outcome-ratios/scene.ts'
import { compareAmong, compareSearch } from './outcome-ratios/search.ts'

const PARTS: Record<string, (scene: OutcomeRatioScene) => Promise<ProofOutcome>> = {
  embedding: compareEmbedding,
  search: compareSearch,
  among: compareAmong,
  recall: measureRecall,
}
/** The part that detects each fault; running the others would only take time. */
const PART_OF_FAULT: Record<string, string> = {
  one_thread: 'embedding',
  all_candidates: 'search',
  no_term_index: 'among',
  short_walk: 'recall',
}

export const proof: Proof = {
  promise:
    'Outcomes are nearly as fast as their engines, other tenants do not slow a tenant down, and the approximate index misses little.',
  goal: 'vectors of a 160-page document by POST /embeddings >= 0.85 of bare onnxruntime on the same threads; hybrid searches/s through the API >= 0.7 of the two bare SQL statements; median latency of a tenant of 10,000 chunks among 2,000,000 of others <= 1.3 x the same tenant alone; recall of the approximate index >= 0.95 of exact; medians of 5',
  faults,
  run: prove,
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  await using scene = owned(await openScene(run))
  const names = run.fault === null ? Object.keys(PARTS) : [PART_OF_FAULT[run.fault]!]
  return await proveParts(
    run,
    names.map((name) => async () => partOf(await PARTS[name]!(scene))),
  )
}
