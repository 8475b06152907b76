// The object store as it is, without the server's own eyes.

import { createHash } from 'node:crypto'
import { NoSuchKey, S3 } from '@aws-sdk/client-s3'
import { eachOf } from '../lib/call.ts'
import { defer } from '../lib/scope.ts'

const WIDTH = 8

interface CrashStoredItem {
  size_bytes: number
  sha256: string
}

/** Its objects by key, and its incomplete multipart uploads. */
export interface Bucket {
  objects: Map<string, CrashStoredItem>
  begun: string[]
}

export async function readBucket(env: Record<string, string>): Promise<Bucket> {
  const Bucket = env.S3_BUCKET!
  const s3 = new S3({
    endpoint: env.S3_ENDPOINT!,
    region: env.S3_REGION!,
    forcePathStyle: true,
    credentials: { accessKeyId: env.S3_ACCESS_KEY_ID!, secretAccessKey: env.S3_SECRET_ACCESS_KEY! },
  })
  await using _s3 = defer(() => s3.destroy())
  const keys: string[] = []
  for (let token: string | undefined; ; ) {
    const given = { Bucket, ...(token === undefined ? {} : { ContinuationToken: token }) }
    const { Contents = [], NextContinuationToken } = await s3.listObjectsV2(given)
    keys.push(...Contents.map(({ Key = '' }) => Key))
    token = NextContinuationToken
    if (token === undefined) break
  }
  const objects = new Map<string, CrashStoredItem>()
  await eachOf(keys, WIDTH, async (Key) => {
    const found = await s3.getObject({ Bucket, Key }).catch((error: unknown) => {
      if (error instanceof NoSuchKey) return null
      throw error
    })
    // A purge was quicker.
    if (!found) return
    const bytes = await found.Body!.transformToByteArray()
    objects.set(Key, { size_bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') })
  })
  const { Uploads = [] } = await s3.listMultipartUploads({ Bucket })
  return { objects, begun: Uploads.map(({ Key = '' }) => Key) }
}
