// A file to which planted lines log the worker's actions.

import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Notes extends AsyncDisposable {
  /** For the environment of a worker. */
  env: { PROOF_NOTES: string }
  /** Lines so far. */
  read(): string[]
}

export async function openNotes(): Promise<Notes> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-notes-'))
  const file = join(folder, 'notes')
  await writeFile(file, '')
  return {
    env: { PROOF_NOTES: file },
    read: () => readFileSync(file, 'utf8').split('\n').slice(0, -1),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** A statement that adds a line, an expression of the server's code, to the notes. */
export const noting = (line: string): string =>
  `process.getBuiltinModule('node:fs').appendFileSync(process.env.PROOF_NOTES, ${line} + '\\n')`
