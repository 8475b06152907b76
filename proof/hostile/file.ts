// A hostile file and its expected result.

import type { Verdict } from '../../extract/src/types.ts'

export interface HostileFile {
  /** Unique; also its path at the canary. */
  name: string
  group: string
  file_name: string
  media_type: string
  /** `either`: it may be read or refused, as long as it ends well. */
  expected: 'read' | 'refused' | 'either'
  /** Right answers where it is refused. */
  codes: readonly Verdict[]
  /** So much comes out of it that only its first pages are read. */
  is_cut?: boolean
  /** Must be in the text where it is read. */
  shows?: string
  /** Must never be in the text. */
  hides?: string
  /** The same bytes each time. `canary` is an address that nothing may ask. */
  make(canary: string): Uint8Array
}

type HostileInput = Pick<HostileFile, 'expected' | 'make'> & Partial<HostileFile>

export const MEDIA_TYPES = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  docm: 'application/vnd.ms-word.document.macroEnabled.12',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xlsm: 'application/vnd.ms-excel.sheet.macroEnabled.12',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  epub: 'application/epub+zip',
  pdf: 'application/pdf',
  html: 'text/html',
  svg: 'image/svg+xml',
  md: 'text/markdown',
  csv: 'text/csv',
  txt: 'text/plain',
  json: 'application/json',
  rtf: 'application/rtf',
  eml: 'message/rfc822',
  png: 'image/png',
  jpg: 'image/jpeg',
  tiff: 'image/tiff',
  webp: 'image/webp',
  gif: 'image/gif',
  zip: 'application/zip',
} as const

const REFUSALS: readonly Verdict[] = [
  'document_unreadable',
  'document_too_large',
  'unsupported_format',
  'document_empty',
]

/** `name` begins with the ending of its file name, as in `docx_flat_bomb`. */
export function inGroup(group: string): (name: string, given: HostileInput) => HostileFile {
  return (name, given) => {
    const [ending = ''] = name.split('_')
    return {
      name,
      group,
      file_name: `${name}.${ending}`,
      media_type: MEDIA_TYPES[ending as keyof typeof MEDIA_TYPES] ?? 'application/octet-stream',
      codes: REFUSALS,
      ...given,
    }
  }
}
