// `multipart/form-data`: the same as the JSON body with a file beside it, refused in the same words, and nothing left in storage.

import { randomUUID } from 'node:crypto'
import { globSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { api, type ErrorCode } from '@octavo/contract'
import { findUuid } from '../../server/src/lib/ids.ts'
import { exampleOf, FILE, FILE_SOURCE } from './fixtures.ts'
import { ask, type ContractAnswer, type ContractJson } from './http.ts'
import { type ContractInput, type ContractStage, ROOT } from './stage.ts'

interface ContractPart {
  name: string
  value: string | Buffer
  file_name?: string
  type?: string
}

const BOUNDARY = 'a-boundary-of-the-walk'
const NEW_LINE = '\r\n'

function encode(parts: readonly ContractPart[], boundary = BOUNDARY): Buffer {
  const pieces = parts.flatMap(({ name, value, file_name, type }) => {
    const file = file_name === undefined ? '' : `; filename="${file_name}"`
    const head = `--${boundary}${NEW_LINE}Content-Disposition: form-data; name="${name}"${file}${NEW_LINE}`
    return [head, type === undefined ? '' : `Content-Type: ${type}${NEW_LINE}`, NEW_LINE, value, NEW_LINE]
  })
  return Buffer.concat([...pieces, `--${boundary}--${NEW_LINE}`].map((piece) => Buffer.from(piece as string)))
}

const typeOf = (boundary = BOUNDARY): Record<string, string> => ({
  'content-type': `multipart/form-data; boundary=${boundary}`,
})
const formFile = (bytes = FILE, file_name = 'lease.txt', type = 'text/plain'): ContractPart => ({
  name: 'file',
  value: bytes,
  file_name,
  type,
})

/** The example's members as fields: text as it is, everything else as JSON. */
async function fieldsOf(stage: ContractStage): Promise<ContractPart[]> {
  const { source: _, ...members } = (await exampleOf(stage, stage.endpoint))!
  return Object.entries(members).map(([name, value]) => ({
    name,
    value: typeof value === 'string' ? value : JSON.stringify(value),
  }))
}

const send = (
  stage: ContractStage,
  parts: readonly ContractPart[],
  given: ContractInput = {},
  boundary = BOUNDARY,
): Promise<ContractAnswer> =>
  stage.send(stage.endpoint, {
    ...given,
    body: encode(parts, boundary),
    headers: { ...typeOf(boundary), ...given.headers },
  })

/** Fields that differ between two documents with the same bytes. */
const OWN = ['id', 'file_id', 'latest_job_id', 'created_at', 'updated_at', 'source']
const describe = (row: ContractJson): ContractJson =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !OWN.includes(name)))

export async function takeForms(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const body = await exampleOf(stage, endpoint)
  const asJson = await stage.send(endpoint, { body: { ...body, source: FILE_SOURCE } })
  const asForm = await send(stage, [...(await fieldsOf(stage)), formFile()])
  stage.expect('a form', asForm, endpoint.status)
  stage.check(
    'a form makes the document that JSON makes',
    isDeepStrictEqual(describe(asForm.body), describe(asJson.body)),
    [asJson.body, asForm.body],
  )
  stage.check(
    'it says where it came from',
    isDeepStrictEqual(asForm.body.source, { type: 'file', file_name: 'lease.txt' }),
    asForm.body,
  )
  stage.check('it was read', asForm.body.status === 'ready' && asForm.body.page_count === 1, asForm.body)
  const texts = await Promise.all([asJson, asForm].map(async ({ body: { id } }) => textsOf(stage, String(id))))
  stage.check(
    'the pages are the same',
    isDeepStrictEqual(texts[0], texts[1]) && String(texts[0]).includes('Elm Street'),
    texts,
  )
  const bytes = await stage.send(api.files.contents, {
    params: { file_id: String(asForm.body.file_id) },
    headers: { accept: undefined },
  })
  stage.check('its file is what came', bytes.bytes.equals(FILE), bytes.text)
  const names = {
    'lease.txt': 'lease.txt',
    '../../etc/lease.txt': 'lease.txt',
    'C:\\\\docs\\\\lease.txt': 'lease.txt',
    'Größe 文書.txt': 'Größe 文書.txt',
    '..': 'document',
  }
  for (const [file_name, shown] of Object.entries(names)) {
    const answer = await send(stage, [formFile(FILE, file_name)])
    stage.check(`the name '${file_name}' is the title`, answer.body.title === shown, answer.body)
  }
  stage.expect(
    'the file before its fields',
    await send(stage, [formFile(), ...(await fieldsOf(stage))]),
    endpoint.status,
  )
  const typed = { name: 'metadata', value: '{"year":"2026"}', type: 'application/json' }
  const answer = await send(stage, [typed, formFile()])
  stage.check('a field may say that it is JSON', isDeepStrictEqual(answer.body.metadata, { year: '2026' }), answer.body)
}

