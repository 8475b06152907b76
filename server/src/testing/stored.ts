// A file that the database knows, with its bytes or without.

import { Readable } from 'node:stream'
import type { App } from '../app.ts'
import { newUuid, toId, uuidOf } from '../lib/ids.ts'
import { change } from './jobs.ts'

/** The id of its document. */
export async function insertFile(app: App, tenant: string, bytes: string | null): Promise<string> {
  const [document, file, object] = [newUuid(), newUuid(), newUuid()]
  if (bytes !== null)
    await app.files.put(`${uuidOf('ten', tenant)}/${object}`, Readable.from([Buffer.from(bytes)]), {
      media_type: 'text/plain',
    })
  await change(
    app,
    tenant,
    `with made as (insert into documents (tenant_id, id, title, status, page_count, pages_ready, pages_failed, created_at, updated_at)
      values ($1, $3, 'Lease', 'ready', 1, 1, 0, now(), now()))
    insert into files (tenant_id, id, document_id, kind, object_id, file_name, media_type, size_bytes, created_at, updated_at)
    values ($1, $4, $3, 'original', $5, 'a.txt', 'text/plain', 5, now(), now())`,
    [document, file, object],
  )
  return toId('doc', document)
}
