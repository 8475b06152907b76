import { createHash } from 'node:crypto'

/** Of a text as UTF-8, in hexadecimal. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
