import { change } from '../lib/change.ts'
import type { Proof } from '../lib/proof.ts'

/** Those that only show themselves while someone searches. */
const hidden: Proof['faults'] = {
  blind_search: {
    what: 'searches also find what is deleted and not purged yet',
    plants: [
      change('searches.similarity.store.ts', 'd.id = r.document_id and d.deleted_at is null', 'd.id = r.document_id'),
      change('READ', 'd.id = c.document_id and d.deleted_at is null', 'd.id = c.document_id'),
      change('LOCK_EXISTING', 'and deleted_at is null order by id for share', 'order by id for share'),
    ],
  },
  late_searches: {
    what: 'a search that ends after the deletion of what it has found is stored with it',
    plants: [change('LOCK_EXISTING', 'and deleted_at is null order by id for share', 'order by id')],
  },
}
export const isHidden = (fault: string): boolean => fault in hidden

export const faults: Proof['faults'] = {
  blind_files: {
    what: 'files and signed links do not look at the document',
    plants: [change('files.store.ts', 'and d.deleted_at is null)', ')')],
  },
  blind_chunks: {
    what: 'the list of chunks does not look at the document',
    plants: [change('chunkRoutes', 'await readDocument(db, params.document_id)', 'void readDocument')],
  },
  lasting_upload: {
    what: 'the upload of a deleted document stays',
    plants: [change('deleteLocked', '  forgetUpload(tx, id)\n', '')],
  },
  forgotten_images: {
    what: 'the purge removes the original and forgets the pictures of pages',
    plants: [
      change(
        'removeBytes',
        'for (const { object_id } of files) await',
        'for (const { object_id } of files.slice(0, 1)) await',
      ),
    ],
  },
  forgotten_payloads: {
    what: 'the purge forgets what jobs were given to read',
    plants: [change('purgeDocument', 'app.jobs.forgetPayloads(tx, document_id)', 'void app')],
  },
  lasting_outcomes: {
    what: 'what was made of a deleted document stays',
    plants: [change('deleteLocked', '  forgetOutcomes(tx, id)\n', '')],
  },
  ...hidden,
}
