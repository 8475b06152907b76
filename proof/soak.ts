// A worker that has read many documents is as large as one that has read a few, and keeps no children.

import { setTimeout as sleep } from 'node:timers/promises'
import { makeBook } from './lib/book.ts'
import { change } from './lib/change.ts'
import { childrenOf, residentOf } from './lib/processes.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'
import { round } from './lib/proof.ts'
import { openWorld } from './lib/world.ts'

const GOAL = 1.2
const SIZES = {
  short: { documents: 8, pages: 50 },
  normal: { documents: 24, pages: 200 },
  long: { documents: 100, pages: 200 },
}
/** By then, a worker has loaded and compiled all the code that it keeps. */
const WARM = 3
/** Rendered, recognized and stored as an image. */
const SCANNED = new Set([7])
const LOOKS = 5
const LOOK_MS = 300
const SETTLE_MS = 1_500

export const proof: Proof = {
  promise: "A worker's memory does not grow with the number of documents.",
  goal: '24 documents of 200 pages, one after the other, through one worker: resident memory at the end <= 1.2 of that after the third; not more children than then',
  faults: {
    something_kept: {
      what: 'something of each document stays in memory, of 64 MiB',
      plants: [
        change(
          'path',
          'private path: Heading[] = []',
          'private path: Heading[] = []\n  readonly kept = ((globalThis as unknown as { kept?: Buffer[] }).kept ??= []).push(Buffer.alloc(2 ** 26, 1))',
        ),
      ],
    },
    children_left: {
      what: 'the child that has read a document is not ended',
      plants: [
        change('drop', "this.#parser?.kill('closed')", ''),
        change('close', 'await parser?.gone()', 'void parser'),
      ],
    },
  },
  run: prove,
}

interface Sample {
  resident_mb: number
  children: number
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  const { documents, pages } = SIZES[run.length]
  await using world = await openWorld(run.plants, { RATE_LIMITS: 'off', WORKER_SLOTS: '1' })
  await world.startApi()
  const { pid } = await world.startWorker()
  const { key } = await world.newTenant()
  const samples: Sample[] = []
  for (let number = 1; number <= documents; number++) {
    const file = new Blob([Uint8Array.from(await makeBook({ pages, seed: number, scanned: SCANNED }))])
    const document = { title: `Book ${number}`, processing: { languages: ['en'] } }
    const read = await key.client().documents.createAndWait(file, { document })
    // OCR may take too long on a busy machine; that is another promise.
    if (read.pages_ready < pages - SCANNED.size)
      throw new Error(`book ${number} is ${read.status}: ${read.error?.message}`)
    samples.push(await sampleOf(pid))
    // A fault is seen soon, and memory that it takes is missing elsewhere.
    if (run.fault !== null && number > WARM && !judge(samples).is_met) break
  }
  run.say(`MiB after each document: ${samples.map(({ resident_mb }) => round(resident_mb, 0)).join(' ')}`)
  run.say(`children: ${samples.map(({ children }) => children).join(' ')}`)
  return judge(samples)
}

/** When it has come to rest; the smallest of a few looks, since garbage is not growth. */
async function sampleOf(pid: number): Promise<Sample> {
  await sleep(SETTLE_MS)
  const looks: Sample[] = []
  for (let i = 0; i < LOOKS; i++) {
    looks.push({ resident_mb: residentOf(pid), children: childrenOf(pid).length })
    await sleep(LOOK_MS)
  }
  return {
    resident_mb: Math.min(...looks.map((look) => look.resident_mb)),
    children: Math.min(...looks.map((look) => look.children)),
  }
}

function judge(samples: readonly Sample[]): ProofOutcome {
  const [third, last] = [samples[WARM - 1]!, samples.at(-1)!]
  const ratio = round(last.resident_mb / third.resident_mb)
  const figure =
    `${ratio} (${round(third.resident_mb, 0)} MiB after ${WARM} documents, ${round(last.resident_mb, 0)} MiB after ${samples.length}); ` +
    `children ${third.children} and ${last.children}`
  return { figure, is_met: ratio <= GOAL && last.children <= third.children }
}
