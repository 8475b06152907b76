// Reads hostile files through the confined child alone, without a server: `node proof/hostile/direct.ts [part of a name …]`.

import { readdirSync, readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { type ExtractConfig, openExtract } from '../../server/src/extract/extract.ts'
import { Unreadable } from '../../server/src/extract/types.ts'
import { round } from '../lib/proof.ts'
import type { HostileFile } from './file.ts'
import { hostileFiles } from './files.ts'

const MAX_SECONDS = 60
const DPI = 150
const CONFIG: ExtractConfig = {
  parser_heap_mb: 384,
  parser_resident_mb: 700,
  max_read_bytes: 256 * 1024 * 1024,
  max_pages: 2_000,
  max_inflated_bytes: 512 * 1024 * 1024,
  max_pixels: 100_000_000,
  parser_open_seconds: 25,
  parser_page_seconds: 12,
}

interface HostileResult {
  verdict: string
  seconds: number
  peak_mb: number
  remark: string
}

const fileLines = (path: string): string => {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

/** The highest resident memory of all children at any time since they began. */
function watchChildren(): () => number {
  const peaks = new Map<string, number>()
  const look = (): void => {
    for (const task of readdirSync('/proc/self/task'))
      for (const pid of fileLines(`/proc/self/task/${task}/children`).split(' ').filter(Boolean)) {
        const kb = Number(/^VmHWM:\s+(\d+)/m.exec(fileLines(`/proc/${pid}/status`))?.[1] ?? 0)
        peaks.set(pid, Math.max(peaks.get(pid) ?? 0, kb))
      }
  }
  const timer = setInterval(look, 20)
  return () => {
    look()
    clearInterval(timer)
    return Math.max(0, ...peaks.values()) / 1024
  }
}

async function readAll(
  file: HostileFile,
  extract: ReturnType<typeof openExtract>,
): Promise<{ verdict: string; text: string }> {
  const bytes = file.make('http://127.0.0.1:9/canary')
  const given = { media_type: file.media_type, file_name: file.file_name, size_bytes: bytes.length }
  const reading = await extract.open(async () => Readable.from([bytes]), {
    ...given,
    signal: AbortSignal.timeout(MAX_SECONDS * 1000),
  })
  const refused = new Map<string, number>()
  const texts: string[] = []
  let drawn = 0
  try {
    const count = Math.min(reading.page_count, CONFIG.max_pages)
    for (let number = 1; number <= count; number++) {
      try {
        const page = await reading.page(number)
        if (texts.length < 50) texts.push(JSON.stringify(page.blocks).slice(0, 100_000))
        if (page.needs_ocr && page.has_image) {
          await reading.image(number, DPI)
          drawn++
        }
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error
        refused.set(error.code, (refused.get(error.code) ?? 0) + 1)
        if (error.page === null) break
      }
    }
    const pages = [...refused].map(([code, times]) => `, ${times} × ${code}`).join('')
    const word = refused.size > 0 && texts.length === 0 ? 'refused on its pages' : 'read'
    return {
      verdict: `${word} as ${reading.format}, ${reading.page_count} pages${pages}${drawn > 0 ? `, ${drawn} drawn` : ''}`,
      text: texts.join(' '),
    }
  } finally {
    await reading.close()
  }
}

function remarkOn(file: HostileFile, verdict: string, text: string): string {
  const is_read = verdict.startsWith('read')
  if (verdict.startsWith('broken')) return 'NO VERDICT'
  if (is_read && file.expected === 'refused') return 'SHOULD BE REFUSED'
  if (!is_read && file.expected === 'read') return 'SHOULD BE READ'
  if (!is_read && !file.codes.some((code) => verdict.includes(code)))
    return `WRONG CODE, not ${file.codes.join(' or ')}`
  if (is_read && file.shows && !text.includes(file.shows)) return `DOES NOT SHOW '${file.shows}'`
  if (file.hides && text.includes(file.hides)) return `SHOWS '${file.hides}'`
  return ''
}

async function readOne(file: HostileFile): Promise<HostileResult> {
  // Start a new child for each: a spare one would hide the memory cost of the start.
  const extract = openExtract(CONFIG)
  const peak = watchChildren()
  const began = Date.now()
  let text = ''
  let verdict: string
  try {
    const read = await readAll(file, extract)
    verdict = read.verdict
    text = read.text
  } catch (error) {
    verdict = error instanceof Unreadable ? `refused: ${error.code}: ${error.message}` : `broken: ${String(error)}`
  }
  const seconds = (Date.now() - began) / 1000
  const peak_mb = peak()
  await extract.close()
  return { verdict, seconds, peak_mb, remark: remarkOn(file, verdict, text) }
}

// A spare does not keep its process alive, not even while it is waited for.
const alive = setInterval(() => {}, 1_000)
const parts = process.argv.slice(2)
const chosen = hostileFiles.filter(({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)))
for (const file of chosen) {
  const { verdict, seconds, peak_mb, remark } = await readOne(file)
  const isOver = peak_mb > CONFIG.parser_resident_mb ? ' OVER ITS MEMORY' : ''
  process.stdout.write(
    `${file.name}: ${verdict.slice(0, 150)} (${round(seconds, 1)} s, ${Math.round(peak_mb)} MB)${remark ? ` ${remark}` : ''}${isOver}\n`,
  )
}
clearInterval(alive)
