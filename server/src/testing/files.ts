// Stores for tests: a directory and the real S3 server of the S3_* variables, where each run has a separate prefix.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after } from 'node:test'
import { type FilesConfig, openFiles } from '../files/open.ts'
import type { FileStore, ObjectInfo, PendingUpload } from '../files/store.ts'
import { newUuid } from '../lib/ids.ts'

export const MiB = 1024 * 1024
export const PDF = { media_type: 'application/pdf' }
export const newKey = (tenant: string = newUuid()): string => `${tenant}/${newUuid()}`
export const bytesOf = (size: number, seed = 7): Buffer =>
  Buffer.alloc(
    size,
    Uint8Array.from({ length: 251 }, (_, i) => (i * seed) % 256),
  )
export const streamOf = (...chunks: Buffer[]): Readable => Readable.from(chunks, { objectMode: false })
export const sourceOf = (chunks: Iterable<Buffer> | AsyncIterable<Buffer>): Readable =>
  Readable.from(chunks, { objectMode: false })
export const streamText = async (stream: Readable | null): Promise<string> => (await buffer(stream!)).toString()

export function s3Config(extra: Partial<FilesConfig['s3']> = {}): NonNullable<FilesConfig['s3']> {
  const {
    S3_ENDPOINT = '',
    S3_REGION = '',
    S3_BUCKET = '',
    S3_ACCESS_KEY_ID = '',
    S3_SECRET_ACCESS_KEY = '',
  } = process.env
  return {
    endpoint: S3_ENDPOINT,
    public_endpoint: null,
    region: S3_REGION,
    bucket: S3_BUCKET,
    access_key_id: S3_ACCESS_KEY_ID,
    secret_access_key: S3_SECRET_ACCESS_KEY,
    prefix: `test-${newUuid()}/`,
    ...extra,
  }
}

/** Settings for a process that stores there, under a separate prefix. */
export function s3Env(): Record<string, string> {
  const { endpoint, region, bucket, prefix, access_key_id, secret_access_key } = s3Config()
  return {
    FILES_DRIVER: 's3',
    S3_ENDPOINT: endpoint ?? '',
    S3_REGION: region,
    S3_BUCKET: bucket,
    S3_PREFIX: prefix,
    S3_ACCESS_KEY_ID: access_key_id ?? '',
    S3_SECRET_ACCESS_KEY: secret_access_key ?? '',
  }
}

/** Both are emptied when the tests of the file have ended. */
export function openStores(): { files: FileStore; config: FilesConfig }[] {
  const dir = mkdtempSync(join(tmpdir(), 'octavo-files-'))
  const configs: FilesConfig[] = [
    { dir, s3: null },
    { dir: '', s3: s3Config() },
  ]
  const stores = configs.map((config) => ({ files: openFiles(config), config }))
  after(async () => {
    for (const { files } of stores) {
      if (files.driver === 's3') await removeAll(files)
      await files.close()
    }
    rmSync(dir, { recursive: true, force: true })
  })
  return stores
}

export async function listAll(files: FileStore, prefix: string): Promise<ObjectInfo[]> {
  const all: ObjectInfo[] = []
  for (let page = await files.list(prefix, null); page.length > 0; page = await files.list(prefix, all.at(-1)!.key))
    all.push(...page)
  return all
}

export async function listAllBegun(files: FileStore): Promise<PendingUpload[]> {
  const all: PendingUpload[] = []
  for (let page = await files.listBegun(null); page.length > 0; page = await files.listBegun(all.at(-1)!.key))
    all.push(...page)
  return all
}

export const listBegunOf = async (files: FileStore, key: string): Promise<PendingUpload[]> =>
  (await listAllBegun(files)).filter((one) => one.key === key)

/** Asserts that the store holds neither an object nor an incomplete upload for the key. */
export async function assertNothing(files: FileStore, key: string): Promise<void> {
  assert.equal(await files.find(key), null)
  assert.deepEqual(await listBegunOf(files, key), [])
}

/** Uses the store's signed URL if it has one, otherwise the server, as a client would. */
export async function sendPart(
  files: FileStore,
  at: { key: string; upload: string; number: number },
  bytes: Buffer,
): Promise<void> {
  const { key, upload, number } = at
  const signed = await files.signPart(key, upload, { number, size_bytes: bytes.length, seconds: 60 })
  if (signed === null) return files.putPart(key, upload, { number, size_bytes: bytes.length, bytes: streamOf(bytes) })
  const answer = await fetch(signed.url, { method: 'PUT', headers: signed.headers, body: new Uint8Array(bytes) })
  return assert.equal(answer.status, 200, await answer.text())
}

async function removeAll(files: FileStore): Promise<void> {
  const todo = await listAll(files, '')
  const work = async (): Promise<void> => {
    for (let one = todo.pop(); one; one = todo.pop()) await files.remove(one.key)
  }
  await Promise.all(Array.from({ length: 24 }, work))
  for (const { key, upload } of await listAllBegun(files)) await files.abortParts(key, upload)
}
