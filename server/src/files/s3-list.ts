// Lists the bucket in key order. Objects whose names are not Octavo's are skipped.

import { isKey } from './keys.ts'
import { Missing, orMissing, type S3Client } from './s3-client.ts'
import type { S3PutTarget } from './s3-put.ts'
import { type ObjectInfo, PAGE, type PendingUpload, type UploadedPart, UploadGone } from './store.ts'

export async function listObjects(s3: S3Client, prefix: string, after: string | null): Promise<ObjectInfo[]> {
  const { bucket: Bucket, prefix: base } = s3.config
  let StartAfter = after === null ? undefined : base + after
  for (;;) {
    const given = { Bucket, Prefix: base + prefix, MaxKeys: PAGE, ...(StartAfter === undefined ? {} : { StartAfter }) }
    const { Contents = [], IsTruncated } = await s3.ask({}, (client, options) => client.listObjectsV2(given, options))
    const page = Contents.map(({ Key = '', Size = 0, LastModified = new Date(0) }) => ({
      key: Key.slice(base.length),
      size_bytes: Size,
      modified_at: LastModified,
    })).filter(({ key }) => isKey(key))
    StartAfter = Contents.at(-1)?.Key
    if (page.length > 0 || !IsTruncated || StartAfter === undefined) return page
  }
}

/**
 * Without `Prefix`, because MinIO returns nothing for a prefix that is not a whole key. Without an upload id marker,
 * because that upload may be aborted by now, and some servers refuse a marker that they do not know.
 */
export async function listBegun(s3: S3Client, after: string | null): Promise<PendingUpload[]> {
  const { bucket: Bucket, prefix: base } = s3.config
  let KeyMarker = base + (after ?? '')
  for (;;) {
    const given = { Bucket, MaxUploads: PAGE, ...(KeyMarker === '' ? {} : { KeyMarker }) }
    const { Uploads = [], IsTruncated } = await s3.ask({}, (client, options) =>
      client.listMultipartUploads(given, options),
    )
    const page = Uploads.filter(({ Key = '' }) => Key.startsWith(base) && isKey(Key.slice(base.length))).map(
      ({ Key = '', UploadId = '', Initiated = new Date(0) }) => ({
        key: Key.slice(base.length),
        upload: UploadId,
        begun_at: Initiated,
      }),
    )
    KeyMarker = Uploads.at(-1)?.Key ?? ''
    if (page.length > 0 || !IsTruncated || KeyMarker === '') return page
  }
}

export async function listUploadParts(
  s3: S3Client,
  target: S3PutTarget,
  upload: string,
): Promise<(UploadedPart & { etag: string })[]> {
  const parts: (UploadedPart & { etag: string })[] = []
  let PartNumberMarker: string | undefined
  for (;;) {
    const given = { ...target, UploadId: upload, ...(PartNumberMarker === undefined ? {} : { PartNumberMarker }) }
    const answer = await orMissing(s3.ask({}, (client, options) => client.listParts(given, options)))
    if (answer instanceof Missing) throw new UploadGone('The upload does not exist.')
    for (const { PartNumber = 0, Size = 0, ETag = '' } of answer.Parts ?? [])
      parts.push({ number: PartNumber, size_bytes: Size, etag: ETag })
    if (!answer.IsTruncated) return parts
    PartNumberMarker = answer.NextPartNumberMarker
  }
}
