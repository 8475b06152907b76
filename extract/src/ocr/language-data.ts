// Language data of Tesseract that came with npm: packages `@tesseract.js-data/<name>`.

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Null if the language is not installed. */
export function dataPath(name: string): string | null {
  try {
    const folder = dirname(fileURLToPath(import.meta.resolve(`@tesseract.js-data/${name}/package.json`)))
    const path = join(folder, '4.0.0_best_int', `${name}.traineddata.gz`)
    return existsSync(path) ? path : null
  } catch {
    return null
  }
}
