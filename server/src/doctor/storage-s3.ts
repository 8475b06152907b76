// The bucket: one small object is put, read and removed under the prefix of the server.

import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { recordOf, toError } from '@octavo/base/unknown.ts'
import { S3Client } from '../files/s3-client.ts'
import { codeOf, type Finding, failed, ok, reasonOf, skipped } from './finding.ts'
import { lacking, type Settings } from './settings.ts'

const TIMEOUT_MS = 5_000
type S3Settings = NonNullable<Settings['config']['files']['s3']>

export async function storageInBucket(settings: Settings): Promise<Finding> {
  const { s3: given } = settings.config.files
  const lack = lacking(settings, 'FILES_DRIVER', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'S3_ENDPOINT')
  if (lack || !given) return lack ?? skipped('Not used.')
  const s3 = new S3Client({ ...given, timeout_ms: TIMEOUT_MS })
  const target = { Bucket: given.bucket, Key: `${given.prefix}octavo-doctor-${randomUUID()}` }
  const step = { now: 'put' }
  try {
    await s3.ask({}, (client, options) => client.putObject({ ...target, Body: 'octavo' }, options))
    step.now = 'read'
    const { Body } = await s3.ask({}, (client, options) => client.getObject(target, options))
    const bytes = await buffer(Body as Readable)
    step.now = 'removed'
    await s3.ask({}, (client, options) => client.deleteObject(target, options))
    if (bytes.toString() !== 'octavo')
      return failed(
        `The bucket '${given.bucket}' returns different bytes than were written.`,
        'Contact the operator of the storage: it does not store data correctly.',
      )
    return ok(`Objects can be put into, read from and removed from the bucket '${given.bucket}'.`)
  } catch (error) {
    return explain(error, given, step.now)
  } finally {
    await s3.close()
  }
}

function explain(error: unknown, given: S3Settings, step: string): Finding {
  const { endpoint, bucket, region } = given
  const { name = '', $metadata } = recordOf(toError(error).cause)
  const { httpStatusCode: status } = recordOf($metadata)
  const where = endpoint ?? `Amazon S3 (${region})`
  const flag = endpoint === null ? '' : ` --endpoint-url ${endpoint}`
  switch (name) {
    case 'NoSuchBucket':
    case 'NotFound':
      return failed(
        `The bucket '${bucket}' does not exist at ${where}.`,
        'Create it, or correct S3_BUCKET. With the AWS command line and the same keys:',
        `aws s3 mb s3://${bucket}${flag}`,
      )
    case 'InvalidAccessKeyId':
    // As versitygw says it.
    case 'XAdminUserNotFound':
      return failed(
        `${where} does not know the key in S3_ACCESS_KEY_ID.`,
        'Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY to a pair that the storage issued.',
      )
    case 'SignatureDoesNotMatch':
      return failed(
        `${where} rejects the signature: S3_SECRET_ACCESS_KEY does not belong to S3_ACCESS_KEY_ID.`,
        'Set both to a pair that the storage issued.',
      )
    case 'RequestTimeTooSkewed':
      return skipped(`${where} rejects requests because the clocks differ. See the clock check.`)
    case 'AccessDenied':
    case 'AllAccessDisabled':
      return failed(
        `${where} knows the key in S3_ACCESS_KEY_ID, but the key does not allow an object to be ${step} in '${bucket}'.`,
        'Allow s3:PutObject, s3:GetObject, s3:DeleteObject, s3:ListBucket and multipart uploads for this key on this bucket and prefix.',
      )
    case 'PermanentRedirect':
    case 'AuthorizationHeaderMalformed':
    case 'IllegalLocationConstraintException':
      return failed(
        `The bucket '${bucket}' is not in the region '${region}'.`,
        'Set S3_REGION to the region of the bucket.',
      )
  }
  if (status !== undefined)
    return failed(
      `${where} returns ${String(status)} ${String(name)} when an object is ${step} in '${bucket}'.`,
      'Check the log of the storage, and S3_ENDPOINT, S3_BUCKET and S3_REGION.',
    )
  return failed(
    `The object storage at ${where} cannot be reached: ${codeOf(error) ? reasonOf(error) : 'no response in time'}.`,
    'Start it, or correct S3_ENDPOINT. To test it:',
    `curl -I ${endpoint ?? `https://s3.${region}.amazonaws.com`}`,
  )
}
