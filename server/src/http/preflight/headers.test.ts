import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api } from '@octavo/contract'
import type { FastifyRequest } from 'fastify'
import { encodingFor } from '../errors/answer.ts'
import { checkAccept, checkBodyHeaders } from './headers.ts'

const ACCEPTED = [
  undefined,
  '',
  '*/*',
  'application/json',
  'application/*',
  'APPLICATION/JSON',
  'text/html, application/json;q=0.1',
  'text/html,application/xhtml+xml,*/*;q=0.8',
  'application/json; charset=utf-8',
  'application/json;q=0, */*;q=0.1',
]
const NOT_ACCEPTED = [
  'text/html',
  'application/xml',
  'application/json;q=0',
  '*/*;q=0.000',
  'application/jsonl',
  'json',
]

for (const accept of ACCEPTED) {
  test(`'Accept: ${accept}' allows JSON`, () => checkAccept(accept))
}
for (const accept of NOT_ACCEPTED) {
  test(`'Accept: ${accept}' does not allow JSON`, () =>
    assert.throws(() => checkAccept(accept), { code: 'not_acceptable' }))
}

const ENCODINGS: [accepted: string | undefined, encoding: string | null][] = [
  [undefined, null],
  ['identity', null],
  ['gzip', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['br; q=0, gzip; q=0', null],
  ['gzip;q=1.0, br;q=0.1', 'gzip'],
  ['zstd', null],
]
for (const [accepted, encoding] of ENCODINGS) {
  test(`'Accept-Encoding: ${accepted}' selects ${encoding ?? 'no encoding'}`, () =>
    assert.equal(encodingFor(accepted), encoding))
}

const bytesOf = (endpoint: keyof typeof api.documents, headers: Record<string, string>): number =>
  checkBodyHeaders({ headers } as unknown as FastifyRequest, api.documents[endpoint], undefined)

test('determines the length of a body before reading it', () => {
  assert.equal(bytesOf('create', { 'content-length': '17', 'content-type': 'application/json' }), 17)
  assert.equal(bytesOf('create', { 'transfer-encoding': 'chunked', 'content-type': 'application/json' }), 1024 * 1024)
  assert.equal(bytesOf('create', {}), 0)
  assert.equal(bytesOf('remove', { 'content-length': '17' }), 17)
  assert.throws(() => bytesOf('create', { 'content-length': '1048577', 'content-type': 'application/json' }), {
    code: 'payload_too_large',
  })
})

test('requires a JSON content type for a body', () => {
  for (const type of [
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset="utf-8"',
    'application/json; a=b',
  ])
    assert.equal(bytesOf('create', { 'content-length': '1', 'content-type': type }), 1)
  for (const type of [
    '',
    'text/plain',
    'application/merge-patch+json',
    'application/json; charset=latin1',
    'application/jsonx',
  ])
    assert.throws(() => bytesOf('create', { 'content-length': '1', 'content-type': type }), {
      code: 'unsupported_media_type',
      headers: { accept: 'application/json, multipart/form-data' },
    })
})

test('accepts a merge patch for PATCH and names it when refusing another type', () => {
  const names = 'application/merge-patch+json, application/json'

  assert.equal(bytesOf('update', { 'content-length': '1', 'content-type': 'application/merge-patch+json' }), 1)
  assert.equal(bytesOf('update', { 'content-length': '1', 'content-type': 'application/json' }), 1)
  assert.throws(() => bytesOf('update', { 'content-length': '1', 'content-type': 'application/json-patch+json' }), {
    code: 'unsupported_media_type',
    headers: { accept: names, 'accept-patch': names },
  })
})

test('refuses a compressed body', () => {
  const headers = { 'content-length': '1', 'content-type': 'application/json' }

  assert.equal(bytesOf('create', { ...headers, 'content-encoding': 'identity' }), 1)
  assert.throws(() => bytesOf('create', { ...headers, 'content-encoding': 'gzip' }), {
    code: 'unsupported_media_type',
    headers: { 'accept-encoding': 'identity' },
  })
})
