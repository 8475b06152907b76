// Vectors of texts, and what the built-in engine does with them. All vectors have length 1.

/** As an embedder's `embed`, without what it costs. */
export type Embed = (texts: string[], as: 'text' | 'query' | 'passage') => Promise<Float32Array[]>

/** The cosine, as both are of length 1. */
export function similarity(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

/** Normalized to length 1; a zero vector stays zero. */
export function normalise(vector: Float32Array): Float32Array {
  const length = Math.sqrt(similarity(vector, vector))
  return length === 0 ? vector : vector.map((value) => value / length)
}

/** The direction of a weighted sum. */
export function centroidOf(vectors: readonly Float32Array[], weights?: readonly number[]): Float32Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0)
  for (const [row, vector] of vectors.entries()) {
    const weight = weights?.[row] ?? 1
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + weight * (vector[i] ?? 0)
  }
  return normalise(sum)
}
