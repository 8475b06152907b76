// A planted fault names the declaration that it changes, not its file: moving the code does not make it stale.

import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { findDeclaration, isPath, pattern } from './plant-text.ts'
import type { Plant } from './proof.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
let sources: Map<string, string> | undefined

function readSources(): Map<string, string> {
  const files = globSync('{base,extract,server,cli,sdk}/src/**/*.ts', { cwd: ROOT })
  const own = files.filter((file) => !/\.test\.ts$|\/testing\//.test(file))
  return new Map(own.map((file) => [file, readFileSync(ROOT + file, 'utf8')]))
}

function findFile(at: string, find: string): string {
  if (existsSync(ROOT + at)) return at
  sources ??= readSources()
  const found = [...sources].filter(([file, text]) => {
    if (isPath(at)) return file.endsWith(`/${at}`) && text.search(pattern(find)) >= 0
    if (!text.includes(at)) return false
    return findDeclaration(text, at).some(([start, end]) => text.slice(start, end).search(pattern(find)) >= 0)
  })
  const [file] = found.map(([path]) => path)
  if (file === undefined || found.length > 1)
    throw new Error(
      `planted fault is stale: ${found.length} declarations or files '${at}' contain ${JSON.stringify(find)}`,
    )
  return file
}

/** Every change that a loaded proof can make. */
export const changes: Plant[] = []

/** `at` is a top-level declaration, a class member, the name of a source file, or the path of any other file. */
export function change(at: string, find: string, replace: string): Plant {
  const plant: Plant = {
    at,
    find,
    replace,
    get file() {
      return findFile(at, find)
    },
  }
  changes.push(plant)
  return plant
}
