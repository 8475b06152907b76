// Which engine reads pages. Loaded on demand: a process that never reads pays for none.

import { openSandbox } from '../sandbox/launch.ts'
import type { OcrConfig, OcrEngine } from './ocr.ts'

/** The one that is asked for, or for `auto` the first that is there. Null: none is. */
export async function openOcr({
  engine,
  models_dir,
  env = {},
  sandbox = openSandbox(),
}: OcrConfig): Promise<OcrEngine | null> {
  if (engine === 'pp_ocr') return (await import('./paddle.ts')).openPaddle(models_dir, sandbox)
  const native = engine === 'tesseract_js' ? null : await (await import('./tesseract.ts')).openTesseract(env, sandbox)
  if (native || engine === 'tesseract') return native
  return (await import('./wasm.ts')).openWasm(sandbox)
}
