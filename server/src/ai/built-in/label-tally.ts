// Labels of a long document, passage by passage: nothing of it is kept but its middle and what speaks most for each label.

import { itemAt, lastOf } from '@octavo/base/required.ts'
import { type KnownLabel, nearnessTo, scoresOf } from './labels.ts'
import { centroidOf, normalise, similarity } from './vectors.ts'

/** A label that fits only a part of a document is judged by these; they are also what is cited for it. */
const MOST_NEAREST = 3

interface Near<P> {
  passage: P
  vector: Float32Array
  near: number
}

export class LabelTally<P> {
  count = 0
  #sum: Float32Array | null = null
  readonly #labels: readonly KnownLabel[]
  readonly #options: { model: string; multi_label: boolean }
  readonly #nearest: Near<P>[][]

  constructor(labels: readonly KnownLabel[], options: { model: string; multi_label: boolean }) {
    this.#labels = labels
    this.#options = options
    this.#nearest = labels.map(() => [])
  }

  add(passage: P, vector: Float32Array): void {
    this.count++
    this.#sum ??= new Float32Array(vector.length)
    for (let i = 0; i < vector.length; i++) this.#sum[i] = (this.#sum[i] ?? 0) + (vector[i] ?? 0)
    for (const [i, { centre }] of this.#labels.entries()) {
      const nearest = itemAt(this.#nearest, i)
      const near = similarity(vector, centre)
      if (nearest.length === MOST_NEAREST && near <= lastOf(nearest).near) continue
      nearest.push({ passage, vector, near })
      nearest.sort((a, b) => b.near - a.near)
      nearest.length = Math.min(nearest.length, MOST_NEAREST)
    }
  }

  /** For each label, in the order of the labels. */
  results(): { score: number; passages: P[] }[] {
    if (this.#sum === null) return this.#labels.map(() => ({ score: 0, passages: [] }))
    const middle = normalise(this.#sum)
    const { multi_label } = this.#options
    // For a single label the whole document counts; for several, each label needs only its best passages.
    const nearness = this.#labels.map((label, i) =>
      nearnessTo(multi_label ? centroidOf(itemAt(this.#nearest, i).map(({ vector }) => vector)) : middle, label),
    )
    const scores = scoresOf(nearness, {
      ...this.#options,
      by_example: this.#labels.some(({ examples }) => examples.length > 0),
    })
    return scores.map((score, i) => ({ score, passages: itemAt(this.#nearest, i).map(({ passage }) => passage) }))
  }
}