async function textsOf(stage: ContractStage, document_id: string): Promise<unknown[]> {
  const { body } = await stage.send(api.pages.list, { params: { document_id } })
  return ((body.data ?? []) as ContractJson[]).map((page) => page.text)
}

const field = (name: string, value: string): ContractPart => ({ name, value })

/** A refused form gets the same error as the equivalent JSON and leaves nothing in storage. */
export async function refuseForms(stage: ContractStage): Promise<void> {
  const before = countStored(stage)
  const shapes: [what: string, parts: ContractPart[], pointer: string, code: string][] = [
    ['an unknown field', [field('no_such_member', '1'), formFile()], '/no_such_member', 'unknown_field'],
    [
      'a source beside the file',
      [field('source', '{"type":"text","text":""}'), formFile()],
      '/source',
      'unknown_field',
    ],
    ['a field that is not JSON', [field('metadata', '{'), formFile()], '/metadata', 'invalid_type'],
    ['a field of a wrong type', [field('metadata', '17'), formFile()], '/metadata', 'invalid_type'],
    ['no file', [field('title', 'Lease')], '/file', 'required'],
    ['a field instead of the file', [field('title', 'Lease'), field('file', 'text')], '/file', 'invalid_type'],
    ['no part at all', [], '/file', 'required'],
    ['two files', [formFile(), formFile()], '/file', 'repeated'],
    ['a field twice', [field('title', 'One'), field('title', 'Two'), formFile()], '/title', 'repeated'],
    ['a file of another name', [{ ...formFile(), name: 'upload' }], '/upload', 'unknown_field'],
    ['a second file with another name', [formFile(), { ...formFile(), name: 'upload' }], '/upload', 'unknown_field'],
  ]
  for (const [what, parts, pointer, code] of shapes)
    checkNamed(stage, what, await send(stage, parts), { code: 'invalid_request', pointer, detail: code })
  const contents: [what: string, parts: ContractPart[], pointer: string, code: string][] = [
    ['a long title', [field('title', 'x'.repeat(301)), formFile()], '/title', 'too_long'],
    ['an empty title', [field('title', ''), formFile()], '/title', 'too_short'],
    ['a word that is not offered', [field('on_duplicate', 'maybe'), formFile()], '/on_duplicate', 'not_allowed_value'],
    ['a time that is none', [field('expires_at', 'tomorrow'), formFile()], '/expires_at', 'invalid_format'],
    [
      'a project that is not there',
      [field('project_id', 'proj_01h455vb4pex5vsknk084sn02q'), formFile()],
      '/project_id',
      'reference_not_found',
    ],
    ['an empty file', [formFile(Buffer.alloc(0))], '/file', 'too_short'],
    [
      'a reader that is not there',
      [field('processing', '{"reader":"nobody"}'), formFile()],
      '/processing/reader',
      'capability_missing',
    ],
  ]
  for (const [what, parts, pointer, code] of contents)
    checkNamed(stage, what, await send(stage, parts), { code: 'validation_error', pointer, detail: code })
  await refuseBroken(stage)
  for (const [given, code] of [
    [{ search: 'no_such_parameter=1' }, 'invalid_parameter'],
    [{ headers: { 'idempotency-key': 'a b' } }, 'invalid_parameter'],
    [{ headers: { 'if-match': 'without quotes' } }, 'invalid_parameter'],
    [{ as: null }, 'unauthenticated'],
  ] as [ContractInput, ErrorCode][])
    stage.refused(`a form with ${JSON.stringify(given)}`, await send(stage, [formFile()], given), code)
  stage.check('a refused form leaves nothing in storage', countStored(stage) === before, [before, countStored(stage)])
}

function checkNamed(
  stage: ContractStage,
  what: string,
  answer: ContractAnswer,
  expected: { code: ErrorCode; pointer: string; detail: string },
): void {
  stage.refused(what, answer, expected.code)
  const details = (answer.body.details ?? []) as ContractJson[]
  const is_named = details.some(
    ({ code, pointer, location }) => code === expected.detail && pointer === expected.pointer && location === 'body',
  )
  stage.check(`${what} is said to be ${expected.detail}`, is_named, answer.body)
}

