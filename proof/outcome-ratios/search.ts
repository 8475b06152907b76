// A hybrid search through the API: against the two statements alone, and among many rows of others.

import type { Octavo } from '@octavo/sdk'
import { textOfVector } from '../../server/src/vector-spaces/vector-spaces.vectors.store.ts'
import { asAdmin } from '../lib/admin.ts'
import { median, round } from '../lib/proof.ts'
import { load } from './load.ts'
import type { OutcomeRatioPart, OutcomeRatioScene } from './scene.ts'
import { openStatements } from './statements.ts'

const GOAL = { search: 0.7, among: 1.3 }
const ROUNDS = { short: 3, normal: 5, long: 5 }
const MS = { short: 3_000, normal: 6_000, long: 10_000 }
const CLIENTS = [1, 4]
const INPUTS_AT_ONCE = 16

type OutcomeRatioAsk = (number: number) => Promise<void>

export async function compareSearch(scene: OutcomeRatioScene): Promise<OutcomeRatioPart> {
  const { client, world, tenant } = scene
  const { questions } = await scene.corpus()
  const statements = await openStatements(world.database.name, tenant)
  try {
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
    const parts: { ratio: number; told: string }[] = []
    for (const clients of CLIENTS) parts.push(await compare(scene, clients, { bare, whole }))
    const figure = `hybrid search over HTTP, ${statements.chunks} chunks: ${parts.map(({ told }) => told).join(', ')}`
    return { figure, is_met: parts.every(({ ratio }) => ratio >= GOAL.search) }
  } finally {
    await statements.close()
  }
}

async function compare(
  { run }: OutcomeRatioScene,
  clients: number,
  sides: { bare: OutcomeRatioAsk; whole: OutcomeRatioAsk },
): Promise<{ ratio: number; told: string }> {
  const rounds: { bare: number; whole: number }[] = []
  for (let number = 1; number <= ROUNDS[run.length]; number++) {
    const bare = await load(clients, MS[run.length], sides.bare)
    const whole = await load(clients, MS[run.length], sides.whole)
    rounds.push({ bare: bare.per_second, whole: whole.per_second })
    const told = ({ per_second, median_ms }: typeof bare): string =>
      `${round(per_second, 1)}/s (${round(median_ms, 1)} ms)`
    run.say(
      `search ${number}, ${clients} at once: ${told(whole)} of ${told(bare)} = ${round(whole.per_second / bare.per_second)}`,
    )
  }
  const ratio = round(median(rounds.map(({ bare, whole }) => whole / bare)))
  const of = (side: 'bare' | 'whole'): number => round(median(rounds.map((each) => each[side])), 1)
  return { ratio, told: `${clients} at once ${ratio} (${of('whole')} of ${of('bare')}/s)` }
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
export async function compareAmong(scene: OutcomeRatioScene): Promise<OutcomeRatioPart> {
  const { run } = scene
  const { chunks, questions } = await scene.corpus()
  const crowd = await scene.crowd()
  if (run.fault === 'no_term_index') await asAdmin(crowd.database, (admin) => admin.query('drop index chunks_terms'))
  const latency = async (client: Octavo): Promise<number> =>
    (await load(1, MS[run.length], (number) => search(client, questions[number % questions.length]!))).median_ms
  for (const client of [scene.client, crowd.client]) await latency(client)
  const times: { alone: number; among: number }[] = []
  for (let number = 1; number <= ROUNDS[run.length]; number++) {
    times.push({ alone: await latency(scene.client), among: await latency(crowd.client) })
    const { alone, among } = times.at(-1)!
    run.say(`among ${number}: ${round(among, 1)} ms, alone ${round(alone, 1)} ms = ${round(among / alone)}`)
  }
  const ratio = round(median(times.map(({ alone, among }) => among / alone)))
  const of = (side: 'alone' | 'among'): number => round(median(times.map((each) => each[side])), 1)
  return {
    figure: `a search in ${chunks} chunks among ${crowd.others} of others ${ratio} x alone (${of('among')} and ${of('alone')} ms)`,
    is_met: ratio <= GOAL.among,
  }
}
