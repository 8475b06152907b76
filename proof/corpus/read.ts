// A file → its pages. The one place where the proof meets the product.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Block } from '@octavo/contract'
import { change } from '../lib/change.ts'
import { plantText } from '../lib/plant-text.ts'
import type { Plant } from '../lib/proof.ts'

export interface ReadAsk {
  path: string
  /** OCR languages; if empty, the engine detects them. */
  languages: string[]
}

export interface ReadFile {
  page_count: number
  /** The blocks of each page. */
  pages: Block[][]
}

export interface CorpusReader {
  /** Throws why a file could not be read. */
  read(ask: ReadAsk): Promise<ReadFile>
  close(): Promise<void>
}

const CHILD = fileURLToPath(new URL('./read-child.ts', import.meta.url))
const PLANT = new URL('../lib/plant.ts', import.meta.url).href

/** A fault inside a format reaches it only where the confined child loads it too, which a real one never would. */
const pass_on: readonly Plant[] = [
  change('spawnParser', "'--permission',", `'--permission', '--allow-fs-read=*', '--import', '${PLANT}',`),
  change('launch', 'env: { ...task.env }', "env: { OCTAVO_PLANTS: process.env.OCTAVO_PLANTS ?? '' }"),
  change('openSandbox', 'level ?? detectLevel().level', "'process'"),
]

/** Inside the confined child a fault that went stale would look like one that was caught. */
function checkPlants(plants: readonly Plant[]): void {
  for (const plant of plants) plantText(readFileSync(new URL(`../../${plant.file}`, import.meta.url), 'utf8'), plant)
}

export async function openReader(plants: readonly Plant[]): Promise<CorpusReader> {
  const all = plants.length === 0 ? [] : [...plants, ...pass_on]
  checkPlants(all)
  const execArgv = all.length === 0 ? [] : ['--import', PLANT]
  const child = fork(CHILD, { execArgv, env: { ...process.env, OCTAVO_PLANTS: JSON.stringify(all) } })
  const exited = once(child, 'exit')
  await Promise.race([
    once(child, 'message'),
    exited.then(() => Promise.reject(new Error('the reading process ended before it began'))),
  ])
  return {
    async read(ask) {
      child.send(ask)
      const [answer] = (await Promise.race([once(child, 'message'), exited])) as [
        { file?: ReadFile; error?: string } | number | null,
      ]
      if (typeof answer !== 'object' || answer === null) throw new Error('the reading process ended')
      if (!answer.file) throw new Error(answer.error)
      return answer.file
    },
    async close() {
      child.disconnect()
      await exited
    },
  }
}
