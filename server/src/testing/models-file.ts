// A list of models as an operator writes it, for tests whose models cost money or see pictures.

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface ListedModel {
  id: string
  kind?: 'generator' | 'embedder'
  price?: { input: number; output: number }
  capabilities?: string[]
}

/** Generators of one server by what it calls them; the first is the default. */
export function writeModelsFile(
  base_url: string,
  models: readonly ListedModel[],
  locality: 'local' | 'remote' = 'remote',
): string {
  const path = join(mkdtempSync(join(tmpdir(), 'octavo-models-')), 'models.json')
  const content = {
    providers: [{ id: 'stub', base_url, locality }],
    models: models.map((model) => ({
      kind: 'generator',
      context_tokens: 8_000,
      ...model,
      provider: 'stub',
      model: model.id,
    })),
    defaults: { generator: models[0]!.id },
  }
  writeFileSync(path, JSON.stringify(content))
  return path
}
