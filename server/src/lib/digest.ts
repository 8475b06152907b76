import { createHash } from 'node:crypto'

/** Hex digest of bytes, or of a text as UTF-8. */
export const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex')