async function refuseBroken(stage: ContractStage): Promise<void> {
  const whole = encode([field('title', 'Lease'), formFile(Buffer.alloc(50_000, 'x'))])
  const bodies: [what: string, body: Buffer | string, type: string][] = [
    ['no boundary in the header', whole, 'multipart/form-data'],
    ['another boundary in the header', whole, 'multipart/form-data; boundary=another'],
    ['an end in the middle of the file', whole.subarray(0, 30_000), typeOf()['content-type']!],
    ['an end in the middle of a field', whole.subarray(0, 90), typeOf()['content-type']!],
    ['an end before the last boundary', whole.subarray(0, -30), typeOf()['content-type']!],
    ['what is no form', '{"title":"Lease"}', typeOf()['content-type']!],
    [
      'a field of more than 256 KiB',
      encode([field('title', 'x'.repeat(300_000)), formFile()]),
      typeOf()['content-type']!,
    ],
    [
      'too many fields',
      encode([...Array.from({ length: 60 }, (_, i) => field(`field${i}`, '')), formFile()]),
      typeOf()['content-type']!,
    ],
    ['a name without an end', encode([field('x'.repeat(5_000), ''), formFile()]), typeOf()['content-type']!],
  ]
  for (const [what, body, type] of bodies)
    stage.refused(
      what,
      await stage.send(stage.endpoint, { body, headers: { 'content-type': type } }),
      'invalid_request',
    )
  const latin = await stage.send(stage.endpoint, {
    body: whole,
    headers: { 'content-type': `${typeOf()['content-type']}; charset=latin1` },
  })
  stage.refused('a form in Latin-1', latin, 'unsupported_media_type')
}

/** Objects of the owner's tenant, and what is not whole yet of anybody's. */
function countStored(stage: ContractStage): number {
  const root = stage.world.env.FILES_DIR!
  return globSync(`objects/${findUuid('ten', stage.owner.tenant)}/**/*-*`, { cwd: root }).length
}

/** Where files may be small only. Nothing is made here, so that no event is missed. */
export async function refuseLarge(stage: ContractStage): Promise<void> {
  const max = 1_000
  const small = await stage.world.startApi({ MAX_FILE_BYTES: String(max) })
  try {
    const before = countStored(stage)
    const headers = { authorization: `Bearer ${stage.owner.secret}` }
    const form = {
      method: 'POST',
      headers: { ...headers, ...typeOf() },
      body: encode([formFile(Buffer.alloc(max + 1, 'x'))]),
    }
    stage.refused('a file over the limit', await ask(small.url, `${ROOT}/documents`, form), 'payload_too_large')
    const json = (body: ContractJson) => ({
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const source = { ...FILE_SOURCE, data: Buffer.alloc(max + 1, 'x').toString('base64') }
    stage.refused(
      'the same as Base64',
      await ask(small.url, `${ROOT}/documents`, json({ title: 'Large', source })),
      'payload_too_large',
    )
    const upload = { file_name: 'large.txt', media_type: 'text/plain', size_bytes: max + 1 }
    stage.refused('the same as an upload', await ask(small.url, `${ROOT}/uploads`, json(upload)), 'payload_too_large')
    stage.check('what is too large leaves nothing in storage', countStored(stage) === before, [
      before,
      countStored(stage),
    ])
  } finally {
    await small.stop()
  }
}

/** A request is known by its parts: the boundary and their order are the client's affair. */
export async function replayForms(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const parts = [...(await fieldsOf(stage)), formFile()]
  const headers = { 'idempotency-key': randomUUID() }
  const first = await send(stage, parts, { headers })
  stage.expect('the first form of a key', first, endpoint.status)
  const before = countStored(stage)
  for (const [what, again, boundary] of [
    ['the same form', parts, BOUNDARY],
    ['another boundary', parts, `another-${BOUNDARY}`],
    ['another order', parts.toReversed(), BOUNDARY],
  ] as [string, ContractPart[], string][]) {
    const answer = await send(stage, again, { headers }, boundary)
    stage.check(
      `${what} gets the same answer`,
      answer.text === first.text && answer.headers['idempotent-replayed'] === 'true',
      [first.text, answer.text],
    )
  }
  for (const [what, others] of [
    ['other bytes', [...parts.slice(0, -1), formFile(Buffer.from('Something else'))]],
    ['another file name', [...parts.slice(0, -1), formFile(FILE, 'other.txt')]],
    ['another type', [...parts.slice(0, -1), formFile(FILE, 'lease.txt', 'text/markdown')]],
    ['another title', parts.map((part) => (part.name === 'title' ? field('title', 'Another') : part))],
    ['a field more', [...parts, field('external_id', 'something')]],
    ['an unknown field more', [...parts, field('no_such_member', '1')]],
    ['no file', parts.slice(0, -1)],
  ] as [string, ContractPart[]][])
    stage.refused(`the key with ${what}`, await send(stage, others, { headers }), 'idempotency_key_reused')
  const body = { ...(await exampleOf(stage, endpoint)), source: FILE_SOURCE }
  stage.refused('the key with JSON', await stage.send(endpoint, { body, headers }), 'idempotency_key_reused')
  stage.check('a repeated form leaves nothing in storage', countStored(stage) === before, [before, countStored(stage)])
  const retried = { 'idempotency-key': randomUUID() }
  stage.refused(
    'a failed form with a key',
    await send(stage, [field('no_such_member', '1'), formFile()], { headers: retried }),
    'invalid_request',
  )
  const good = await send(stage, parts, { headers: retried })
  stage.check(
    'is not kept',
    good.status === endpoint.status && good.headers['idempotent-replayed'] === undefined,
    good.body,
  )
}
