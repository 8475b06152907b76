// Objects in a bucket of any server that speaks S3.

import { Readable } from 'node:stream'
import { checkPart, checkPrefix, splitKey } from './keys.ts'
import { type AskOptions, Missing, orMissing, S3Client, type S3Config } from './s3-client.ts'
import { listBegun, listObjects, listUploadParts } from './s3-list.ts'
import { beginUpload, endUpload, putStream, type S3PutTarget } from './s3-put.ts'
import { sendPart, watched } from './s3-streams.ts'
import { type FileStore, type ObjectInfo, UploadGone } from './store.ts'

export function openS3(config: S3Config): FileStore {
  const s3 = new S3Client(config)
  const { bucket: Bucket, prefix: base } = config

  function targetOf(key: string): S3PutTarget {
    splitKey(key)
    return { Bucket, Key: base + key }
  }

  async function find(key: string): Promise<ObjectInfo | null> {
    const target = targetOf(key)
    const found = await orMissing(s3.ask({}, (client, options) => client.headObject(target, options)))
    if (found instanceof Missing) return none()
    return { key, size_bytes: found.ContentLength ?? 0, modified_at: found.LastModified ?? new Date(0) }
  }

  /** The answer to HEAD has no body: a missing bucket looks like a missing object. */
  async function none(): Promise<null> {
    await s3.ask({}, (client, options) => client.headBucket({ Bucket }, options))
    return null
  }

  return {
    driver: 's3',
    find,
    put: async (key, bytes, given) => putStream(s3, targetOf(key), bytes, given),
    async get(key, range) {
      const given = { ...targetOf(key), ...(range ? { Range: `bytes=${range.first}-${range.last}` } : {}) }
      const found = await orMissing(s3.ask({}, (client, options: AskOptions) => client.getObject(given, options)))
      if (found instanceof Missing) return found.message === 'InvalidRange' ? Readable.from([]) : null
      return watched(found.Body as Readable, s3.timeout_ms)
    },
    async copy(from, to) {
      const CopySource = encodeURIComponent(`${Bucket}/${targetOf(from).Key}`)
      const given = { ...targetOf(to), CopySource }
      const done = await orMissing(s3.ask({}, (client, options) => client.copyObject(given, options)))
      return done instanceof Missing ? null : ((await find(to))?.size_bytes ?? null)
    },
    async remove(key) {
      const target = targetOf(key)
      await orMissing(s3.ask({}, (client, options) => client.deleteObject(target, options)))
    },
    async list(prefix, after) {
      checkPrefix(prefix)
      return listObjects(s3, prefix, after)
    },
    beginParts: async (key, media_type) => beginUpload(s3, targetOf(key), { media_type }),
    async listParts(key, upload) {
      const parts = await listUploadParts(s3, targetOf(key), upload)
      return parts.map(({ number, size_bytes }) => ({ number, size_bytes }))
    },
    async endParts(key, upload) {
      const target = targetOf(key)
      try {
        const parts = await listUploadParts(s3, target, upload)
        const count = parts.reduce((sum, { size_bytes }) => sum + size_bytes, 0)
        if (parts.length === 0) throw new UploadGone('The upload has no parts.')
        await endUpload(s3, target, {
          UploadId: upload,
          parts: parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag })),
          count,
        })
        return count
      } catch (error) {
        const found = error instanceof UploadGone ? await find(key) : null
        if (found === null) throw error instanceof Missing ? new UploadGone('The upload does not exist.') : error
        return found.size_bytes
      }
    },
    async abortParts(key, upload) {
      const given = { ...targetOf(key), UploadId: upload }
      await orMissing(s3.ask({}, (client, options) => client.abortMultipartUpload(given, options)))
    },
    listBegun: (after) => listBegun(s3, after),
    async signPut(key, { media_type, size_bytes, seconds }) {
      const given = { ...targetOf(key), ContentType: media_type, ContentLength: size_bytes }
      const [client, { PutObjectCommand }, { getSignedUrl }] = await loadSigner(s3)
      // Both are signed, so that another type or another length is refused by the store.
      const signableHeaders = new Set(['host', 'content-type', 'content-length'])
      const url = await getSignedUrl(client, new PutObjectCommand(given), { expiresIn: seconds, signableHeaders })
      return { url, headers: { 'content-type': media_type } }
    },
    async signPart(key, upload, { number, size_bytes, seconds }) {
      checkPart(number)
      const given = { ...targetOf(key), UploadId: upload, PartNumber: number, ContentLength: size_bytes }
      const [client, { UploadPartCommand }, { getSignedUrl }] = await loadSigner(s3)
      const signableHeaders = new Set(['host', 'content-length'])
      const url = await getSignedUrl(client, new UploadPartCommand(given), { expiresIn: seconds, signableHeaders })
      return { url, headers: {} }
    },
    async putPart(key, upload, given) {
      checkPart(given.number)
      const done = await orMissing(
        sendPart(s3, { ...targetOf(key), UploadId: upload, PartNumber: given.number }, given),
      )
      if (done instanceof Missing) throw new UploadGone('The upload does not exist.')
    },
    close: () => s3.close(),
  }
}

const loadSigner = (s3: S3Client) =>
  Promise.all([s3.signer(), import('@aws-sdk/client-s3'), import('@aws-sdk/s3-request-presigner')])
