// Detects the kind of a file from its bytes. Claims only decide between kinds of text, which bytes cannot distinguish
// reliably.

import { checkArchive, findEntry } from './archive.ts'
import { findKindByMediaType, findKindByName, type KindName, kinds, READABLE } from './kinds.ts'
import { CFB_SIGNATURE, openCompound } from './office/cfb.ts'
import { findStrongText, findWeakText, isText } from './sniff-text.ts'
import { type Bounds, type Claims, Unreadable } from './types.ts'

interface Found {
  format: string
  media_type: string
  warnings: string[]
}

export async function recognise(
  bytes: Uint8Array,
  { claims, bounds }: { claims: Claims; bounds: Bounds },
): Promise<Found> {
  const { name, warnings } = await findKind(bytes, claims, bounds)
  const { format, media_type } = kinds[name]
  return { format, media_type, warnings: [...warningOf(name, claims), ...warnings] }
}

const plain = (name: KindName) => ({ name, warnings: [] })

async function findKind(
  bytes: Uint8Array,
  claims: Claims,
  bounds: Bounds,
): Promise<{ name: KindName; warnings: string[] }> {
  const signed = findSigned(bytes)
  if (signed) return plain(signed)
  if (startsWith(bytes, 'PK\u0003\u0004') || startsWith(bytes, 'PK\u0005\u0006')) return findInArchive(bytes, bounds)
  if (startsWith(bytes, CFB_SIGNATURE)) return plain(findInCompound(bytes))
  if (isLatePdf(bytes)) return plain('pdf')
  if (!isText(bytes)) throw await unknownBinary(bytes)
  const strong = findStrongText(bytes)
  if (strong) return plain(strong)
  const claimed = findKindByName(claims.file_name) ?? findKindByMediaType(claims.media_type)
  if (claimed && isTextKind(claimed)) return plain(claimed)
  return plain(findWeakText(bytes))
}

function findSigned(bytes: Uint8Array): KindName | null {
  if (startsWith(bytes, '\u0089PNG\r\n\u001a\n')) return 'png'
  if (startsWith(bytes, '\u00ff\u00d8\u00ff')) return 'jpeg'
  if (
    startsWith(bytes, 'II*\0') ||
    startsWith(bytes, 'MM\0*') ||
    startsWith(bytes, 'II+\0') ||
    startsWith(bytes, 'MM\0+')
  )
    return 'tiff'
  if (startsWith(bytes, 'RIFF') && startsWith(bytes.subarray(8), 'WEBP')) return 'webp'
  const start = Buffer.from(bytes.subarray(0, 1024))
    .toString('latin1')
    .replace(/^(?:\u00ef\u00bb\u00bf)?[\s\0]*/, '')
  if (start.startsWith('%PDF-')) return 'pdf'
  return start.startsWith('{\\rtf') ? 'rtf' : null
}

/** A PDF after other bytes, such as printer commands or the warnings of a program. A text may quote a header, so the end counts too. */
function isLatePdf(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, PDF_HEADER_BYTES)).toString('latin1')
  const at = start.search(/%PDF-\d\.\d/)
  if (at < 0 || /^mime-version:/im.test(start.slice(0, at))) return false
  return Buffer.from(bytes.subarray(-PDF_END_BYTES)).includes('startxref')
}

const PDF_HEADER_BYTES = 1024
const PDF_END_BYTES = 2048

const isTextKind = (name: KindName): boolean => ['text', 'markdown', 'html', 'csv', 'tsv', 'eml'].includes(name)

function startsWith(bytes: Uint8Array, signature: string): boolean {
  if (bytes.length < signature.length) return false
  for (let i = 0; i < signature.length; i++) if (bytes[i] !== signature.charCodeAt(i)) return false
  return true
}

