// Shows how a page was read: `npm run look -- file.pdf 3` writes a PNG and an HTML file of page 3, or of all pages.

import { createReadStream, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Block } from '@octavo/contract'
import { openExtract } from '../extract/src/extract.ts'
import { BuiltInReader } from '../server/src/readers/built-in.ts'
import { openPageOcr } from '../server/src/readers/page-ocr.ts'
import { Canvas } from './look/canvas.ts'
import { htmlPage } from './look/html.ts'

const DPI = 100
const MAX_PAGES = 200
const FILE_SECONDS = 600
const COLORS: Record<string, [number, number, number]> = {
  title: [160, 0, 160],
  heading: [200, 0, 90],
  paragraph: [0, 90, 220],
  list_item: [0, 150, 160],
  table: [220, 0, 0],
  fields: [230, 120, 0],
  figure: [120, 120, 120],
  code: [90, 60, 0],
  caption: [0, 120, 60],
  footnote: [90, 90, 200],
  header: [150, 150, 0],
  footer: [150, 150, 0],
}
const CELL_COLOR: [number, number, number] = [0, 140, 0]

const [path, pages = '', out = join(tmpdir(), 'octavo-look')] = process.argv.slice(2)
if (!path) {
  console.error('Usage: npm run look -- FILE [PAGE[-PAGE]] [DIRECTORY]')
  process.exit(2)
}
const extract = openExtract({
  parser_heap_mb: 384,
  parser_resident_mb: 700,
  max_read_bytes: 256 * 1024 * 1024,
  max_pages: 10_000,
  max_inflated_bytes: 512 * 1024 * 1024,
  max_pixels: 100_000_000,
  parser_open_seconds: 60,
  parser_page_seconds: 60,
})
const engine = openPageOcr({ engine: 'auto', models_dir: process.env.OCTAVO_MODELS_DIR ?? null, env: process.env })
try {
  await look(path)
} finally {
  await Promise.all([extract.close(), engine.close()])
}

async function look(file: string): Promise<void> {
  const signal = AbortSignal.timeout(FILE_SECONDS * 1000)
  const claims = { media_type: null, file_name: basename(file), size_bytes: statSync(file).size }
  const reading = await extract.open(async () => createReadStream(file), { ...claims, signal })
  const reader = new BuiltInReader({ version: '0', ocr: 'auto', engine })
  mkdirSync(out, { recursive: true })
  try {
    for (const number of pageNumbers(reading.page_count)) {
      const parsed = await reading.page(number)
      const image = (dpi: number) => reading.image(number, dpi)
      const { blocks } = await reader.read({ number, parsed, image }, { languages: [], signal })
      const target = join(out, `${basename(file)}-${number}`)
      const picture = parsed.has_image ? draw(await image(DPI), blocks) : null
      if (picture) writeFileSync(`${target}.png`, picture)
      writeFileSync(`${target}.html`, htmlPage({ name: `${basename(file)}, page ${number}`, picture, blocks }))
      console.log(`${target}.html${picture ? `\n${target}.png` : ''}`)
    }
  } finally {
    await reading.close()
  }
}

function pageNumbers(count: number): number[] {
  const [first, last] = pages === '' ? [1, Math.min(count, MAX_PAGES)] : pages.split('-').map(Number)
  const end = Math.min(count, last ?? first ?? 1)
  return Array.from({ length: Math.max(0, end - (first ?? 1) + 1) }, (_, index) => (first ?? 1) + index)
}

function draw(image: { width: number; height: number; pixels: Uint8Array }, blocks: readonly Block[]): Buffer {
  const canvas = new Canvas(image)
  for (const [index, block] of blocks.entries()) {
    if (!block.bbox) continue
    const color = COLORS[block.type] ?? [0, 0, 0]
    for (const cell of block.table?.cells ?? []) if (cell.bbox) canvas.box(cell.bbox, CELL_COLOR, 1)
    for (const { label_bbox, value_bbox } of block.fields ?? [])
      for (const bbox of [label_bbox, value_bbox]) if (bbox) canvas.box(bbox, CELL_COLOR, 1)
    canvas.box(block.bbox, color, 2)
    canvas.label(block.bbox, String(index + 1), color)
  }
  return canvas.png()
}
