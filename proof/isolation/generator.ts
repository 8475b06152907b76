// A generative model for the proof: a small local server that quotes from its prompt.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProvider } from '../../server/src/testing/provider.ts'

/** Requests name it; without a name they get the built-in engine. */
export const GENERATOR = 'stub/well'

export interface IsolationGenerator {
  /** Settings of the server that uses it. */
  env: Record<string, string>
  close(): Promise<void>
}

export async function startGenerator(): Promise<IsolationGenerator> {
  const stub = await startProvider()
  const folder = mkdtempSync(join(tmpdir(), 'octavo-models-'))
  const path = join(folder, 'models.json')
  const price = { input: 1_000_000, output: 2_000_000 }
  const model = { id: GENERATOR, provider: 'stub', model: 'well', kind: 'generator', context_tokens: 8_192, price }
  const providers = [{ id: 'stub', base_url: stub.url, locality: 'remote' }]
  writeFileSync(path, JSON.stringify({ providers, models: [model] }))
  return {
    env: { MODELS_FILE: path },
    async close() {
      await stub.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
