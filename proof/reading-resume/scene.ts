// Shared by the parts of the proof: books that workers ingest, and a log of every page requested from a child.

import { setTimeout as sleep } from 'node:timers/promises'
import { findUuid } from '../../server/src/lib/ids.ts'
import { asAdmin } from '../lib/admin.ts'
import { type Book, makeBook } from '../lib/book.ts'
import { change } from '../lib/change.ts'
import { type Notes, noting } from '../lib/notes.ts'
import type { Part, Plant, ProofRun } from '../lib/proof.ts'
import type { Random } from '../lib/random.ts'
import type { ServerProcess, World, WorldKey } from '../lib/world.ts'

export interface ReadingResumeScene {
  run: ProofRun
  world: World
  key: WorldKey
  random: Random
  /** Those that run now. */
  workers: ServerProcess[]
  notes: Notes
}

/** `well`: what can be said when nothing was found. */
export const partOf = (what: string, well: string, findings: string[]): Part => ({
  figure: `${what}: ${findings.length > 0 ? `${findings.length} findings` : well}`,
  findings,
})

const ASKED = 'const parser = this.#parser ?? (await this.#restart())'
/** Not a fault: each page that a child is asked for leaves a line, which a kill cannot take back. */
export const NOTING: Plant = change('askFor', ASKED, `${noting('`${process.pid} ${ask.do} ${number}`')}\n    ${ASKED}`)

interface ReadingResumeNote {
  pid: number
  what: 'page' | 'image'
  page: number
}

export function readNotes({ notes }: ReadingResumeScene): ReadingResumeNote[] {
  return notes.read().map((line) => {
    const [pid, what, page] = line.split(' ')
    return { pid: Number(pid), what: what as ReadingResumeNote['what'], page: Number(page) }
  })
}

export interface ReadingResumeMeasurement {
  book: Book
  document_id: string
  job_id: string
  /** How many notes there were before it. */
  first_note: number
}

export async function beginReading(scene: ReadingResumeScene, book: Book): Promise<ReadingResumeMeasurement> {
  const file = new Blob([Uint8Array.from(await makeBook(book))])
  const first_note = readNotes(scene).length
  const document = { title: 'Book', processing: { languages: ['en'] } }
  const { id, latest_job_id } = await scene.key.client().documents.createFromFile(file, document)
  return { book, document_id: id, job_id: latest_job_id!, first_note }
}

/** Without a single page: a busy machine is slow, but not silent. */
const PATIENCE_MS = 240_000

/** Waits until a worker that runs asks for the page or a later one; says which. */
export async function waitForPage(
  scene: ReadingResumeScene,
  { first_note }: ReadingResumeMeasurement,
  page: number,
): Promise<number> {
  let [count, heard_at] = [0, Date.now()]
  for (; Date.now() < heard_at + PATIENCE_MS; await sleep(10)) {
    const notes = readNotes(scene)
    const last = notes.slice(first_note).at(-1)
    if (last && last.page >= page && scene.workers.some(({ pid }) => pid === last.pid)) return last.pid
    if (notes.length > count) [count, heard_at] = [notes.length, Date.now()]
  }
  throw new Error(`page ${page} was not reached`)
}

export interface ReadingResumeRow {
  id: string
  number: number
  version: number
}

/** The pages that are there now, by their number. */
export async function listRows(
  { world }: ReadingResumeScene,
  { document_id }: ReadingResumeMeasurement,
): Promise<Map<number, ReadingResumeRow>> {
  const { rows } = await asAdmin(world.database.name, (client) =>
    client.query<ReadingResumeRow>(
      'select id, number::int, version::int from pages where document_id = $1 order by number',
      [findUuid('doc', document_id)],
    ),
  )
  return new Map(rows.map((row) => [row.number, row]))
}

/** Maximum work in progress: a part being written, one being filled, and two pages read ahead. */
const MAX_IN_HAND = 102

/** Problems after an interruption: pages that were committed before it must not change again. */
export async function judgeRest(
  scene: ReadingResumeScene,
  reading: ReadingResumeMeasurement,
  before: ReadonlyMap<number, ReadingResumeRow>,
  note: number,
): Promise<string[]> {
  const all = readNotes(scene)
  const later = all.slice(note).filter(({ what }) => what === 'page')
  const again = later.filter(({ page }) => before.has(page))
  const now = await listRows(scene, reading)
  const touched = [...before.values()].filter(
    ({ id, number, version }) => now.get(number)?.id !== id || now.get(number)?.version !== version,
  )
  const earlier = new Set(all.slice(reading.first_note, note).map(({ page }) => page))
  const in_hand = [...earlier].filter((page) => !before.has(page)).length
  return [
    ...(again.length > 0 ? [`${again.length} committed pages were read again, first ${again[0]!.page}`] : []),
    ...(touched.length > 0
      ? [`${touched.length} committed pages were changed or lost, first ${touched[0]!.number}`]
      : []),
    ...(in_hand > MAX_IN_HAND ? [`${in_hand} pages had been read and not committed`] : []),
  ]
}
