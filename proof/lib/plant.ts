// Loaded before the server (`node --import`): puts the faults of OCTAVO_PLANTS into its source.

import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { plantText } from './plant-text.ts'
import type { Plant } from './proof.ts'

const plants = JSON.parse(process.env.OCTAVO_PLANTS ?? '[]') as Plant[]
const root = new URL('../../', import.meta.url)
const pending = new Set(plants)

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.startsWith('file:')) return loaded
    const path = fileURLToPath(url)
    for (const plant of plants.filter(({ file }) => fileURLToPath(new URL(file, root)) === path)) {
      const text = String(loaded.source instanceof Uint8Array ? Buffer.from(loaded.source) : loaded.source)
      loaded.source = plantText(text, plant)
      pending.delete(plant)
    }
    return loaded
  },
})

process.once('beforeExit', () => {
  if (pending.size > 0) process.exitCode = 70
})
