// Document creation from every source, duplicates, an upload from its signed URL to its document, and reading a page
// again.

import { createHash } from 'node:crypto'
import { api } from '@octavo/contract'
import { exampleOf, FILE, FILE_SOURCE, findEndpoint, place } from './fixtures.ts'
import type { ContractAnswer, ContractJson } from './http.ts'
import type { ContractStage } from './stage.ts'

const detailOf = ({ body }: ContractAnswer): ContractJson => ((body.details ?? []) as ContractJson[])[0] ?? {}

export async function takeSources(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const make = async (source: ContractJson, more: ContractJson = {}): Promise<ContractAnswer> =>
    stage.send(endpoint, { body: { ...(await exampleOf(stage, endpoint)), source, ...more } })
  for (const source of [{ type: 'text', text: 'One\fTwo' }, { type: 'pages', pages: [{ text: 'One' }] }, FILE_SOURCE]) {
    const answer = await make(source)
    stage.expect(`a source of type ${source.type}`, answer, endpoint.status)
    stage.check(
      `${source.type} was read`,
      answer.body.status === 'ready' && Number(answer.body.pages_ready) > 0,
      answer.body,
    )
  }
  const empty = await stage.send(endpoint, { body: { title: 'Empty' }, events: ['document.created'] })
  stage.check(
    'without a source it is empty and ready',
    empty.body.status === 'ready' && empty.body.source === null,
    empty.body,
  )
  const refusals: [source: ContractJson, field: string, code: string][] = [
    [{ ...FILE_SOURCE, data: '' }, 'source.data', 'too_short'],
    [{ ...FILE_SOURCE, data: 'a b' }, 'source.data', 'invalid_format'],
    [{ ...FILE_SOURCE, media_type: 'text' }, 'source.media_type', 'invalid_format'],
    [{ type: 'url', url: 'http://example.com/lease.pdf' }, 'source.url', 'invalid_format'],
    [{ type: 'url', url: 'https://name:word@example.com/' }, 'source.url', 'invalid_format'],
    [{ type: 'url', url: 'nonsense' }, 'source.url', 'invalid_format'],
    [{ type: 'upload', upload_id: 'upl_01h455vb4pex5vsknk084sn02q' }, 'source.upload_id', 'reference_not_found'],
    [{ type: 'upload', upload_id: 'nonsense' }, 'source.upload_id', 'reference_not_found'],
  ]
  for (const [source, field, code] of refusals) {
    const answer = await make(source)
    stage.refused(JSON.stringify(source), answer, 'validation_error')
    stage.check(
      `${field} is said to be ${code}`,
      detailOf(answer).field === field && detailOf(answer).code === code,
      answer.body,
    )
  }
  await knowDuplicates(stage)
}

async function knowDuplicates(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const data = Buffer.from(`Only here: ${crypto.randomUUID()}`).toString('base64')
  const body = async (on_duplicate: string): Promise<ContractJson> => ({
    ...(await exampleOf(stage, endpoint)),
    source: { ...FILE_SOURCE, data },
    on_duplicate,
  })
  const first = await stage.send(endpoint, { body: await body('reject') })
  stage.expect('the first of its bytes', first, endpoint.status)
  const rejected = await stage.send(endpoint, { body: await body('reject') })
  stage.refused('the same bytes, on_duplicate: reject', rejected, 'conflict')
  stage.check('it names the first', detailOf(rejected).id === first.body.id, rejected.body)
  const same = await stage.send(endpoint, { body: await body('return_existing'), is_unchanged: true })
  stage.check('return_existing gives the first', same.status === 200 && same.body.id === first.body.id, same.body)
  stage.check('which is at no new place', same.headers.location === undefined, same.headers)
  const other = await stage.send(endpoint, { body: await body('allow') })
  stage.check('allow makes another', other.status === 201 && other.body.id !== first.body.id, other.body)
  const theirs = await stage.send(endpoint, {
    body: {
      ...(await exampleOf(stage, endpoint, stage.stranger)),
      source: { ...FILE_SOURCE, data },
      on_duplicate: 'reject',
    },
    as: stage.stranger,
  })
  stage.expect("another tenant's bytes are no duplicate", theirs, endpoint.status)
}

