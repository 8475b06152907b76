// The loads of the capacity proof, and what one of them costs.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Octavo } from '@octavo/sdk'
import type { Cost, MeasuredRun } from '../../tools/capacity/model.ts'
import { makeBook } from '../lib/book.ts'
import { round } from '../lib/proof.ts'
import type { Meter } from './meter.ts'

/** Until background work, such as the positions of events, is done. */
const QUIET_MS = 2_000
const PARALLEL = 2
const READY_MS = 600_000
const WORDS = ['river', 'boats', 'letters', 'winter', 'bridges', 'gardens', 'mountains', 'merchants', 'clocks', 'bread']

export interface CapacityLoad {
  documents: number
  /** Pages of each document. */
  text_pages: number
  scanned_pages: number
  searches: number
  reads: number
  idle_seconds: number
}
export const NOTHING: CapacityLoad = {
  documents: 0,
  text_pages: 0,
  scanned_pages: 0,
  searches: 0,
  reads: 0,
  idle_seconds: 0,
}

export interface CapacityScene {
  say: (line: string) => void
  meter: Meter
  client: Octavo
  /** Differs for each document, so that no text is known already. */
  seed: number
}

export async function measure(scene: CapacityScene, load: CapacityLoad): Promise<MeasuredRun> {
  const { client, meter } = scene
  const files: Buffer[] = []
  for (let i = 0; i < load.documents; i++) files.push(await newFile(scene.seed++, load))
  const before = await meter.read()
  const began = performance.now()
  await Promise.all([
    inParallel(files, (file) => addDocument(client, file, load)),
    inParallel(numbers(load.searches), (i) => client.searches.create({ query: queryOf(i) })),
    inParallel(numbers(load.reads), async () => client.documents.list({ limit: 10 })),
    sleep(load.idle_seconds * 1000),
  ])
  await sleep(QUIET_MS)
  const cost = difference(await meter.read(), before)
  const seconds = (performance.now() - began) / 1000
  scene.say(`${JSON.stringify(load)} in ${round(seconds, 1)} s: ${JSON.stringify(cost)}`)
  const counts = {
    second: seconds,
    document: load.documents,
    text_page: load.documents * load.text_pages,
    ocr_page: load.documents * load.scanned_pages,
    search: load.searches,
    read: load.reads,
  }
  return { counts, cost }
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i)
const wordAt = (i: number): string => WORDS[i % WORDS.length] ?? ''
const queryOf = (i: number): string => `${wordAt(i)} and ${wordAt(i * 7 + 3)} ${i}`

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const rest = [...items]
  const next = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: PARALLEL }, next))
}

function newFile(seed: number, { text_pages, scanned_pages }: CapacityLoad): Promise<Buffer> {
  const pages = text_pages + scanned_pages
  const scanned = new Set(numbers(scanned_pages).map((i) => pages - i))
  return makeBook({ pages, scanned, seed })
}

async function addDocument(client: Octavo, file: Buffer, load: CapacityLoad): Promise<void> {
  const document = { title: 'Capacity', processing: { languages: ['en'] } }
  const blob = new Blob([Uint8Array.from(file)])
  const { status, pages_ready } = await client.documents.createAndWait(blob, { document, timeout_ms: READY_MS })
  if (status !== 'ready' || pages_ready !== load.text_pages + load.scanned_pages)
    throw new Error(`the document is ${status} with ${pages_ready} pages`)
}

const difference = (after: Cost, before: Cost): Cost => ({
  api_cpu_seconds: after.api_cpu_seconds - before.api_cpu_seconds,
  worker_cpu_seconds: after.worker_cpu_seconds - before.worker_cpu_seconds,
  embedding_cpu_seconds: after.embedding_cpu_seconds - before.embedding_cpu_seconds,
  postgres_cpu_seconds: after.postgres_cpu_seconds - before.postgres_cpu_seconds,
  wal_bytes: after.wal_bytes - before.wal_bytes,
  database_bytes: after.database_bytes - before.database_bytes,
  file_bytes: after.file_bytes - before.file_bytes,
  connection_seconds: after.connection_seconds - before.connection_seconds,
  round_trips: after.round_trips - before.round_trips,
})
