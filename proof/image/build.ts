// The image, built as the Dockerfile says, or with a fault in it.

import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, ensureStandIns } from '../containers/engine.ts'
import { plantText } from '../lib/plant-text.ts'
import type { Plant } from '../lib/proof.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export interface Built {
  image: string
  seconds: number
  /**
   * Number of package scripts that ran in the build; null if its log does not show them, for example with a cached npm
   * step.
   */
  scripts: number | null
}

/** Builds without models. With a fault it builds from a copy of the context. With a cache it reuses unchanged steps. */
export function buildBare(plants: readonly Plant[], is_cached: boolean, say: (line: string) => void): Built {
  const image = plants.length > 0 ? 'octavo-planted:bare' : 'octavo:bare'
  ensureStandIns(['node'], say)
  const context = plants.length > 0 ? copyContext(plants) : ROOT
  const started = performance.now()
  try {
    const log = build({ file: join(context, 'deploy/Dockerfile'), context, image, target: 'bare', is_cached })
    // npm says each before it runs it (--foreground-scripts).
    const scripts = [...log.matchAll(/^> \S+@\S+ (?:pre|post)?install$/gm)].length
    return {
      image,
      seconds: Math.round((performance.now() - started) / 1000),
      scripts: /^added \d+ packages/m.test(log) ? scripts : null,
    }
  } finally {
    if (context !== ROOT) rmSync(context, { recursive: true })
  }
}

function copyContext(plants: readonly Plant[]): string {
  const context = mkdtempSync(join(tmpdir(), 'octavo-image-'))
  const workspaces = globSync('*/package.json', { cwd: ROOT })
  const own = [
    '.dockerignore',
    '.npmrc',
    'LICENSE',
    'package.json',
    'package-lock.json',
    'tools/fetch-models.ts',
    ...workspaces,
  ]
  const sources = ['contract/src', 'sdk/src', 'server/src', 'cli/src', 'deploy']
  for (const path of [...own, ...sources]) cpSync(join(ROOT, path), join(context, path), { recursive: true })
  for (const plant of plants) {
    const path = join(context, plant.file)
    writeFileSync(path, plantText(readFileSync(path, 'utf8'), plant))
  }
  return context
}
