// Tesseract as WASM: slower than the native one, and there wherever Node is.

import { createRequire } from 'node:module'
import type { Sandbox } from '../sandbox/launch.ts'
import { spawnParser } from '../spawn.ts'
import { parseHocr } from './hocr.ts'
import { dataPath } from './language-data.ts'
import { knownNames } from './languages.ts'
import type { OcrEngine } from './ocr.ts'
import { OcrProcesses } from './process.ts'
import { engineOf } from './recognizer.ts'

const MAIN = new URL('wasm.child.ts', import.meta.url)
/** Wall time: on a busy machine, a page that needs two seconds takes many. */
const DEADLINE_MS = 180_000
// Its memory is mostly outside of the heap.
const LIMITS = { parser_heap_mb: 256, parser_resident_mb: 700 }

/** Null without the package or any data for it. */
export function openWasm(sandbox: Sandbox): OcrEngine | null {
  const version = findVersion()
  const installed = knownNames.filter((name) => dataPath(name))
  if (!version || installed.length === 0) return null
  const processes = new OcrProcesses(() => spawnParser(sandbox, MAIN, LIMITS), DEADLINE_MS)
  return engineOf({
    id: 'tesseract_js',
    version,
    installed,
    async recognize({ width, height, dpi, pixels }, names, signal) {
      const { hocr } = (await processes.ask({ width, height, dpi, names }, pixels, signal)) as { hocr: string }
      return parseHocr(hocr)
    },
    // That needs the older engine and its data, which no package carries.
    findOrientation: async () => null,
    close: () => processes.close(),
  })
}

function findVersion(): string | null {
  try {
    const { version } = createRequire(import.meta.url)('tesseract.js-core/package.json') as { version: string }
    return version
  } catch {
    return null
  }
}
