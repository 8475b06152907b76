import { createHash } from 'node:crypto'

/** Of bytes, or of a text as UTF-8, in hexadecimal. */
export const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex')
