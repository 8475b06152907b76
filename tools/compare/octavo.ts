// Prints the text of a file as Octavo reads it, for comparison with other programs.

import { createReadStream, statSync } from 'node:fs'
import { basename } from 'node:path'
import { textFromBlocks } from '../../base/src/blocks.ts'
import { openExtract } from '../../extract/src/extract.ts'
import { BuiltInReader } from '../../server/src/readers/built-in.ts'
import { openPageOcr } from '../../server/src/readers/page-ocr.ts'

const [, , path = ''] = process.argv
const extract = openExtract({
  parser_heap_mb: 384,
  parser_resident_mb: 700,
  max_read_bytes: 256 * 1024 * 1024,
  max_pages: 2_000,
  max_inflated_bytes: 512 * 1024 * 1024,
  max_pixels: 100_000_000,
  parser_open_seconds: 60,
  parser_page_seconds: 60,
})
const engine = openPageOcr({ engine: 'auto', models_dir: process.env.OCTAVO_MODELS_DIR ?? null, env: process.env })
const { signal } = new AbortController()
try {
  const claims = { media_type: null, file_name: basename(path), size_bytes: statSync(path).size }
  const reading = await extract.open(async () => createReadStream(path), { ...claims, signal })
  const reader = new BuiltInReader({ version: '0', ocr: 'auto', engine })
  for (let number = 1; number <= reading.page_count; number++) {
    const parsed = await reading.page(number)
    const page = { number, parsed, image: (dpi: number) => reading.image(number, dpi) }
    const { blocks } = await reader.read(page, { languages: [], signal })
    console.log(textFromBlocks(blocks).text)
  }
  await reading.close()
} finally {
  await Promise.all([extract.close(), engine.close()])
}
