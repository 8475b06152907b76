// The image, built as the Dockerfile says, or with a fault in it.

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

/** The files of this checkout that the Dockerfile copies. */
function contextPaths(): string[] {
  const dockerfile = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8')
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) => paths.split(' '))
  return ['.dockerignore', 'deploy', ...copied]
}

function copyContext(plants: readonly Plant[]): string {
  const context = mkdtempSync(join(tmpdir(), 'octavo-image-'))
  for (const path of contextPaths()) cpSync(join(ROOT, path), join(context, path), { recursive: true })
  for (const plant of plants) {
    const path = join(context, plant.file)
    writeFileSync(path, plantText(readFileSync(path, 'utf8'), plant))
  }
  return context
}
