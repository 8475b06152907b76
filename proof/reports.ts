// A report over a million rows takes no more memory than one over a few thousand, and has every row.

import type { Octavo } from '@octavo/sdk'
import { findUuid } from '../server/src/lib/ids.ts'
import { asAdmin } from './lib/admin.ts'
import { change } from './lib/change.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'
import { round } from './lib/proof.ts'
import { openWorld, type World } from './lib/world.ts'
import { type ReportsSeedResult, seed } from './reports/seed.ts'
import { watchPeaks } from './reports/watch.ts'

const ROWS: Record<ProofRun['length'], number> = { short: 50_000, normal: 1_000_000, long: 1_000_000 }
const FEW = 5_000
/** Memory that code and buffers take on first use is not growth. */
const WARM_ROUNDS = 4
const MAX_GROWTH_MB = 32
/** With a larger heap, uncollected garbage would look like growth. */
const HEAP = '--max-old-space-size=120'
const WAIT_SECONDS = 50

export const proof: Proof = {
  promise: 'Reports are streamed: a longer report takes more time, but no more memory.',
  goal: `1,000,000 documents as CSV (short: 50,000): API and worker, their heaps bounded and each with its children, at most ${MAX_GROWTH_MB} MB above their peak at ${FEW} rows, while it is made and while it is downloaded; every row once, in order, byte for byte`,
  faults: {
    rows_held: {
      what: 'the worker keeps the rows until the report is written',
      plants: [
        change(
          'told',
          '    yield row\n',
          '    ;((run) => (run.rows ??= []).push(Buffer.from(JSON.stringify(row).repeat(2))))(tell as unknown as { rows?: Buffer[] })\n    yield row\n',
        ),
      ],
    },
    bytes_held: {
      what: 'the API reads a file before it sends it',
      plants: [
        change(
          'openFile',
          'const bytes = await app.files.get(objectKey(db.caller.tenant, file.object_id), range)',
          "const bytes = await app.files.get(objectKey(db.caller.tenant, file.object_id), range).then(async (stream) => stream && (await import('node:stream')).Readable.from([await (await import('node:stream/consumers')).buffer(stream)], { objectMode: false }))",
        ),
      ],
    },
    row_lost: {
      what: 'the last row of each part is left out',
      plants: [change('inParts', 'yield* rows', 'yield* next === null ? rows : rows.slice(0, -1)')],
    },
  },
  run: prove,
}

interface ReportsStage {
  world: World
  url: string
  pids: [api: number, worker: number]
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  await using world = await openWorld(run.plants, { RATE_LIMITS: 'off', NODE_OPTIONS: HEAP })
  const { pid: api, url } = await world.startApi()
  const { pid: worker } = await world.startWorker()
  const stage: ReportsStage = { world, url, pids: [api, worker] }
  const few = await makeTenant(stage, FEW)
  const before = [0, 0]
  for (let round = 0; round < WARM_ROUNDS; round++) {
    const { peaks } = await watchPeaks(stage.pids, () => makeAndRead(few))
    for (const [i, peak] of peaks.entries()) before[i] = Math.max(before[i]!, peak)
  }
  run.say(`at ${FEW} rows: API ${round(before[0]!, 0)} MB, worker ${round(before[1]!, 0)} MB`)
  const many = await makeTenant(stage, ROWS[run.length])
  run.say(`${ROWS[run.length]} documents are there`)
  const { peaks, tenths, value } = await watchPeaks(stage.pids, () => makeAndRead(many))
  for (const [i, name] of ['API', 'worker'].entries())
    run.say(`${name}, MB in each tenth of the time: ${tenths[i]!.map((mb) => round(mb, 0)).join(' ')}`)
  const [api_mb, worker_mb] = peaks.map((peak, i) => round(peak - before[i]!, 0)) as [number, number]
  const { row_count, lines, wrong, megabytes, seconds } = value
  for (const line of wrong.slice(0, 5)) run.say(`wrong: ${line}`)
  const isExact = wrong.length === 0 && lines === many.seeded.count && row_count === lines
  const figure =
    `${Math.max(api_mb, worker_mb)} MB more for ${lines} rows (${megabytes} MB in ${seconds} s) than for ${FEW}: ` +
    `API ${api_mb}, worker ${worker_mb}; ${wrong.length} wrong rows, ${many.seeded.count - lines} missing`
  return { figure, is_met: isExact && Math.max(api_mb, worker_mb) <= MAX_GROWTH_MB }
}

interface ReportsTenant {
  client: Octavo
  seeded: ReportsSeedResult
}

async function makeTenant({ world, url }: ReportsStage, count: number): Promise<ReportsTenant> {
  const { tenant, key } = await world.newTenant()
  const seeded = await asAdmin(world.database.name, (client) => seed(client, findUuid('ten', tenant)!, count))
  return { client: key.client(url, { timeout_ms: 120_000 }), seeded }
}

async function makeAndRead({ client, seeded }: ReportsTenant) {
  const begun = performance.now()
  let report = await client.reports.create(
    { type: 'documents', format: 'csv', timeout_seconds: 3_600 },
    { wait_seconds: WAIT_SECONDS },
  )
  while (!report.is_terminal) report = await client.reports.get(report.id, {}, { wait_seconds: WAIT_SECONDS })
  if (report.status !== 'succeeded') throw new Error(`the report is ${report.status}: ${report.error?.message}`)
  const seconds = round((performance.now() - begun) / 1000, 1)
  const read = await readLines(await client.files.download(report.file_id!), seeded)
  return { row_count: report.row_count, seconds, ...read }
}

/** The newest come first, so the numbers go down to 1. */
async function readLines(
  file: Response,
  seeded: ReportsSeedResult,
): Promise<{ lines: number; wrong: string[]; megabytes: number }> {
  const wrong: string[] = []
  let [number, lines, bytes, rest, isHead] = [seeded.count, 0, 0, '', true]
  const decoder = new TextDecoder()
  for await (const piece of file.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += piece.length
    const parts = (rest + decoder.decode(piece, { stream: true })).split('\r\n')
    rest = parts.pop()!
    for (const line of parts) {
      if (isHead) isHead = false
      else {
        lines++
        if (line !== seeded.lineOf(number--) && wrong.length < 1_000) wrong.push(line)
      }
    }
  }
  if (rest !== '') wrong.push(rest)
  return { lines, wrong, megabytes: round(bytes / 1024 / 1024, 0) }
}
