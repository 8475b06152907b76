// Stored bytes as an answer, and the link to them: never something that a browser would run, one range of them where it is asked for.

import { isDeepStrictEqual } from 'node:util'
import { api } from '@octavo/contract'
import { FILE, place } from './fixtures.ts'
import type { ContractAnswer } from './http.ts'
import type { ContractInput, ContractStage } from './stage.ts'

type ContractAsk = (headers?: Record<string, string | undefined>, method?: string) => Promise<ContractAnswer>

/** With the key, and with nothing but a link, the same is answered. */
export async function answerBytes(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const params = await place(stage, endpoint.path)
  const get: ContractAsk = (headers = {}, method = 'GET') =>
    stage.send(endpoint, { params, method, headers: { accept: undefined, ...headers } })
  for (const accept of [
    undefined,
    '*/*',
    'text/html',
    'application/octet-stream',
    'application/json, */*;q=0.1',
    'nonsense',
  ])
    checkWhole(stage, `Accept: ${accept}`, await get({ accept }))
  await checkConditions(stage, get)
  await checkRanges(stage, get)
  stage.expect(
    'bytes without a token',
    await stage.send(endpoint, { params, as: null, headers: { accept: undefined } }),
    401,
  )
}

function checkWhole(stage: ContractStage, what: string, answer: ContractAnswer): void {
  stage.expect(what, answer, 200)
  stage.check(`${what}: all bytes as they came`, answer.bytes.equals(FILE), answer.text.slice(0, 100))
  checkHarmless(stage, what, answer)
  const { 'content-length': length, 'accept-ranges': ranges, 'content-type': type = '' } = answer.headers
  stage.check(
    `${what}: type and length`,
    length === String(FILE.length) && ranges === 'bytes' && type.startsWith('text/plain'),
    answer.headers,
  )
}

/** No browser may display or run the file as a page of this server. */
function checkHarmless(stage: ContractStage, what: string, { headers }: ContractAnswer): void {
  const {
    'content-disposition': disposition,
    'content-security-policy': policy,
    'x-content-type-options': sniffing,
  } = headers
  const is_harmless =
    disposition === `attachment; filename="lease.txt"; filename*=UTF-8''lease.txt` && sniffing === 'nosniff'
  stage.check(`${what}: an attachment in a sandbox`, is_harmless && policy === "sandbox; default-src 'none'", headers)
  stage.check(`${what}: kept privately and asked again`, headers['cache-control'] === 'private, no-cache', headers)
  stage.check(`${what}: a strong tag`, /^"[^"]+"$/.test(headers.etag ?? ''), headers)
}

const VOLATILE = ['date', 'request-id', 'ratelimit']
const headersOf = ({ headers }: ContractAnswer): unknown =>
  Object.entries(headers).filter(([name]) => !VOLATILE.includes(name))

async function checkConditions(stage: ContractStage, get: ContractAsk): Promise<void> {
  const whole = await get()
  const head = await get({}, 'HEAD')
  stage.check(
    'HEAD of bytes has the headers of GET and no body',
    isDeepStrictEqual(headersOf(head), headersOf(whole)) && head.text === '',
    {
      head: head.headers,
      whole: whole.headers,
    },
  )
  const tag = whole.headers.etag ?? ''
  for (const header of [tag, `W/${tag}`, `"something-else", ${tag}`, '*']) {
    for (const method of ['GET', 'HEAD']) {
      const answer = await get({ 'if-none-match': header, range: 'bytes=0-1' }, method)
      stage.expect(`${method} of bytes with If-None-Match: ${header}`, answer, 304)
      stage.check('304 has the tag and no bytes', answer.headers.etag === tag && answer.text === '', answer.headers)
    }
  }
  checkWhole(stage, 'If-None-Match with another tag', await get({ 'if-none-match': '"something-else"' }))
}

