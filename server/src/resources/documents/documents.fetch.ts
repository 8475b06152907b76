// Fetches a source that is given by URL. It is fetched once and stored; from then on it is a file like any other.

import type { App } from '../../app.ts'
import { EgressFailed, EgressRefused } from '../../egress/errors.ts'
import { objectKey } from '../../files/keys.ts'
import { JobFailure, type Run } from '../../jobs/types.ts'
import type { StoredFile } from '../../lib/file-name.ts'
import { storedFileName } from '../../lib/file-name.ts'
import { newId, newUuid } from '../../lib/ids.ts'
import { mediaTypeOf } from '../../lib/media-type.ts'
import { measured } from '../../lib/streams.ts'
import { createFile, removeLoose } from '../files/files.service.ts'
import { lockLive } from './documents.commit.ts'
import type { Ingestion } from './documents.jobs.ts'
import * as store from './documents.store.ts'

const FETCH_MS = 120_000

export async function fetchSource(app: App, run: Run<Ingestion>, url: string): Promise<void> {
  const fetched = await run.step('fetch', (signal) => fetchFile(app, run, url, signal))
  try {
    await run.write('file', async (tx) => {
      const document = await lockLive(tx, run.job.subject.id)
      const file_id = newId('file')
      createFile(tx, document, { ...fetched, id: file_id, kind: 'original' })
      const { media_type, size_bytes, sha256 } = fetched
      store.describeDocument(tx, document.id, { file_id, media_type, size_bytes, sha256, page_count: 0, warnings: [] })
      return null
    })
  } catch (error) {
    await forget(app, run, fetched).catch(() => {})
    throw error
  }
}

/** A later attempt needs the bytes, so they are removed only when the document is gone. */
async function forget(app: App, run: Run<Ingestion>, { object_id }: StoredFile): Promise<void> {
  if (!(await store.findDocument(run.db, run.job.subject.id))) await removeLoose(app, run.db, [object_id])
}

async function fetchFile(app: App, run: Run<Ingestion>, url: string, signal: AbortSignal): Promise<StoredFile> {
  run.progress({ unit: 'pages', completed: 0, failed: 0, total: null }, 'fetching')
  try {
    const { status, headers, body } = await app.egress(url, {
      max_bytes: app.config.max_file_bytes,
      total_ms: FETCH_MS,
      signal,
    })
    if (status !== 200) {
      body.destroy()
      throw new JobFailure(
        'source_unavailable',
        `The URL returned status ${status} instead of the file. Check the URL and run the job again.`,
      )
    }
    const file = measured(body)
    const object_id = newUuid()
    const media_type = mediaTypeOf(String(headers['content-type'] ?? ''))
    const size_bytes = await app.files.put(objectKey(run.tenant, object_id), file.bytes, { media_type, signal })
    if (size_bytes === 0) {
      await app.files.remove(objectKey(run.tenant, object_id))
      throw new JobFailure('document_empty', 'The URL returned an empty file.')
    }
    const name = storedFileName(decoded(new URL(url).pathname))
    return { object_id, file_name: name, media_type, size_bytes, sha256: file.read().sha256 }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof EgressRefused) throw new JobFailure('source_unavailable', error.message, { cause: error })
    if (error instanceof EgressFailed)
      throw new JobFailure('source_unavailable', error.message, { is_final: false, cause: error })
    throw error
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
