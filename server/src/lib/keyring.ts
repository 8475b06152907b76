// Secrets of the server. One list to rotate (`OCTAVO_SECRETS`, first is current); each purpose has its own key by HKDF.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { firstOf, itemAt, required } from '@octavo/base/required.ts'

export type Purpose =
  | 'cursor'
  | 'stored_answer'
  | 'signed_url'
  | 'document_password'
  | 'sign_in'
  | 'oauth_artifact'
  | 'oauth_cookie'
  | 'refresh_token'
  | 'signing_key'

export interface Keyring {
  current: number
  keyOf(kid: number, purpose: Purpose): Buffer | null
}

/** `1:<64 hex digits>,0:<64 hex digits>`. */
export function parseKeyring(text: string): Keyring {
  const secrets = new Map<number, Buffer>()
  for (const entry of text.split(',')) {
    const match = /^\s*(\d{1,3}):([0-9a-fA-F]{64})\s*$/.exec(entry)
    if (!match || Number(match[1]) > 255)
      throw new Error('OCTAVO_SECRETS must be a comma-separated list of <0-255>:<64 hex digits>')
    secrets.set(Number(match[1]), Buffer.from(itemAt(match, 2), 'hex'))
  }
  const derived = new Map<string, Buffer>()
  return {
    current: firstOf([...secrets.keys()]),
    keyOf(kid, purpose) {
      const secret = secrets.get(kid)
      if (!secret) return null
      const name = `${kid}:${purpose}`
      let key = derived.get(name)
      if (!key) {
        key = Buffer.from(hkdfSync('sha256', secret, '', `octavo/${purpose}`, 32))
        derived.set(name, key)
      }
      return key
    },
  }
}

/** version ‖ key id ‖ nonce(12) ‖ tag(16) ‖ AES-256-GCM; `context` is authenticated and must be given again to open. */
export function seal(keyring: Keyring, purpose: Purpose, text: string | Buffer, context = ''): Buffer {
  const nonce = randomBytes(12)
  const header = Buffer.from([1, keyring.current])
  const cipher = createCipheriv('aes-256-gcm', required(keyring.keyOf(keyring.current, purpose), 'current key'), nonce)
  cipher.setAAD(Buffer.concat([header, Buffer.from(context)]))
  const sealed = Buffer.concat([cipher.update(text), cipher.final()])
  return Buffer.concat([header, nonce, cipher.getAuthTag(), sealed])
}

/** null where it does not authenticate. */
export function unseal(keyring: Keyring, purpose: Purpose, sealed: Buffer, context = ''): Buffer | null {
  const key = sealed.length < 30 || sealed[0] !== 1 ? null : keyring.keyOf(itemAt(sealed, 1), purpose)
  if (!key) return null
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(2, 14))
    decipher.setAAD(Buffer.concat([sealed.subarray(0, 2), Buffer.from(context)]))
    decipher.setAuthTag(sealed.subarray(14, 30))
    return Buffer.concat([decipher.update(sealed.subarray(30)), decipher.final()])
  } catch {
    return null
  }
}
