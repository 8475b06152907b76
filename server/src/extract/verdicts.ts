// What is said about a file whose child ended or failed. For its owner: never a path, a stack or a word of a library.

import type { Death } from './parser.ts'
import { Unreadable } from './types.ts'

export interface Allowed {
  resident_mb: number
  seconds: number
}

/** `page` is null while the file is being opened. */
export function verdictOf(why: Death, page: number | null, allowed: Allowed): Unreadable {
  const [what, remedy] =
    page === null
      ? ['The file', 'Split it into smaller files, or save it in a simpler form, and upload those.']
      : [`Page ${page}`, 'Save this page in a simpler form, for instance as a new PDF, and upload that.']
  const tooLarge = (text: string) => new Unreadable('document_too_large', `${what} ${text} ${remedy}`, page)
  if (why === 'memory')
    return tooLarge(`needs more memory than the ${allowed.resident_mb} MB that are allowed for reading it.`)
  if (why === 'time')
    return tooLarge(`takes longer than the ${Math.ceil(allowed.seconds)} seconds that are allowed for reading it.`)
  if (why === 'output') return tooLarge('contains more than can be read at once.')
  return new Unreadable(
    'document_unreadable',
    `${what} cannot be read: it is damaged or unusual. Open it in the program that made it, save it again and upload that.`,
    page,
  )
}

export const tooManyDeaths = (count: number) =>
  new Unreadable(
    'document_unreadable',
    `Reading was given up after ${count} pages that could not be read. Save the file in a simpler form, for instance as a new PDF, and upload that.`,
  )

export const tooManySeconds = (pages_read: number) =>
  new Unreadable(
    'document_too_large',
    `Reading was given up after ${pages_read === 1 ? '1 page' : `${pages_read} pages`}: it takes much longer than usual. ` +
      'Split the file, or save it in a simpler form, for instance as a new PDF, and upload that.',
  )

export const tooManyBytes = (max_bytes: number) =>
  new Unreadable(
    'document_too_large',
    `The file is larger than the ${mebibytes(max_bytes)} MiB that can be read. Split it and upload the parts.`,
  )

const mebibytes = (bytes: number): number => Math.floor(bytes / 1024 / 1024)
