// A folder of mixed files is added at a terminal: it can be seen how far it is, and what was wrong with the two that are broken.

import { rmSync } from 'node:fs'
import type { Octavo } from '@octavo/sdk'
import { faults } from './cli-add/faults.ts'
import { BROKEN, COUNT, makeFiles } from './cli-add/files.ts'
import { findWrongEnd, findWrongProgress } from './cli-add/judge.ts'
import { type Film, record } from './cli-add/screen.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'
import { openWorld, type World } from './lib/world.ts'

const WIDTHS = [80, 120] as const

export const proof: Proof = {
  promise: '`octavo documents add` shows progress, explains unreadable files and reports failures in its exit code.',
  goal: `${COUNT} files of mixed kinds, ${BROKEN.length} of them broken, in a terminal of ${WIDTHS.join(' and ')} columns: progress drawn in place and within the width, ${COUNT - BROKEN.length} ready, each broken file explained with a fix, exit code 1`,
  faults,
  run: prove,
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  const files = await makeFiles(run.say)
  const world = await openWorld([], { OCTAVO_MODELS_DIR: process.env.OCTAVO_MODELS_DIR ?? '' })
  const told: string[] = []
  let is_met = true
  try {
    const { url } = await world.startApi()
    await world.startWorker()
    for (const columns of run.length === 'short' || run.fault !== null ? [WIDTHS[0]] : WIDTHS) {
      const { wrong, ready, film } = await proveAt(world, { run, columns, folder: files.folder, url })
      told.push(
        `${columns} columns: ${ready} of ${COUNT} ready, ${film.frames.length} pictures, exit ${film.exit}, ${wrong.length} wrong${wrong.map((one) => `; ${one}`).join('')}`,
      )
      if (wrong.length > 0) is_met = false
    }
  } finally {
    await world.close()
    rmSync(files.folder, { recursive: true, force: true })
  }
  return { figure: told.join('. '), is_met }
}

interface CliAddScene {
  run: ProofRun
  columns: number
  folder: string
  url: string
}

async function proveAt(
  world: World,
  { run, columns, folder, url }: CliAddScene,
): Promise<{ wrong: string[]; ready: number; film: Film }> {
  const { key } = await world.newTenant()
  const film = await record({
    columns,
    folder,
    plants: run.plants,
    env: { OCTAVO_URL: url, OCTAVO_API_KEY: key.secret },
  })
  const middle = film.frames[Math.floor(film.frames.length / 3)] ?? []
  run.say(`--- at ${columns} columns, on the way\n${middle.join('\n')}\n--- at the end\n${film.end.join('\n')}`)
  const { ready, wrong } = await findWrongDocuments(key.client())
  return { wrong: [...findWrongProgress(film, columns), ...findWrongEnd(film, columns), ...wrong], ready, film }
}

/** Checks the documents on the server, independent of the terminal output. */
async function findWrongDocuments(client: Octavo): Promise<{ ready: number; wrong: string[] }> {
  const wrong: string[] = []
  let ready = 0
  for await (const { title, status } of client.documents.list({ limit: 100 })) {
    const is_broken = BROKEN.some(({ name }) => name === title)
    if (status === 'ready') ready++
    if ((status === 'ready') === is_broken) wrong.push(`${title} is ${status}`)
  }
  if (ready !== COUNT - BROKEN.length) wrong.push(`${ready} documents are ready`)
  return { ready, wrong }
}
