import { createHash } from 'node:crypto'

/** Hex digest of bytes, or of a text as UTF-8. */
export const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex')

/** 22 characters that stand for bytes or a text, as part of a key, a cookie or an entity tag. */
export const shortDigest = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 22)
