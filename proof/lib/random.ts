// Chance that can be replayed: the same seed makes the same choices.

import type { ProofRun } from './proof.ts'

export interface Random {
  /** From 0 up to, but not including, 1. */
  next(): number
  between(least: number, most: number): number
  /** A whole number, both ends included. */
  whole(least: number, most: number): number
  one<T>(items: readonly T[]): T
  /** One of the names, by weight. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K
  shuffle<T>(items: readonly T[]): T[]
  /** Different whole numbers in ascending order, both ends included. */
  some(count: number, least: number, most: number): number[]
  /** An independent generator, so that concurrent work does not change its sequence. */
  fork(name: string): Random
}

const readSeed = (): number => Number(process.env.OCTAVO_SEED || Math.floor(Math.random() * 2 ** 32)) >>> 0

/** The seed of this run, printed so that the run can be repeated. */
export function announceSeed(run: Pick<ProofRun, 'say'>): number {
  const seed = readSeed()
  run.say(`seed ${seed}: OCTAVO_SEED=${seed} makes the same choices again`)
  return seed
}

/** mulberry32: 32 bits of state are plenty for choosing what to do next. */
export function newRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1))
  const shuffle = <T>(items: readonly T[]): T[] => {
    const shuffled = [...items]
    for (let i = shuffled.length - 1; i > 0; i--) {
      const j = whole(0, i)
      ;[shuffled[i], shuffled[j]] = [shuffled[j]!, shuffled[i]!]
    }
    return shuffled
  }
  return {
    next,
    whole,
    between: (least, most) => least + next() * (most - least),
    one: (items) => items[whole(0, items.length - 1)]!,
    weighted(weights) {
      const entries = Object.entries(weights) as [keyof typeof weights, number][]
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [name, weight] of entries) if ((left -= weight) < 0) return name
      return entries.at(-1)![0]
    },
    shuffle,
    some: (count, least, most) =>
      shuffle(Array.from({ length: most - least + 1 }, (_, i) => least + i))
        .slice(0, count)
        .sort((a, b) => a - b),
    fork: (name) =>
      newRandom(
        [...name].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193), seed ^ 0x811c9dc5),
      ),
  }
}
