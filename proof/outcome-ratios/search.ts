// A hybrid search through the API: against the two statements alone, and among many rows of others.

import type { Octavo } from '@octavo/sdk'
import { textOfVector } from '../../server/src/vector-spaces/vector-spaces.vectors.store.ts'
import { asAdmin } from '../lib/admin.ts'
import type { ProofOutcome } from '../lib/proof.ts'
import { compareSides } from '../lib/rounds.ts'
import { owned } from '../lib/scope.ts'
import { load } from './load.ts'
import type { OutcomeRatioScene } from './scene.ts'
import { openStatements } from './statements.ts'

const GOAL = { search: 0.7, among: 1.3 }
const MS = { short: 3_000, normal: 6_000, long: 10_000 }
const CLIENTS = [1, 4]
const INPUTS_AT_ONCE = 16

type OutcomeRatioAsk = (number: number) => Promise<void>

export async function compareSearch(scene: OutcomeRatioScene): Promise<ProofOutcome> {
  const { client, world, tenant } = scene
  const { questions } = await scene.corpus()
  await using statements = owned(await openStatements(world.database.name, tenant))
  const vectors = await embed(client, questions)
  const asked: { terms: string[]; vector: string }[] = []
  for (const [i, text] of questions.entries())
    asked.push({ terms: await statements.termsOf(text), vector: vectors[i]! })
  const bare: OutcomeRatioAsk = (number) => {
    const { terms, vector } = asked[number % asked.length]!
    return statements.search(terms, vector)
  }
  const whole: OutcomeRatioAsk = (number) => search(client, questions[number % questions.length]!)
  for (const side of [bare, whole]) await load(4, 2_000, side)
  const parts: { ratio: number; text: string }[] = []
  for (const clients of CLIENTS) {
    const { ratio, rates } = await compareSides(
      scene.run,
      { name: `search, ${clients} at once,`, by: 'per_second', unit: '/s' },
      { bare: () => load(clients, MS[scene.run.length], bare), ours: () => load(clients, MS[scene.run.length], whole) },
    )
    parts.push({ ratio, text: `${clients} at once ${ratio} (${rates})` })
  }
  const figure = `hybrid search over HTTP, ${statements.chunks} chunks: ${parts.map(({ text }) => text).join(', ')}`
  return { figure, is_met: parts.every(({ ratio }) => ratio >= GOAL.search) }
}

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

async function search(client: Octavo, query: string): Promise<void> {
  const { results, method, warnings } = await client.searches.create({ query })
  if (results.length !== 10 || method !== 'hybrid')
    throw new Error(`a search found ${results.length}, ${method}: ${warnings.join(' ')}`)
}

/** Latency of one client: in turns, so that both sides meet the same machine. */
export async function compareAmong(scene: OutcomeRatioScene): Promise<ProofOutcome> {
  const { run } = scene
  const { chunks, questions } = await scene.corpus()
  const crowd = await scene.crowd()
  if (run.fault === 'no_term_index') await asAdmin(crowd.database, (admin) => admin.query('drop index chunks_terms'))
  const latency = (client: Octavo): Promise<{ median_ms: number }> =>
    load(1, MS[run.length], (number) => search(client, questions[number % questions.length]!))
  const { ratio, rates } = await compareSides(
    run,
    { name: 'among', by: 'median_ms', unit: 'ms alone', has_warm_up: true },
    { bare: () => latency(scene.client), ours: () => latency(crowd.client) },
  )
  return {
    figure: `a search in ${chunks} chunks among ${crowd.others} of others ${ratio} x alone (${rates})`,
    is_met: ratio <= GOAL.among,
  }
}
