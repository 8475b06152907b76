// Tesseract as WASM, without the package's own loader: that one starts threads and would fetch language data from a network.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gunzipSync } from 'node:zlib'
import { encodePng } from '../raster.ts'
import { dataPath } from './language-data.ts'
import { serveOcr } from './serve.ts'

interface Api {
  Init(path: null, languages: string, mode: number): number
  SetVariable(name: string, value: string): boolean
  SetImageFile(exif: number, angle: number): number
  Recognize(monitor: null): number
  GetHOCRText(page: number): string
  Version(): string
  Clear(): void
  End(): void
}

interface Core {
  FS: { writeFile(path: string, data: Uint8Array): void; unlink(path: string): void }
  TessBaseAPI: new () => Api
}

const LSTM_ONLY = 1
const create = createRequire(import.meta.url)('tesseract.js-core/tesseract-core-simd-lstm') as (
  options: object,
) => Promise<Core>
const written = new Set<string>()
let core: Core | undefined
let api: Api | undefined
let languages = ''

async function prepare(names: readonly string[]): Promise<{ core: Core; api: Api }> {
  core ??= await create({})
  const wanted = names.join('+')
  if (api && languages === wanted) return { core, api }
  for (const name of names) {
    const path = dataPath(name)
    if (!path) throw new Error(`There is no data for '${name}'`)
    if (!written.has(name)) core.FS.writeFile(`./${name}.traineddata`, gunzipSync(readFileSync(path)))
    written.add(name)
  }
  api?.End()
  api = new core.TessBaseAPI()
  if (api.Init(null, wanted, LSTM_ONLY) !== 0) throw new Error(`Tesseract does not start with '${wanted}'`)
  api.SetVariable('tessedit_pageseg_mode', '3')
  languages = wanted
  return { core, api }
}

await serveOcr(async ({ width, height, dpi, names }, pixels) => {
  const ready = await prepare(names)
  ready.core.FS.writeFile('/input', encodePng({ width, height, pixels, dpi }))
  ready.api.SetVariable('user_defined_dpi', String(Math.round(dpi)))
  if (ready.api.SetImageFile(1, 0) === 1) throw new Error('The image cannot be read')
  ready.api.Recognize(null)
  const hocr = ready.api.GetHOCRText(0)
  ready.api.Clear()
  return { hocr }
})
