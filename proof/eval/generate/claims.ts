// Claims with the passage that each cites. For every second one the citation was swapped: for a passage of the same topic with
// other facts, for the same passage with one figure altered, for another passage of the same paper, for one that says the
// opposite, or for any other.

import { newRandom, type Random } from '../../lib/random.ts'
import { type Fact, type Topic, tuning_topics } from './facts.ts'
import { held_out_topics } from './facts-held-out.ts'
import { SEED } from './paper.ts'
import { type Statement, tuning_statements } from './statements.ts'
import { held_out_statements } from './statements-held-out.ts'

export type Swap = 'none' | 'same_topic' | 'altered' | 'same_paper' | 'opposite' | 'any'

export interface Claim {
  claim: string
  passage: string
  is_supported: boolean
  swap: Swap
}

export interface Claims {
  tuning: Claim[]
  /** Of other topics: claims of one topic are worded alike. Nothing was tuned with a look at these. */
  held_out: Claim[]
}

const FACTS_PER_TOPIC = 20
const PAPER_FACTS = 4
const FIGURE = /\d+(?:[.,]\d+)*/g

export const makeClaims = (seed = SEED): Claims => ({
  tuning: makeHalf(newRandom(seed).fork('claims'), tuning_topics, tuning_statements),
  held_out: makeHalf(newRandom(seed).fork('held-out claims'), held_out_topics, held_out_statements),
})

function makeHalf(random: Random, topics: readonly Topic[], statements: readonly (readonly Statement[])[]): Claim[] {
  const facts = topics.map((topic, at) =>
    Array.from({ length: FACTS_PER_TOPIC }, (_, n) => topic(random.fork(`${at} ${n}`))),
  )
  return [...facts.flatMap(drawClaims), ...statements.flatMap(stateClaims)]

  function drawClaims(own: readonly Fact[], topic: number): Claim[] {
    return own.map(({ claim, passage }, at) => {
      if (at % 2 === 0) return { claim, passage, is_supported: true, swap: 'none' }
      const altered = alter(claim, passage)
      const swap = random.weighted({ same_topic: 2, altered: altered ? 1 : 0, same_paper: 1, any: 1 })
      return {
        claim,
        passage: swap === 'altered' ? altered : swapped(swap, { topic, at, passage }),
        is_supported: false,
        swap,
      }
    })
  }

  /** One figure that the claim names is another; empty where it names none by digits. */
  function alter(claim: string, passage: string): string {
    const figures = (passage.match(FIGURE) ?? []).filter((figure) => claim.match(FIGURE)?.includes(figure))
    if (figures.length === 0) return ''
    const figure = random.one(figures)
    const digit = Number(figure[0])
    return passage.replace(figure, String((digit % 9) + 1) + figure.slice(1))
  }

  function swapped(
    swap: 'same_topic' | 'same_paper' | 'any',
    from: { topic: number; at: number; passage: string },
  ): string {
    const passage = random.one(othersOf(swap, from)).passage
    return passage === from.passage ? swapped(swap, from) : passage
  }

  /** A paper holds facts of several topics. */
  function othersOf(
    swap: 'same_topic' | 'same_paper' | 'any',
    { topic, at }: { topic: number; at: number },
  ): readonly Fact[] {
    if (swap === 'same_topic') return facts[topic] as Fact[]
    if (swap === 'any') return random.one(facts)
    return Array.from(
      { length: PAPER_FACTS },
      (_, step) => (facts[(topic + step + 1) % facts.length] as Fact[])[at] as Fact,
    )
  }
}

/** Each of them twice: as it is, and cited wrongly. */
function stateClaims(own: readonly Statement[], group: number, groups: readonly (readonly Statement[])[]): Claim[] {
  const other = groups[(group + 1) % groups.length] as readonly Statement[]
  return own.flatMap(({ claim, passage, opposite }, at): Claim[] => {
    const neighbour = own[(at + 1) % own.length] as Fact
    const swaps: { swap: Swap; passage: string }[] = [
      { swap: 'opposite', passage: opposite },
      { swap: 'same_topic', passage: neighbour.passage },
      { swap: 'any', passage: (other[at] as Fact).passage },
    ]
    return [
      { claim, passage, is_supported: true, swap: 'none' },
      { claim, is_supported: false, ...(swaps[at % swaps.length] as (typeof swaps)[number]) },
    ]
  })
}
