// The two kinds of object storage, each emptied of what a proof made, and looked at without the server's own eyes.

import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { S3 } from '@aws-sdk/client-s3'

export const drivers = ['disk', 's3'] as const
export type Driver = (typeof drivers)[number]

export interface Store {
  driver: Driver
  /** For every process of the server. */
  env: Record<string, string>
  /** Everything that takes space: objects and the parts of incomplete ones. `dir` is for the disk driver. */
  listAll(dir: string): Promise<string[]>
  /** Removes only this run's objects: others use the bucket too. */
  removeAll(): Promise<void>
}

export function openStore(driver: Driver): Store {
  return driver === 'disk' ? disk : openBucket()
}

const disk: Store = {
  driver: 'disk',
  env: { FILES_DRIVER: 'disk' },
  async listAll(dir) {
    const found = await readdir(dir, { recursive: true, withFileTypes: true })
    return found.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name))
  },
  async removeAll() {},
}

function openBucket(): Store {
  const {
    S3_ENDPOINT = '',
    S3_REGION = '',
    S3_BUCKET: Bucket = '',
    S3_ACCESS_KEY_ID = '',
    S3_SECRET_ACCESS_KEY = '',
  } = process.env
  const Prefix = `proof-${randomUUID()}/`
  const s3 = new S3({
    endpoint: S3_ENDPOINT,
    region: S3_REGION,
    forcePathStyle: true,
    credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY },
  })

  async function listKeys(): Promise<string[]> {
    const keys: string[] = []
    for (let token: string | undefined; ; ) {
      const given = { Bucket, Prefix, ...(token === undefined ? {} : { ContinuationToken: token }) }
      const { Contents = [], NextContinuationToken } = await s3.listObjectsV2(given)
      keys.push(...Contents.map(({ Key = '' }) => Key))
      if (NextContinuationToken === undefined) return keys
      token = NextContinuationToken
    }
  }

  async function listBegun(): Promise<{ Key: string; UploadId: string }[]> {
    const { Uploads = [] } = await s3.listMultipartUploads({ Bucket })
    return Uploads.filter(({ Key = '' }) => Key.startsWith(Prefix)).map(({ Key = '', UploadId = '' }) => ({
      Key,
      UploadId,
    }))
  }

  return {
    driver: 's3',
    env: {
      FILES_DRIVER: 's3',
      S3_ENDPOINT,
      S3_REGION,
      S3_BUCKET: Bucket,
      S3_ACCESS_KEY_ID,
      S3_SECRET_ACCESS_KEY,
      S3_PREFIX: Prefix,
    },
    listAll: async () => [...(await listKeys()), ...(await listBegun()).map(({ Key }) => `${Key} (parts)`)],
    async removeAll() {
      for (const Key of await listKeys()) await s3.deleteObject({ Bucket, Key })
      for (const { Key, UploadId } of await listBegun()) await s3.abortMultipartUpload({ Bucket, Key, UploadId })
      s3.destroy()
    },
  }
}
