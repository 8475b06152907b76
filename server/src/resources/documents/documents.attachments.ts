// Attachments of an email: each becomes a document, if the email's `processing` says so.

import { itemAt } from '@octavo/base/required.ts'
import { type NewDocument, ocrModes } from '@octavo/contract'
import type { OpenReading } from '@octavo/extract/extract.ts'
import { type Attachment, Unreadable } from '@octavo/extract/types.ts'
import type { App } from '../../app.ts'
import type { Run } from '../../jobs/types.ts'
import type { StoredFile } from '../../lib/file-name.ts'
import { storeBytes } from '../files/files.stored.ts'
import { lockLive } from './documents.commit.ts'
import type { Ingestion } from './documents.jobs.ts'
import { filesToAttach, MAX_ATTACHED } from './documents.rules.ts'
import { createDocument } from './documents.service.ts'
import * as store from './documents.store.ts'

/** An email, an email attached to it, and the files attached to that one. */
const MAX_DEPTH = 2
const MAX_NAMES = 20

interface NamedAttachment extends Attachment {
  index: number
}

/** Returns warnings about attachments that did not become documents. */
export async function attachDocuments(
  app: App,
  run: Run<Ingestion>,
  { document, reading }: { document: store.DocumentRow; reading: OpenReading },
): Promise<string[]> {
  const { attachments } = reading
  // A page that is read again changes nothing of this.
  if (attachments.length === 0 || run.payload.pages) return []
  const { depth, root } = await findRoot(run, document)
  if (document.processing?.attachments !== 'documents' || depth >= MAX_DEPTH) return skipped(attachments)
  const attached = new Set<Attachment>()
  for (const index of filesToAttach(attachments, app.config.max_file_bytes)) {
    const attachment = itemAt(attachments, index)
    if (await attach(app, run, { document, reading, root }, { ...attachment, index })) attached.add(attachment)
  }
  return skipped(attachments.filter((attachment) => !attached.has(attachment)))
}

async function findRoot(run: Run<Ingestion>, document: store.DocumentRow): Promise<{ depth: number; root: string }> {
  let [depth, root, parent] = [0, document.id, document.parent_document_id]
  while (parent !== null && depth < MAX_DEPTH) {
    depth++
    root = parent
    parent = (await store.findDocument(run.db, parent))?.parent_document_id ?? null
  }
  return { depth, root }
}

interface Mail {
  document: store.DocumentRow
  reading: OpenReading
  root: string
}

async function attach(app: App, run: Run<Ingestion>, mail: Mail, attachment: NamedAttachment): Promise<boolean> {
  const { index } = attachment
  const file = await run.step(`attachment ${index}`, () => storeAttachment(app, run, mail.reading, attachment))
  if (file === null) return false
  return run.write(`document of attachment ${index}`, async (tx) => {
    const children = await store.listAttached(tx, [mail.root])
    const count = children.length + (await store.listAttached(tx, children)).length
    if (count >= MAX_ATTACHED) return false
    const input = inputFor(mail.document, file)
    await createDocument(app, tx, input, { file, parent_document_id: mail.document.id, ignoresQueueLimit: true })
    await lockLive(tx, mail.document.id)
    return true
  })
}

/** Bytes that no document uses are removed by the sweeper. */
async function storeAttachment(
  app: App,
  run: Run<Ingestion>,
  reading: OpenReading,
  { index, file_name }: NamedAttachment,
): Promise<StoredFile | null> {
  try {
    const bytes = Buffer.from(await reading.attachment(index))
    return await storeBytes(app, run.tenant, bytes, { file_name, media_type: 'application/octet-stream' })
  } catch (error) {
    if (error instanceof Unreadable) return null
    throw error
  }
}

/** The settings of the email. */
function inputFor({ project_id, processing, expires_at }: store.DocumentRow, { file_name }: StoredFile): NewDocument {
  const { reader, languages } = processing ?? {}
  const ocr = ocrModes.find((mode) => mode === processing?.ocr)
  return {
    title: file_name,
    project_id,
    expires_at,
    processing: {
      attachments: 'documents',
      ...(reader !== undefined && { reader }),
      ...(ocr !== undefined && { ocr }),
      ...(languages !== undefined && { languages }),
    },
  }
}

function skipped(attachments: readonly Attachment[]): string[] {
  if (attachments.length === 0) return []
  const names = attachments
    .slice(0, MAX_NAMES)
    .map(({ file_name }) => (file_name || 'an unnamed attachment').slice(0, 30))
  const more = attachments.length > MAX_NAMES ? ` and ${attachments.length - MAX_NAMES} more` : ''
  return [`Attachments were not read: ${names.join(', ')}${more}. Upload these files separately.`]
}
