// The worker is killed with -9, or paused until another worker owns its job, in the middle of a book.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Book } from '../lib/book.ts'
import { childrenOf, isAlive } from '../lib/processes.ts'
import type { Part } from '../lib/proof.ts'
import {
  beginReading,
  judgeRest,
  listRows,
  partOf,
  type ReadingResumeMeasurement,
  type ReadingResumeRow,
  type ReadingResumeScene,
  readNotes,
  waitForPage,
} from './scene.ts'
import { judgeWhole } from './verdict.ts'

/** A child ends with its parent, but not at the same instant. */
const ORPHAN_MS = 3_000
const FREEZE_MS = 20_000
const AFTER_MS = 4_000

/** A book, and the pages at which its worker is lost. */
export async function killAt(scene: ReadingResumeScene, book: Book, pages: readonly number[]): Promise<Part> {
  const reading = await beginReading(scene, book)
  const findings: string[] = []
  const losses: { rows: ReadonlyMap<number, ReadingResumeRow>; note: number }[] = []
  for (const page of pages) {
    const pid = await waitForPage(scene, reading, page)
    const children = childrenOf(pid)
    await killWorker(scene, pid)
    losses.push({ note: readNotes(scene).length, rows: await listRows(scene, reading) })
    scene.workers.push(await startNoting(scene))
    await sleep(ORPHAN_MS)
    const orphans = children.filter(isAlive)
    if (orphans.length > 0) findings.push(`${orphans.length} of ${children.length} children outlived their worker`)
  }
  await scene.key.client().jobs.wait(reading.job_id)
  for (const { rows, note } of losses) findings.push(...(await judgeRest(scene, reading, rows, note)))
  findings.push(...(await judgeWhole(scene, reading, pages.length + 1)))
  const at = losses.map(({ rows }, i) => `${pages[i]} (${rows.size} committed)`).join(', ')
  const what = `${book.pages} pages${book.scanned ? `, ${book.scanned.size} of them scanned` : ''}, worker killed at page ${at}`
  return partOf(what, 'ready, no committed page read again', findings)
}

export const startNoting = ({ world, notes }: Pick<ReadingResumeScene, 'world' | 'notes'>) =>
  world.startWorker(notes.env)

async function killWorker(scene: ReadingResumeScene, pid: number): Promise<void> {
  const worker = scene.workers.find((one) => one.pid === pid)!
  await worker.kill()
  scene.workers = scene.workers.filter((one) => one !== worker)
}

/** The paused worker resumes with pages that another one has already committed. */
export async function freezeAt(scene: ReadingResumeScene, book: Book, page: number): Promise<Part> {
  const reading: ReadingResumeMeasurement = await beginReading(scene, book)
  const pid = await waitForPage(scene, reading, page)
  const sleeper = scene.workers.find((one) => one.pid === pid)!
  sleeper.process.kill('SIGSTOP')
  const rows = await listRows(scene, reading)
  const note = readNotes(scene).length
  await sleep(FREEZE_MS)
  await waitForHeir(scene, pid, note)
  sleeper.process.kill('SIGCONT')
  await scene.key.client().jobs.wait(reading.job_id)
  await sleep(AFTER_MS)
  const findings = [...(await judgeRest(scene, reading, rows, note)), ...(await judgeWhole(scene, reading, 2))]
  return partOf(`a worker that stood still at page ${page} of ${book.pages} and woke`, 'changed nothing', findings)
}

async function waitForHeir(scene: ReadingResumeScene, pid: number, note: number): Promise<void> {
  for (const deadline = Date.now() + 240_000; Date.now() < deadline; await sleep(50)) {
    const others = readNotes(scene)
      .slice(note)
      .filter((one) => one.pid !== pid)
    // So many that what the sleeper has in hand is committed.
    if (others.length > 110) return
  }
  throw new Error('no worker resumed the ingestion')
}
