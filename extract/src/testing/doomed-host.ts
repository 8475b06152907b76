// A process whose child loops forever; it prints the ids of the processes below it and waits to be killed.

import { Readable } from 'node:stream'
import { openExtract } from '../extract.ts'
import { descendantsOf } from './descendants.ts'

const limits = { parser_heap_mb: 128, parser_resident_mb: 300, parser_open_seconds: 60, parser_page_seconds: 60 }
const extract = openExtract(
  { ...limits, max_read_bytes: 1000, max_pages: 9, max_inflated_bytes: 1000, max_pixels: 1000 },
  new URL(process.argv[2] ?? ''),
)
const bytes = Buffer.from('1 loop for ever')
const given = { media_type: null, file_name: null, size_bytes: bytes.length, signal: new AbortController().signal }
const reading = await extract.open(async () => Readable.from([bytes]), given)
const page = reading.page(1)
setTimeout(() => {
  process.stdout.write(JSON.stringify(descendantsOf(process.pid)))
}, 300)
await page
