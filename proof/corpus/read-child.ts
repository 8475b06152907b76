// Reads files as the worker does, without the rest of it: a confined child for each file, the built-in reader for each page.

import { createReadStream, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { Block } from '@octavo/contract'
import { type ExtractConfig, openExtract } from '../../extract/src/extract.ts'
import { BuiltInReader } from '../../server/src/readers/built-in.ts'
import { openPageOcr } from '../../server/src/readers/page-ocr.ts'
import { owned } from '../lib/scope.ts'
import type { ReadAsk, ReadFile } from './read.ts'

const MIB = 1024 * 1024
const FILE_SECONDS = 120
const CONFIG: ExtractConfig = {
  parser_heap_mb: 384,
  parser_resident_mb: 700,
  max_read_bytes: 64 * MIB,
  max_pages: 100,
  max_inflated_bytes: 128 * MIB,
  max_pixels: 100_000_000,
  parser_open_seconds: 60,
  parser_page_seconds: 60,
}

const extract = openExtract(CONFIG)
const engine = openPageOcr({ engine: 'auto', models_dir: null, env: process.env })

async function read({ path, languages }: ReadAsk): Promise<ReadFile> {
  const given = { media_type: null, file_name: basename(path), size_bytes: statSync(path).size }
  const signal = AbortSignal.timeout(FILE_SECONDS * 1000)
  await using reading = owned(await extract.open(async () => createReadStream(path), { ...given, signal }))
  const reader = new BuiltInReader({ version: '0', ocr: 'auto', engine })
  const pages: Block[][] = []
  for (let number = 1; number <= reading.page_count; number++) {
    const parsed = await reading.page(number)
    const image = (dpi: number) => reading.image(number, dpi)
    pages.push((await reader.read({ number, parsed, image }, { languages, signal })).blocks)
  }
  return { page_count: reading.page_count, pages }
}

process.on('message', (ask: ReadAsk) => {
  void read(ask).then(
    (file) => process.connected && process.send?.({ file }),
    (error: unknown) => process.connected && process.send?.({ error: String(error) }),
  )
})
process.once('disconnect', () => void Promise.all([extract.close(), engine.close()]))
process.send?.('ready')
