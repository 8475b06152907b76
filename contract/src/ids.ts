// Which prefix an id has. Ids are TypeIDs outside (`doc_01h455vb4pex5vsknk084sn02q`) and uuids in the database.

export const prefixes = [
  'ten',
  'key',
  'proj',
  'doc',
  'page',
  'chk',
  'file',
  'upl',
  'ana',
  'sum',
  'cls',
  'emb',
  'srch',
  'ans',
  'rep',
  'job',
  'evt',
  'req',
] as const
export type Prefix = (typeof prefixes)[number]
export type Id<P extends Prefix = Prefix> = `${P}_${string}`

/** The prefix behind each member, path parameter and column that holds an id. */
export const idMembers = {
  tenant_id: 'ten',
  key_id: 'key',
  project_id: 'proj',
  document_id: 'doc',
  page_id: 'page',
  chunk_id: 'chk',
  file_id: 'file',
  image_file_id: 'file',
  upload_id: 'upl',
  analysis_id: 'ana',
  summary_id: 'sum',
  classification_id: 'cls',
  embedding_id: 'emb',
  search_id: 'srch',
  answer_id: 'ans',
  report_id: 'rep',
  job_id: 'job',
  parent_job_id: 'job',
  latest_job_id: 'job',
  event_id: 'evt',
  request_id: 'req',
  created_by: 'key',
} as const satisfies Record<string, Prefix>
export type IdMember = keyof typeof idMembers

/** The prefix of the object with this `object` member. */
export const objectPrefixes = {
  api_key: 'key',
  project: 'proj',
  document: 'doc',
  page: 'page',
  upload: 'upl',
  analysis: 'ana',
  summary: 'sum',
  classification: 'cls',
  embedding: 'emb',
  search: 'srch',
  answer: 'ans',
  report: 'rep',
  job: 'job',
  event: 'evt',
} as const satisfies Record<string, Prefix>
export type ObjectName = keyof typeof objectPrefixes
