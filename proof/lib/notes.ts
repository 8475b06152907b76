// A file to which planted lines log the worker's actions.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export async function openNotes(): Promise<{ notes: string; removeNotes: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'octavo-notes-'))
  const notes = join(folder, 'notes')
  await writeFile(notes, '')
  return { notes, removeNotes: () => rm(folder, { recursive: true, force: true }) }
}
