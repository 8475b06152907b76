// The supported kinds of files. Claims are matched against them, and detection from the bytes returns one of them.

export interface Kind {
  /** A file of `formats/`. */
  format: string
  media_type: string
  /** As in 'but it is …'. */
  label: string
  /** File name extensions, without the dot. */
  extensions: readonly string[]
  /** Other names of the media type. */
  aliases?: readonly string[]
}

const OPEN_XML = 'application/vnd.openxmlformats-officedocument'
const ODF = 'application/vnd.oasis.opendocument'

export const kinds = {
  pdf: {
    format: 'pdf',
    media_type: 'application/pdf',
    label: 'a PDF',
    extensions: ['pdf'],
    aliases: ['application/x-pdf'],
  },
  docx: {
    format: 'docx',
    media_type: `${OPEN_XML}.wordprocessingml.document`,
    label: 'a Word document',
    extensions: ['docx', 'docm', 'dotx', 'dotm'],
    aliases: ['application/vnd.ms-word.document.macroEnabled.12', `${OPEN_XML}.wordprocessingml.template`],
  },
  pptx: {
    format: 'pptx',
    media_type: `${OPEN_XML}.presentationml.presentation`,
    label: 'a PowerPoint presentation',
    extensions: ['pptx', 'pptm', 'ppsx', 'ppsm', 'potx', 'potm'],
    aliases: ['application/vnd.ms-powerpoint.presentation.macroEnabled.12', `${OPEN_XML}.presentationml.slideshow`],
  },
  xlsx: {
    format: 'xlsx',
    media_type: `${OPEN_XML}.spreadsheetml.sheet`,
    label: 'an Excel workbook',
    extensions: ['xlsx', 'xlsm', 'xltx', 'xltm'],
    aliases: ['application/vnd.ms-excel.sheet.macroEnabled.12', `${OPEN_XML}.spreadsheetml.template`],
  },
  odt: { format: 'odt', media_type: `${ODF}.text`, label: 'an OpenDocument text', extensions: ['odt', 'ott'] },
  ods: {
    format: 'ods',
    media_type: `${ODF}.spreadsheet`,
    label: 'an OpenDocument spreadsheet',
    extensions: ['ods', 'ots'],
  },
  odp: {
    format: 'odp',
    media_type: `${ODF}.presentation`,
    label: 'an OpenDocument presentation',
    extensions: ['odp', 'otp'],
  },
  epub: { format: 'epub', media_type: 'application/epub+zip', label: 'an EPUB book', extensions: ['epub'] },
  rtf: {
    format: 'rtf',
    media_type: 'application/rtf',
    label: 'an RTF document',
    extensions: ['rtf'],
    aliases: ['text/rtf'],
  },
  html: {
    format: 'html',
    media_type: 'text/html',
    label: 'an HTML page',
    extensions: ['html', 'htm', 'xhtml'],
    aliases: ['application/xhtml+xml'],
  },
  markdown: {
    format: 'markdown',
    media_type: 'text/markdown',
    label: 'a Markdown text',
    extensions: ['md', 'markdown'],
    aliases: ['text/x-markdown'],
  },
  csv: {
    format: 'csv',
    media_type: 'text/csv',
    label: 'a CSV table',
    extensions: ['csv'],
    aliases: ['application/csv'],
  },
  tsv: { format: 'csv', media_type: 'text/tab-separated-values', label: 'a TSV table', extensions: ['tsv', 'tab'] },
  eml: { format: 'eml', media_type: 'message/rfc822', label: 'a mail', extensions: ['eml'] },
  msg: {
    format: 'msg',
    media_type: 'application/vnd.ms-outlook',
    label: 'an Outlook message',
    extensions: ['msg'],
    aliases: ['application/x-msg'],
  },
  text: { format: 'text', media_type: 'text/plain', label: 'plain text', extensions: ['txt', 'text', 'log'] },
  png: { format: 'png', media_type: 'image/png', label: 'a PNG image', extensions: ['png'] },
  jpeg: {
    format: 'jpeg',
    media_type: 'image/jpeg',
    label: 'a JPEG image',
    extensions: ['jpg', 'jpeg'],
    aliases: ['image/jpg'],
  },
  tiff: { format: 'tiff', media_type: 'image/tiff', label: 'a TIFF image', extensions: ['tif', 'tiff'] },
  webp: { format: 'webp', media_type: 'image/webp', label: 'a WebP image', extensions: ['webp'] },
} as const satisfies Record<string, Kind>

export type KindName = keyof typeof kinds

export const READABLE =
  'PDF, DOCX, PPTX, XLSX, ODT, ODS, ODP, RTF, EPUB, HTML, Markdown, CSV, TSV, plain text, EML, MSG, PNG, JPEG, TIFF and WebP can be read'

const entries = Object.entries(kinds) as [KindName, Kind][]

export function findKindByMediaType(media_type: string | null): KindName | null {
  const own = media_type?.split(';')[0]?.trim().toLowerCase()
  if (!own) return null
  return (
    entries.find(
      ([, kind]) => kind.media_type === own || kind.aliases?.some((alias) => alias.toLowerCase() === own),
    )?.[0] ?? null
  )
}

export function findKindByName(file_name: string | null): KindName | null {
  const extension = /\.([a-z0-9]{1,10})$/i.exec(file_name ?? '')?.[1]?.toLowerCase()
  if (!extension) return null
  return entries.find(([, { extensions }]) => extensions.includes(extension))?.[0] ?? null
}
