// CPU time of the whole system against the parser and the OCR engine that do the work: upload, job, child, chunks, rows,
// files.

import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Extract, type OpenReading, openExtract } from '../extract/src/extract.ts'
import type { OcrEngine } from '../extract/src/ocr/ocr.ts'
import { openOcr } from '../extract/src/ocr/open.ts'
import type { PageImage } from '../extract/src/types.ts'
import { makeBook } from './lib/book.ts'
import { type CostSide, compareCosts } from './lib/costs.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'
import { defer, owned } from './lib/scope.ts'
import { openWorld, type World } from './lib/world.ts'
import { faults } from './reading-ratios/faults.ts'

const GOAL = { text: 0.7, ocr: 0.85 }
const PAGES = { text: 160, ocr: 6 }
const PAIRS = { short: { text: 3, ocr: 1 }, normal: { text: 5, ocr: 1 }, long: { text: 5, ocr: 2 } }
/** As the built-in reader draws pages. */
const DPI = 200
const LANGUAGE = 'en'
const WARM_MS = 2_000

type ReadingRatioKind = keyof typeof PAGES

export const proof: Proof = {
  promise: 'A page costs little more than the parser and the OCR engine need for it.',
  goal: `CPU time of API, worker and PostgreSQL for a text PDF of ${PAGES.text} pages, from the SDK to \`ready\`: the bare parser in the same child needs >= ${GOAL.text} of it; for scanned pages the bare OCR engine >= ${GOAL.ocr}`,
  faults,
  run: prove,
}

interface ReadingRatioStage {
  run: ProofRun
  world: World
  /** Processes of the server. */
  pids: readonly number[]
  extract: Extract
  engine: OcrEngine
  files: Record<ReadingRatioKind, Buffer>
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  await using world = await openWorld(run.plants, { RATE_LIMITS: 'off', OCTAVO_MODELS_DIR: '' })
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
  const api = await world.startApi()
  const all = Array.from({ length: PAGES.ocr }, (_, i) => i + 1)
  const files = {
    text: await makeBook({ pages: PAGES.text }),
    ocr: await makeBook({ pages: PAGES.ocr, scanned: new Set(all) }),
  }
  const worker = await world.startWorker()
  const stage: ReadingRatioStage = { run, world, pids: [api.pid, worker.pid], extract, engine, files }
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
  return { figure, is_met: text.share >= GOAL.text && scans.share >= GOAL.ocr }
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

function compare(
  { run, world, pids }: ReadingRatioStage,
  kind: ReadingRatioKind,
  { whole, bare }: Record<'whole' | 'bare', () => Promise<unknown>>,
): Promise<{ share: number; figure: string }> {
  const slice = (work: () => Promise<unknown>) => async (): Promise<number> => {
    await work()
    // Until the next child has loaded what it needs, on both sides.
    await sleep(WARM_MS)
    return PAGES[kind]
  }
  const ours: CostSide = { pids, connections: { database: world.database.name, is_bare: false }, slice: slice(whole) }
  const own: CostSide = { pids: [process.pid], except: pids, connections: null, slice: slice(bare) }
  return compareCosts(run, { name: kind, pairs: PAIRS[run.length][kind] }, { ours, bare: own })
}
