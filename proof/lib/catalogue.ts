// A list of models for the servers of a proof.

import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface GeneratorEntry {
  /** Model name in requests. */
  model: string
  /** The provider's name for the model; the same if absent. */
  called?: string
  base_url: string
  context_tokens?: number
  timeout_seconds?: number
  api_key_env?: string
  /** Per million tokens; free if absent. */
  price?: { input: number; output: number }
  /** Set for an embedder; absent for a generator. */
  dimensions?: number
}

interface ProofCatalogue {
  /** For `MODELS_FILE`. */
  path: string
  remove(): Promise<void>
}

/** Each model has a separate provider, so that one failing provider does not affect the others. */
export function writeCatalogue(
  entries: readonly GeneratorEntry[],
  defaults: { generator?: string; embedder?: string } = {},
): ProofCatalogue {
  const folder = mkdtempSync(join(tmpdir(), 'octavo-models-'))
  const path = join(folder, 'models.json')
  const catalogue = {
    providers: entries.map(({ base_url, api_key_env }, i) => ({
      id: `provider-${i}`,
      base_url,
      locality: 'remote',
      ...(api_key_env === undefined ? {} : { api_key_env }),
    })),
    models: entries.map(
      ({ model, context_tokens = 8_192, timeout_seconds = 60, called = model, price, dimensions }, i) => ({
        id: model,
        provider: `provider-${i}`,
        model: called,
        kind: dimensions === undefined ? 'generator' : 'embedder',
        context_tokens,
        timeout_seconds,
        ...(price ? { price } : {}),
        ...(dimensions === undefined ? {} : { dimensions }),
      }),
    ),
    defaults,
  }
  writeFileSync(path, JSON.stringify(catalogue))
  return { path, remove: () => rm(folder, { recursive: true, force: true }) }
}
