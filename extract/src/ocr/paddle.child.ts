// PP-OCR in a separate process: its inference blocks, and takes most of a gigabyte.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodePng } from '../raster.ts'
import { serveOcr } from './serve.ts'
import type { TextLine } from './text-lines.ts'

interface Service {
  initialize(): Promise<void>
  recognize(image: ArrayBuffer, options: object): Promise<{ results: TextLine[] }>
}

const folder = process.argv[2] ?? ''
const bufferOf = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer
const file = (name: string) => bufferOf(readFileSync(join(folder, name)))
let service: Promise<Service> | undefined

async function start(): Promise<Service> {
  const name = 'ppu-paddle-ocr'
  const { PaddleOcrService } = (await import(name)) as { PaddleOcrService: new (options: object) => Service }
  const started = new PaddleOcrService({
    // All three are given: what is missing would be downloaded.
    model: { detection: file('det.onnx'), recognition: file('rec.onnx'), charactersDictionary: file('dict.txt') },
    recognition: { strategy: 'per-box', minimumConfidence: 0.3 },
    session: { executionProviders: ['cpu'], intraOpNumThreads: 1, interOpNumThreads: 1 },
    processing: { engine: 'canvas-native' },
  })
  await started.initialize()
  return started
}

await serveOcr(async ({ width, height, dpi }, pixels) => {
  service ??= start()
  const { results } = await (await service).recognize(bufferOf(encodePng({ width, height, pixels, dpi })), {
    flatten: true,
    noCache: true,
  })
  return { lines: results.map(({ text, box, confidence }) => ({ text, box, confidence })) }
})
