// CPU time of a hybrid search through the API: against its engines alone, and among many rows of others.

import type { Octavo } from '@octavo/sdk'
import { itemAt } from '../../base/src/required.ts'
import { textOfVector } from '../../server/src/vector-spaces/vector-spaces.vectors.store.ts'
import { asAdmin } from '../lib/admin.ts'
import { type ProofOutcome, round } from '../lib/proof.ts'
import { compareRequests } from '../lib/requests.ts'
import { owned } from '../lib/scope.ts'
import type { OutcomeRatioScene } from './scene.ts'
import { openBareSearch } from './statements.ts'

/** A small tenant's statements cost little, so everything else weighs more. */
const GOAL = { search: { short: 0.35, normal: 0.5, long: 0.5 }, among: 1.1 }
/** Searches each second. */
const RATE = { short: 20, normal: 10, long: 10 }
const CLIENTS = 8
/** A search costs more than other requests, so fewer of them fit. */
const SLICE_MS = 1_000
const PAIRS = { short: 8, normal: 10, long: 20 }
const INPUTS_AT_ONCE = 16

export async function compareSearch(scene: OutcomeRatioScene): Promise<ProofOutcome> {
  const { run, client, world, api } = scene
  const { questions } = await scene.corpus()
  await using bare = owned(await openBareSearch(scene, questions))
  const database = world.database.name
  const { share, figure, of } = await compareRequests(run, planOf(run, 'search'), {
    bare: { pids: [bare.pid], connections: { database, is_bare: true }, request: bare.search },
    ours: {
      pids: [api.pid],
      connections: { database, is_bare: false },
      request: (number) => search(client, itemAt(questions, number % questions.length)),
    },
  })
  const postgres = `PostgreSQL ${of('ours', 'postgres')} ms, bare ${of('bare', 'postgres')} ms`
  return {
    figure: `hybrid search over HTTP, ${bare.chunks} chunks, ${CLIENTS} clients: ${figure}; ${postgres}`,
    is_met: share >= GOAL.search[run.length],
  }
}

const planOf = ({ length }: OutcomeRatioScene['run'], name: string) => ({
  name,
  rate: RATE[length],
  clients: CLIENTS,
  slice_ms: SLICE_MS,
  pairs: PAIRS[length],
})

export async function embed(client: Octavo, texts: readonly string[]): Promise<string[]> {
  const vectors: string[] = []
  for (let first = 0; first < texts.length; first += INPUTS_AT_ONCE) {
    const inputs = texts.slice(first, first + INPUTS_AT_ONCE)
    const { data } = await client.embeddings.create({ inputs, cache: 'bypass' })
    vectors.push(...data.map(({ vector }) => textOfVector(Float32Array.from(vector as number[]))))
  }
  if (vectors.length !== texts.length) throw new Error(`${vectors.length} of ${texts.length} questions were embedded`)
  return vectors
}

const MOST_TRIES = 5

/** On a busy machine the model may be late, and the server then searches by keyword. */
async function search(client: Octavo, query: string, tries = 1): Promise<void> {
  const { results, method, warnings } = await client.searches.create({ query })
  if (results.length === 10 && method === 'hybrid') return
  if (tries === MOST_TRIES) throw new Error(`a search found ${results.length}, ${method}: ${warnings.join(' ')}`)
  await search(client, query, tries + 1)
}

export async function compareAmong(scene: OutcomeRatioScene): Promise<ProofOutcome> {
  const { run, world } = scene
  const { chunks, questions } = await scene.corpus()
  const crowd = await scene.crowd()
  if (run.fault === 'no_term_index') await asAdmin(crowd.database, (admin) => admin.query('drop index chunks_terms'))
  const side = (pid: number, database: string, client: Octavo) => ({
    pids: [pid],
    connections: { database, is_bare: false },
    request: (number: number) => search(client, itemAt(questions, number % questions.length)),
  })
  const { share, figure } = await compareRequests(run, planOf(run, 'among'), {
    bare: side(scene.api.pid, world.database.name, scene.client),
    ours: side(crowd.pid, crowd.database, crowd.client),
  })
  const ratio = round(1 / share)
  return {
    figure: `a search in ${chunks} chunks among ${crowd.others} of others costs ${ratio} x as much as alone (share ${figure})`,
    is_met: ratio <= GOAL.among,
  }
}
