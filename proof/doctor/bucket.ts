// A bucket of the real S3 server, or the name of one that is not there.

import { randomUUID } from 'node:crypto'
import { S3 } from '@aws-sdk/client-s3'
import { s3Env } from '../../server/src/testing/files.ts'
import type { DoctorEnv } from './examine.ts'

interface DoctorBucket {
  env: DoctorEnv
  create(): Promise<void>
  close(): Promise<void>
}

export async function openBucket(well: DoctorEnv, { is_missing = false } = {}): Promise<DoctorBucket> {
  const s3 = s3Env()
  const Bucket = `octavo-proof-${randomUUID()}`
  const client = new S3({
    endpoint: s3.S3_ENDPOINT!,
    region: s3.S3_REGION!,
    forcePathStyle: true,
    credentials: { accessKeyId: s3.S3_ACCESS_KEY_ID!, secretAccessKey: s3.S3_SECRET_ACCESS_KEY! },
  })
  let is_there = false
  const create = async (): Promise<void> => {
    await client.createBucket({ Bucket })
    is_there = true
  }
  if (!is_missing) await create()
  return {
    env: { ...well, ...s3, S3_BUCKET: Bucket },
    create,
    async close() {
      if (is_there) await client.deleteBucket({ Bucket })
      client.destroy()
    },
  }
}
