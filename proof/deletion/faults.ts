import type { Proof } from '../lib/proof.ts'

const FILES = 'server/src/resources/files/files.store.ts'
const FILES_SERVICE = 'server/src/resources/files/files.service.ts'
const PURGE = 'server/src/resources/documents/documents.purge.ts'
const RETRIEVAL = 'server/src/resources/searches/searches.retrieve.store.ts'
const OUTCOMES = 'server/src/outcomes/outcomes.store.ts'

/** Those that only show themselves while somebody searches. */
const hidden: Proof['faults'] = {
  blind_search: {
    what: 'searches also find what is deleted and not purged yet',
    plants: [
      { file: RETRIEVAL, find: 'd.id = r.document_id and d.deleted_at is null', replace: 'd.id = r.document_id' },
      { file: RETRIEVAL, find: 'd.id = c.document_id and d.deleted_at is null', replace: 'd.id = c.document_id' },
      { file: OUTCOMES, find: 'and deleted_at is null order by id for share', replace: 'order by id for share' },
    ],
  },
  late_searches: {
    what: 'a search that ends after the deletion of what it has found is stored with it',
    plants: [{ file: OUTCOMES, find: 'and deleted_at is null order by id for share', replace: 'order by id' }],
  },
}
export const isHidden = (fault: string): boolean => fault in hidden

export const faults: Proof['faults'] = {
  blind_files: {
    what: 'files and signed links do not look at the document',
    plants: [{ file: FILES, find: 'and d.deleted_at is null)', replace: ')' }],
  },
  blind_chunks: {
    what: 'the list of chunks does not look at the document',
    plants: [
      {
        file: 'server/src/resources/chunks/chunks.routes.ts',
        find: 'await readDocument(db, params.document_id)',
        replace: 'void readDocument',
      },
    ],
  },
  lasting_upload: {
    what: 'the upload of a deleted document stays',
    plants: [
      { file: 'server/src/resources/documents/documents.service.ts', find: '  forgetUpload(tx, id)\n', replace: '' },
    ],
  },
  forgotten_images: {
    what: 'the purge removes the original and forgets the pictures of pages',
    plants: [
      {
        file: FILES_SERVICE,
        find: 'for (const { object_id } of files) await',
        replace: 'for (const { object_id } of files.slice(0, 1)) await',
      },
    ],
  },
  forgotten_payloads: {
    what: 'the purge forgets what jobs were given to read',
    plants: [{ file: PURGE, find: 'app.jobs.forgetPayloads(tx, document_id)', replace: 'void app' }],
  },
  lasting_outcomes: {
    what: 'what was made of a deleted document stays',
    plants: [
      { file: 'server/src/resources/documents/documents.service.ts', find: '  forgetOutcomes(tx, id)\n', replace: '' },
    ],
  },
  ...hidden,
}