async function checkRanges(stage: ContractStage, get: ContractAsk): Promise<void> {
  const size = FILE.length
  const tag = (await get()).headers.etag
  const parts: [range: string, first: number, last: number][] = [
    ['bytes=0-3', 0, 3],
    ['bytes=0-0', 0, 0],
    ['bytes=5-', 5, size - 1],
    ['bytes=-4', size - 4, size - 1],
    [`bytes=-${size + 10}`, 0, size - 1],
    [`bytes=3-${size + 10}`, 3, size - 1],
    [`bytes=${size - 1}-${size - 1}`, size - 1, size - 1],
  ]
  for (const [range, first, last] of parts) {
    const answer = await get({ range, 'if-range': tag })
    stage.expect(`Range: ${range}`, answer, 206)
    const { 'content-range': told, 'content-length': length } = answer.headers
    const is_told = told === `bytes ${first}-${last}/${size}` && length === String(last - first + 1)
    stage.check(
      `Range: ${range} gives these bytes`,
      answer.bytes.equals(FILE.subarray(first, last + 1)) && is_told,
      answer.headers,
    )
    checkHarmless(stage, `Range: ${range}`, answer)
  }
  for (const range of [`bytes=${size}-`, `bytes=${size}-${size + 5}`, 'bytes=-0']) {
    const answer = await get({ range })
    stage.refused(`Range: ${range}`, answer, 'range_not_satisfiable')
    stage.check('416 tells the size', answer.headers['content-range'] === `bytes */${size}`, answer.headers)
  }
  // Invalid and unsupported ranges are ignored.
  for (const range of ['bytes=3-1', 'bytes=', 'bytes=-', 'bytes=a-b', 'items=0-1', 'bytes=0-1,3-4', 'nonsense'])
    checkWhole(stage, `Range: ${range}`, await get({ range }))
  for (const other of ['"something-else"', `W/${tag}`, 'Sun, 01 Nov 2026 00:00:00 GMT'])
    checkWhole(stage, `If-Range: ${other}`, await get({ range: 'bytes=0-1', 'if-range': other }))
  const head = await get({ range: 'bytes=0-1' }, 'HEAD')
  stage.check(
    'HEAD knows no ranges',
    head.status === 200 && head.headers['content-length'] === String(size),
    head.headers,
  )
}

/** A signed link is itself a credential, for one file and a limited time. */
export async function answerLink(stage: ContractStage): Promise<void> {
  const { endpoint } = stage
  const params = await place(stage, endpoint.path)
  const { body } = await stage.send(endpoint, { params })
  const url = String(body.url)
  stage.check('the link is of this server', url.startsWith(`${stage.url}/signed/`), url)
  const seconds = (Date.parse(String(body.expires_at)) - Date.now()) / 1000
  stage.check('it works for five minutes', seconds > 280 && seconds <= 300, body.expires_at)
  const path = url.slice(stage.url.length)
  const ask = (given: ContractInput): Promise<ContractAnswer> =>
    stage.send(endpoint, { as: null, path, ...given, headers: { accept: undefined, ...given.headers } })
  const get: ContractAsk = (headers = {}, method = 'GET') => ask({ method, headers })
  checkWhole(stage, 'a link', await get())
  checkWhole(stage, 'a link, JSON wanted', await get({ accept: 'application/json' }))
  await checkConditions(stage, get)
  await checkRanges(stage, get)
  for (const method of ['PUT', 'POST', 'PATCH', 'DELETE'])
    stage.refused(
      `${method} of a link`,
      await ask({ method, body: 'bytes', headers: { 'content-type': 'text/plain' } }),
      'not_found',
    )
  for (const other of alterations(path)) stage.refused('an altered link', await ask({ path: other }), 'not_found')
  await endWithDocument(stage)
}

function alterations(path: string): string[] {
  const [kid = '', json = '', signature = ''] = path.slice('/signed/'.length).split('.')
  const link = JSON.parse(Buffer.from(json, 'base64url').toString()) as Record<string, unknown>
  const forged = [
    { ...link, expires_at: Date.now() + 86_400_000 },
    { ...link, may: 'put_upload' },
    { ...link, tenant: '00000000-0000-7000-8000-000000000000' },
  ].map((value) => Buffer.from(JSON.stringify(value)).toString('base64url'))
  const flipped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
  const signed = (text: string, by = signature): string => `/signed/${kid}.${text}.${by}`
  return [
    ...forged.map((text) => signed(text)),
    signed(json, flipped),
    signed(json, ''),
    signed(json, signature.slice(1)),
    `/signed/${Number(kid) + 1}.${json}.${signature}`,
    `/signed/${json}.${signature}`,
    '/signed/nonsense',
    '/signed/%00',
    '/signed/',
    `${path}/more`,
    `${path}A`,
  ]
}

async function endWithDocument(stage: ContractStage): Promise<void> {
  // Use a new document: later checks still need the others.
  stage.references.clear()
  const params = await place(stage, stage.endpoint.path)
  const { body: link } = await stage.send(stage.endpoint, { params })
  const { body: file } = await stage.send(api.files.get, { params })
  stage.references.clear()
  stage.expect(
    'DELETE of the document',
    await stage.send(api.documents.remove, { params: { document_id: String(file.document_id) } }),
    204,
  )
  const path = String(link.url).slice(stage.url.length)
  stage.refused('a link to what was deleted', await stage.send(stage.endpoint, { as: null, path }), 'not_found')
  for (const endpoint of [api.files.get, api.files.contents])
    stage.refused('a file of a deleted document', await stage.send(endpoint, { params }), 'not_found')
}
