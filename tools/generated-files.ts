// Writes generated files. With --check it writes nothing and fails if a file is out of date.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** The text of a file of the repository, or null if it does not exist. */
export function readText(path: string): string | null {
  try {
    return readFileSync(join(root, path), 'utf8')
  } catch {
    return null
  }
}

/** `files`: the text of each file by its path in the repository. */
export function writeGenerated(files: Readonly<Record<string, string>>): void {
  const isCheck = process.argv.includes('--check')
  for (const [path, text] of Object.entries(files)) {
    if (readText(path) === text) continue
    if (isCheck) {
      console.error(`${path} is out of date. Run: npm run openapi`)
      process.exitCode = 1
      continue
    }
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    console.log(`wrote ${path}`)
  }
}
