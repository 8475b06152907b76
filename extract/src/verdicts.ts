// Errors for the owner of a file whose child ended or failed: never a path, a stack trace or a library's message.

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
      ? ['The file', 'Split it into smaller files or save it in a simpler format, then upload the new files.']
      : [`Page ${page}`, 'Save this page in a simpler format, for instance as a new PDF, and upload it.']
  const tooLarge = (text: string) => new Unreadable('document_too_large', `${what} ${text} ${remedy}`, page)
  if (why === 'memory') return tooLarge(`needs more memory than the limit of ${allowed.resident_mb} MB.`)
  if (why === 'time') return tooLarge(`takes longer than the limit of ${Math.ceil(allowed.seconds)} seconds.`)
  if (why === 'output') return tooLarge('has too much content.')
  return new Unreadable(
    'document_unreadable',
    `${what} cannot be read: it is damaged or unusual. Open it in the program that created it, save it again and upload the new file.`,
    page,
  )
}

export const tooManyDeaths = (count: number) =>
  new Unreadable(
    'document_unreadable',
    `Octavo stopped after ${count} unreadable pages. Save the file in a simpler format, for instance as a new PDF, and upload it.`,
  )

export const tooManySeconds = (pages_read: number) =>
  new Unreadable(
    'document_too_large',
    `Octavo stopped after ${pages_read === 1 ? '1 page' : `${pages_read} pages`} because the file takes much longer than usual. ` +
      'Split the file or save it in a simpler format, for instance as a new PDF, and upload it.',
  )

export const tooManyBytes = (max_bytes: number) =>
  new Unreadable(
    'document_too_large',
    `The file is larger than the limit of ${mebibytes(max_bytes)} MiB. Split it and upload the parts.`,
  )

const mebibytes = (bytes: number): number => Math.floor(bytes / 1024 / 1024)