/** The bytes go to the signed URL without a token; a document can be created from them once. */
export async function takeUploads(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const sha256 = createHash('sha256').update(FILE).digest('hex')
  const begin = async (more: ContractJson = {}): Promise<ContractJson> => {
    const body = {
      ...(await exampleOf(stage, api.uploads.create)),
      file_name: 'lease.txt',
      media_type: 'text/plain',
      size_bytes: FILE.length,
      ...more,
    }
    return (await stage.send(api.uploads.create, { body })).body
  }
  const use = async (upload: ContractJson, more: ContractJson = {}): Promise<ContractAnswer> => {
    const source = { type: 'upload', upload_id: upload.id }
    const body = { ...(await exampleOf(stage, endpoint)), source, ...more }
    return stage.send(endpoint, { body, events: [...endpoint.events, 'upload.completed'] })
  }
  const put = (upload: ContractJson, body: Buffer | string = FILE): Promise<ContractAnswer> => {
    const { url, headers } = upload.put as { url: string; headers: Record<string, string> }
    return stage.send(endpoint, { as: null, method: 'PUT', path: url.slice(stage.url.length), body, headers })
  }
  const upload = await begin({ sha256 })
  const params = { upload_id: String(upload.id) }
  const shown = await stage.send(api.uploads.get, { params })
  stage.check(
    'GET shows the address',
    (shown.body.put as ContractJson | null)?.url !== undefined && shown.body.status === 'pending',
    shown.body,
  )
  stage.refused('an upload without its bytes', await use(upload), 'invalid_state')
  for (const body of [FILE.subarray(1), Buffer.concat([FILE, FILE])])
    stage.refused('bytes of another length', await put(upload, body), 'invalid_request')
  stage.refused(
    'GET of the address of a PUT',
    await stage.send(endpoint, { as: null, method: 'GET', path: uploadPath(stage, upload) }),
    'not_found',
  )
  stage.refused('still without its bytes', await use(upload), 'invalid_state')
  stage.expect('PUT of the bytes', await put(upload), 200)
  stage.expect('PUT of the bytes again', await put(upload), 200)
  const made = await use(upload)
  stage.expect('a document of an upload', made, endpoint.status)
  stage.check('it was read', made.body.status === 'ready' && made.body.sha256 === sha256, made.body)
  stage.refused('the upload once more', await use(upload), 'invalid_state')
  const after = await stage.send(api.uploads.get, { params })
  const is_told =
    after.body.status === 'completed' && after.body.document_id === made.body.id && after.body.put === null
  stage.check('the upload is completed and takes nothing more', is_told, after.body)
  stage.refused('PUT after the document', await put(upload), 'not_found')
  stage.refused('DELETE of a used upload', await stage.send(api.uploads.remove, { params }), 'invalid_state')
  await refuseUploads(stage, { begin, use, put })
}

const uploadPath = (stage: ContractStage, upload: ContractJson): string =>
  String((upload.put as ContractJson).url).slice(stage.url.length)

async function refuseUploads(
  stage: ContractStage,
  {
    begin,
    use,
    put,
  }: {
    begin: (more?: ContractJson) => Promise<ContractJson>
    use: (upload: ContractJson, more?: ContractJson) => Promise<ContractAnswer>
    put: (upload: ContractJson) => Promise<ContractAnswer>
  },
): Promise<void> {
  const unknown = await begin()
  await put(unknown)
  const answer = await use(unknown, { on_duplicate: 'reject' })
  stage.refused('on_duplicate of bytes that nobody has read', answer, 'validation_error')
  stage.check('is said to be inconsistent', detailOf(answer).code === 'inconsistent', answer.body)
  const false_sum = await begin({ sha256: '0'.repeat(64) })
  await put(false_sum)
  const made = await use(false_sum)
  stage.check(
    'bytes with another sum are not read',
    made.body.status === 'failed' && made.body.error !== null,
    made.body,
  )
  const gone = await begin()
  stage.expect(
    'DELETE of an upload',
    await stage.send(api.uploads.remove, { params: { upload_id: String(gone.id) } }),
    204,
  )
  stage.refused('PUT after DELETE', await put(gone), 'not_found')
  const large = await begin({ size_bytes: 70 * 1024 * 1024 })
  const parts = large.parts as ContractJson[]
  const is_whole = parts.reduce((sum, part) => sum + Number(part.size_bytes), 0) === large.size_bytes
  stage.check('a large file comes in parts', large.put === null && parts.length > 1 && is_whole, large)
  stage.expect(
    'DELETE of parts',
    await stage.send(api.uploads.remove, { params: { upload_id: String(large.id) } }),
    204,
  )
}

/** A page of a file is read again by asking for it; one that came as text cannot be. */
export async function readAgain(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const create = findEndpoint('POST', '/documents')!
  const { body: document } = await stage.send(create, {
    body: { ...(await exampleOf(stage, create)), source: FILE_SOURCE },
  })
  const document_id = String(document.id)
  const { body: list } = await stage.send(api.pages.list, { params: { document_id } })
  const page = (list.data as ContractJson[])[0]!
  const params = { document_id, page_id: String(page.id) }
  const both = await stage.send(endpoint, { params, body: { status: 'queued', text: 'Corrected' } })
  stage.refused('a correction of what is to be read again', both, 'validation_error')
  const corrected = await stage.send(endpoint, { params, body: { text: 'Corrected' } })
  stage.check('a correction is said to be one', corrected.body.text_source === 'corrected', corrected.body)
  stage.refused(
    'an old tag',
    await stage.send(endpoint, { params, body: { status: 'queued' }, headers: { 'if-match': '"old"' } }),
    'precondition_failed',
  )
  const events = ['page.updated', 'job.queued', 'document.updated']
  const queued = await stage.send(endpoint, { params, body: { status: 'queued' }, events })
  stage.check(
    'it waits and keeps what it has',
    queued.body.status === 'queued' && queued.body.text === 'Corrected',
    queued.body,
  )
  const settled = await stage.send(api.documents.get, { params, headers: { prefer: 'wait=20' } })
  stage.check(
    'the document is whole again',
    settled.body.status === 'ready' && settled.body.pages_ready === 1,
    settled.body,
  )
  const { body: after } = await stage.send(api.pages.get, { params })
  stage.check(
    'the page is what the file says',
    after.text === page.text && after.status === 'succeeded' && after.id === page.id,
    [page, after],
  )
  const plain = await place(stage, endpoint.path)
  stage.refused(
    'a page that came as text',
    await stage.send(endpoint, { params: plain, body: { status: 'queued' } }),
    'invalid_state',
  )
}
