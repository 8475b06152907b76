// Overhead of the whole system over the parser and the OCR engine that do the work: upload, job, child, chunks, rows,
// files.

import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Extract, type OpenReading, openExtract } from '../server/src/extract/extract.ts'
import type { OcrEngine } from '../server/src/extract/ocr/ocr.ts'
import { openOcr } from '../server/src/extract/ocr/open.ts'
import type { PageImage } from '../server/src/extract/types.ts'
import { makeBook } from './lib/book.ts'
import { cpuOfBackends, cpuSince } from './lib/cpu.ts'
import { cpuWithChildrenOf } from './lib/processes.ts'
import { median, type Proof, type ProofOutcome, type ProofRun, round } from './lib/proof.ts'
import { openWorld, type ServerProcess, type World } from './lib/world.ts'
import { faults } from './reading-ratios/faults.ts'

const GOAL = { text: 0.5, ocr: 0.85 }
const ROUNDS = { short: 3, normal: 5, long: 5 }
const PAGES = { text: 160, ocr: 6 }
/** As the built-in reader draws pages. */
const DPI = 200
const LANGUAGE = 'en'
/** Until the next child has loaded what it needs, on both sides. */
const WARM_MS = 2_000

type ReadingRatioKind = keyof typeof PAGES

export const proof: Proof = {
  promise: 'Pages become ready nearly as fast as the parser and the OCR engine produce them.',
  goal: 'a text PDF of 160 pages, from the SDK to `ready`: pages/s >= 0.5 of the bare parser in the same child; scanned pages/s >= 0.85 of the bare OCR engine; medians of 5',
  faults,
  run: prove,
}

interface ReadingRatioResult {
  per_second: number
  /** Milliseconds of processor a page, with all children. */
  cpu: number
  postgres: number
}
type ReadingRatioSide = () => Promise<unknown>

interface ReadingRatioStage {
  run: ProofRun
  world: World
  worker: ServerProcess
  extract: Extract
  engine: OcrEngine
  files: Record<ReadingRatioKind, Buffer>
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  const world = await openWorld(run.plants, { RATE_LIMITS: 'off' })
  const { parsing, ocr, models_dir } = world.app.config
  const extract = openExtract(parsing)
  // As world.ts starts its processes: with what this process has, too.
  const engine = await openOcr({
    ...ocr,
    models_dir,
    env: { PATH: process.env.PATH, TESSDATA_PREFIX: process.env.TESSDATA_PREFIX },
  })
  try {
    if (!engine) throw new Error('there is no OCR engine')
    await world.startApi()
    const all = Array.from({ length: PAGES.ocr }, (_, i) => i + 1)
    const files = {
      text: await makeBook({ pages: PAGES.text }),
      ocr: await makeBook({ pages: PAGES.ocr, scanned: new Set(all) }),
    }
    const stage: ReadingRatioStage = { run, world, worker: await world.startWorker(), extract, engine, files }
    const { key } = await world.newTenant()
    const whole = (kind: ReadingRatioKind) => async () => {
      const document = { title: kind, processing: { languages: [LANGUAGE] } }
      const read = await key.client().documents.createAndWait(new Blob([Uint8Array.from(files[kind])]), { document })
      if (read.status !== 'ready' || read.pages_ready !== PAGES[kind]) throw new Error(`the document is ${read.status}`)
    }
    const text = await compare(stage, 'text', { whole: whole('text'), bare: () => parseAll(stage) })
    const images = await drawAll(stage)
    const scans = await compare(stage, 'ocr', { whole: whole('ocr'), bare: () => recogniseAll(stage, images) })
    const figure = `text ${text.figure}; OCR (${engine.id}) ${scans.figure}`
    return { figure, is_met: text.ratio >= GOAL.text && scans.ratio >= GOAL.ocr }
  } finally {
    await Promise.all([extract.close(), engine?.close()])
    await world.close()
  }
}

const openBare = ({ extract }: ReadingRatioStage, bytes: Buffer): Promise<OpenReading> =>
  extract.open(async () => Readable.from([bytes]), {
    media_type: 'application/pdf',
    file_name: 'book.pdf',
    size_bytes: bytes.length,
    signal: new AbortController().signal,
  })

async function parseAll(stage: ReadingRatioStage): Promise<void> {
  const reading = await openBare(stage, stage.files.text)
  for (let number = 1; number <= PAGES.text; number++) await reading.page(number)
  await reading.close()
}

async function drawAll(stage: ReadingRatioStage): Promise<PageImage[]> {
  const reading = await openBare(stage, stage.files.ocr)
  const images: PageImage[] = []
  for (let number = 1; number <= PAGES.ocr; number++) images.push(await reading.image(number, DPI))
  await reading.close()
  return images
}

async function recogniseAll({ engine }: ReadingRatioStage, images: readonly PageImage[]): Promise<void> {
  for (const image of images) await engine.read(image, { languages: [LANGUAGE], signal: new AbortController().signal })
}

async function compare(
  stage: ReadingRatioStage,
  kind: ReadingRatioKind,
  sides: { whole: ReadingRatioSide; bare: ReadingRatioSide },
): Promise<{ ratio: number; figure: string }> {
  const { run, worker } = stage
  const results: { whole: ReadingRatioResult; bare: ReadingRatioResult }[] = []
  // A round that warms up; nothing of it counts. OCR would gain nothing from it: an engine's first page is as good as any.
  for (let number = kind === 'text' ? 0 : 1; number <= ROUNDS[run.length]; number++) {
    const bare = await measure(stage, sides.bare, { pid: process.pid, pages: PAGES[kind] })
    const whole = await measure(stage, sides.whole, { pid: worker.pid, pages: PAGES[kind] })
    if (number === 0) continue
    results.push({ whole, bare })
    run.say(`${kind} ${number}: ${told(whole)} of ${told(bare)} = ${round(whole.per_second / bare.per_second)}`)
  }
  const of = (side: 'whole' | 'bare', what: keyof ReadingRatioResult): number =>
    round(median(results.map((each) => each[side][what])), 1)
  const ratio = round(median(results.map(({ whole, bare }) => whole.per_second / bare.per_second)))
  const cpu = `processor a page ${of('whole', 'cpu')} ms + PostgreSQL ${of('whole', 'postgres')} ms, bare ${of('bare', 'cpu')} ms`
  return { ratio, figure: `${ratio} (${of('whole', 'per_second')} of ${of('bare', 'per_second')} pages/s; ${cpu})` }
}

const told = ({ per_second, cpu, postgres }: ReadingRatioResult): string =>
  `${round(per_second, 1)} pages/s (${round(cpu, 1)} ms + PostgreSQL ${round(postgres, 1)} ms a page)`

async function measure(
  { world }: ReadingRatioStage,
  side: ReadingRatioSide,
  { pid, pages }: { pid: number; pages: number },
): Promise<ReadingRatioResult> {
  await sleep(WARM_MS)
  const before = { postgres: await cpuOfBackends(world.database.name), cpu: cpuWithChildrenOf(pid) }
  const began = performance.now()
  await side()
  const seconds = (performance.now() - began) / 1000
  const cpu = (cpuWithChildrenOf(pid) - before.cpu) / pages
  return { per_second: pages / seconds, cpu, postgres: (await cpuSince(world.database.name, before.postgres)) / pages }
}
