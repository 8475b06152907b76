// The built-in embedders as plain functions, for the built-in engine. They cost nothing and see everything.

import type { Embed } from '../ai/built-in/vectors.ts'
import type { Needs } from '../app.ts'

export const LOCAL_SEARCH_MODEL = 'all-minilm-l6-v2'
export const LOCAL_LABEL_MODEL = 'bge-small-en-v1.5'

/** null: its weights are not installed. */
export function localEmbed(
  app: Needs<'models'>,
  signal: AbortSignal,
  purpose: 'search' | 'labels' = 'search',
): Embed | null {
  const embedder = app.models.embedder(purpose === 'search' ? LOCAL_SEARCH_MODEL : LOCAL_LABEL_MODEL)
  return embedder && (async (texts, as) => (await embedder.embed(texts, { as, signal })).vectors)
}
