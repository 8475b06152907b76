// Opens a document's file for reading: in the sandboxed child, or through Tika if the child does not know the format.

import { Readable } from 'node:stream'
import type { OpenReading } from '@octavo/extract/extract.ts'
import { Unreadable } from '@octavo/extract/types.ts'
import type { Needs } from '../../app.ts'
import { JobFailure, type Run } from '../../jobs/types.ts'
import { type PageReader, ReaderUnavailable } from '../../readers/reader.ts'
import { listLocalOnly } from '../projects/projects.service.ts'

interface FileToOpen {
  media_type: string
  file_name: string
  size_bytes: number
  password: string | null
  /** From the beginning, as often as it is called. */
  open: () => Promise<Readable>
}

export interface OpenedDocument {
  reading: OpenReading
  /** The reader of a format that only it can open; null: the document's own. */
  reader: PageReader | null
}

export async function openFileForReading(
  app: Needs<'extract' | 'readers'>,
  run: Pick<Run<object>, 'db' | 'signal'>,
  { open, ...claims }: FileToOpen,
  project_id: string | null,
): Promise<OpenedDocument> {
  const { signal } = run
  try {
    return { reading: await app.extract.open(open, { ...claims, signal }), reader: null }
  } catch (error) {
    if (!(error instanceof Unreadable) || error.code !== 'unsupported_format') throw error
    const { converter } = app.readers
    const is_private = converter !== null && (await listLocalOnly(run.db, [project_id])).length > 0
    if (!converter || is_private) throw error
    const converted = await converter.convert({ open, size_bytes: claims.size_bytes, signal }).catch(asJobFailure)
    if (!converted) throw error
    const { html, media_type } = converted
    const reading = await app.extract.open(async () => Readable.from([html]), {
      media_type: 'text/html',
      file_name: null,
      size_bytes: html.length,
      signal,
    })
    return { reading: { ...reading, media_type }, reader: converter }
  }
}

function asJobFailure(error: unknown): never {
  if (error instanceof ReaderUnavailable)
    throw new JobFailure('model_unavailable', error.message, { is_final: false, cause: error })
  throw error
}
