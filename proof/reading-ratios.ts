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
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'
import { compareSides } from './lib/rounds.ts'
import { defer, owned } from './lib/scope.ts'
import { openWorld, type ServerProcess, type World } from './lib/world.ts'
import { faults } from './reading-ratios/faults.ts'

const GOAL = { text: 0.5, ocr: 0.85 }
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

/** `cpu`: milliseconds of processor a page, with all children. */
type ReadingRatioResult = Record<'per_second' | 'cpu' | 'postgres', number>
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
  await using world = await openWorld(run.plants, { RATE_LIMITS: 'off' })
  const { parsing, ocr, models_dir } = world.app.config
  await using extract = owned(openExtract(parsing))
  // As world.ts starts its processes: with what this process has, too.
  const engine = await openOcr({
    ...ocr,
    models_dir,
    env: { PATH: process.env.PATH, TESSDATA_PREFIX: process.env.TESSDATA_PREFIX },
  })
  await using _engine = defer(() => engine?.close())
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
  const pages = PAGES[kind]
  const { ratio, rates, of } = await compareSides(
    stage.run,
    // OCR would gain nothing from a warm-up: the first page of an engine is as fast as any.
    { name: kind, by: 'per_second', unit: 'pages/s', has_warm_up: kind === 'text' },
    {
      bare: () => measure(stage, sides.bare, { pid: process.pid, pages }),
      ours: () => measure(stage, sides.whole, { pid: stage.worker.pid, pages }),
    },
  )
  const cpu = `processor a page ${of('ours', 'cpu')} ms + PostgreSQL ${of('ours', 'postgres')} ms, bare ${of('bare', 'cpu')} ms`
  return { ratio, figure: `${ratio} (${rates}; ${cpu})` }
}

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
