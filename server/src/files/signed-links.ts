// Links that work without a credential, for a while: the holder may do the one thing that it names. Signed, not sealed: the
// same link is the same text, so that what is read twice is the same twice.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { required } from '@octavo/base/required.ts'
import type { Keyring } from '../lib/keyring.ts'

export interface SignedLink {
  may: 'read_file' | 'put_upload'
  /** uuid. */
  tenant: string
  /** Id of the file or upload. */
  id: string
  /** Part number in a multipart upload. */
  part?: number
  expires_at: number
}

export const SIGNED_ROOT = '/signed'

function signatureOf(keyring: Keyring, kid: number, content: string): Buffer | null {
  const key = keyring.keyOf(kid, 'signed_url')
  return key && createHmac('sha256', key).update(content).digest()
}

export function signedUrl({ base_url, keyring }: { base_url: string; keyring: Keyring }, link: SignedLink): string {
  const content = `${keyring.current}.${Buffer.from(JSON.stringify(link)).toString('base64url')}`
  const signature = required(signatureOf(keyring, keyring.current, content), 'current key')
  return `${base_url}${SIGNED_ROOT}/${content}.${signature.toString('base64url')}`
}

/** null: it was never given out, or was altered. */
export function findSignedLink(keyring: Keyring, token: string): SignedLink | null {
  const [, content = '', kid = '', json = '', signature = ''] = /^((\d{1,3})\.([\w-]+))\.([\w-]{43})$/.exec(token) ?? []
  const expected = content === '' ? null : signatureOf(keyring, Number(kid), content)
  if (
    !expected ||
    expected.toString('base64url') !== signature ||
    !timingSafeEqual(expected, Buffer.from(signature, 'base64url'))
  )
    return null
  return JSON.parse(Buffer.from(json, 'base64url').toString()) as SignedLink
}
