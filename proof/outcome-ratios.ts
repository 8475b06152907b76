// CPU time of outcomes against their engines, and the additional cost that other tenants in the same tables cause.

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
  spinning: 'embedding',
  all_candidates: 'search',
  no_term_index: 'among',
  short_walk: 'recall',
}

export const proof: Proof = {
  promise:
    'Outcomes cost little more than their engines, other tenants do not make them more expensive, and the approximate index misses little.',
  goal: 'CPU time of server and PostgreSQL: bare onnxruntime needs >= 0.85 of it for the vectors of a 160-page document by POST /embeddings; embedding the query and the two bare SQL statements need >= 0.5 of a hybrid search in 10,000 chunks through the API (0.35 in 1,000); a search of a tenant of 10,000 chunks costs <= 1.1 x as much among 2,000,000 of others; recall of the approximate index >= 0.95 of exact',
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