function findInArchive(bytes: Uint8Array, bounds: Bounds): { name: KindName; warnings: string[] } {
  const archive = checkArchive(bytes, bounds)
  const short = (name: string) =>
    (archive.entries.get(name)?.inflated_bytes ?? 0) < 4_000_000 ? findEntry(archive, name) : null
  const mimetype = short('mimetype')?.toString('latin1').trim() ?? ''
  if (mimetype === 'application/epub+zip' || archive.entries.has('META-INF/container.xml'))
    return { name: 'epub', warnings: [] }
  const odf = /^application\/vnd\.oasis\.opendocument\.(text|spreadsheet|presentation)/.exec(mimetype)?.[1]
  if (odf)
    return { name: ({ text: 'odt', spreadsheet: 'ods', presentation: 'odp' } as const)[odf as 'text'], warnings: [] }
  const types = short('[Content_Types].xml')?.toString('utf8') ?? ''
  const main =
    /(wordprocessingml|presentationml|spreadsheetml|ms-word|ms-powerpoint|ms-excel)[.\w]*\.(?:main|macroEnabled)/i.exec(
      types,
    )?.[1]
  const name = main ? officeKinds[main.toLowerCase()] : undefined
  if (name) {
    const has_macros =
      /vbaProject/i.test(types) || [...archive.entries.keys()].some((one) => one.endsWith('vbaProject.bin'))
    return { name, warnings: has_macros ? ['The file contains macros. They were ignored.'] : [] }
  }
  throw unsupported('a ZIP archive', 'Unpack it and upload the files one by one.')
}

const officeKinds: Record<string, KindName> = {
  wordprocessingml: 'docx',
  'ms-word': 'docx',
  presentationml: 'pptx',
  'ms-powerpoint': 'pptx',
  spreadsheetml: 'xlsx',
  'ms-excel': 'xlsx',
}

/** Names of streams, in the order in which they are looked for. */
const oldStreams = [
  ['WordDocument', 'an old Word document (.doc)', '.docx'],
  ['PowerPoint Document', 'an old PowerPoint presentation (.ppt)', '.pptx'],
  ['Workbook', 'an old Excel workbook (.xls)', '.xlsx'],
  ['Book', 'an old Excel workbook (.xls)', '.xlsx'],
] as const

function findInCompound(bytes: Uint8Array): KindName {
  const { streams } = openCompound(bytes)
  const has = (stream: string) => streams.has(stream.toLowerCase())
  if (has('EncryptedPackage'))
    throw new Unreadable(
      'document_unreadable',
      'The file is protected by a password. Upload it again with its `password`.',
    )
  if (has('__properties_version1.0')) return 'msg'
  const [, label, ending] = oldStreams.find(([stream]) => has(stream)) ?? [
    null,
    'an old Office file',
    'a current format, such as .docx',
  ]
  throw unsupported(
    label,
    `Save it as ${ending} and upload the new file. The operator can set TIKA_URL, so that a Tika server reads it.`,
  )
}

function unsupported(what: string, advice = ''): Unreadable {
  return new Unreadable(
    'unsupported_format',
    `The file seems to be ${what}, which cannot be read. ${advice}${advice ? ' ' : ''}${READABLE}.`,
  )
}

async function unknownBinary(bytes: Uint8Array): Promise<Unreadable> {
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(bytes.subarray(0, 1024 * 1024)).catch(() => undefined)
  if (!found) return new Unreadable('unsupported_format', `The type of the file is unknown. ${READABLE}.`)
  if (['exe', 'elf', 'macho', 'dex', 'class', 'wasm'].includes(found.ext)) return unsupported('a program')
  const [top] = found.mime.split('/')
  const is_packed = /zip|rar|7z|tar|gz|bz2|xz|zst|lz|cab|arj|compress/.test(found.ext)
  if (is_packed) return unsupported(`an archive (.${found.ext})`, 'Unpack it and upload the files one by one.')
  if (top === 'image') return unsupported(`an image (.${found.ext})`, 'Save it as .png and upload that.')
  return unsupported(top === 'video' || top === 'audio' ? `${top} (.${found.ext})` : `a .${found.ext} file`)
}

/** The wrong ending of a name is a smaller thing than a wrong media type, and the same is not said twice. */
function warningOf(name: KindName, { media_type, file_name }: Claims): string[] {
  const by_type = findKindByMediaType(media_type)
  const by_name = findKindByName(file_name)
  const { label } = kinds[name]
  // Clients call every text `text/plain`.
  if (by_type && by_type !== name && !(by_type === 'text' && isTextKind(name)))
    return [`Declared as ${kinds[by_type].media_type}, but it is ${label}.`]
  return by_name && by_name !== name ? [`Named as if it were ${kinds[by_name].label}, but it is ${label}.`] : []
}
