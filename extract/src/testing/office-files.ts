// Small Office files, made of the XML that a test writes.

import type { Block } from '@octavo/contract'
import { strToU8, zipSync } from 'fflate'
import type { Format, OpenFormat, ParsedPage } from '../types.ts'

const bounds = { max_bytes: 64 * 1024 * 1024, max_pages: 2_000, max_inflated_bytes: 64 * 1024 * 1024, max_pixels: 1e7 }

export const zipOf = (parts: Record<string, string>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])))

export async function openWith(format: Format, bytes: Uint8Array): Promise<OpenFormat> {
  return format.open(bytes, {
    claims: { media_type: null, file_name: null },
    media_type: format.media_types[0],
    bounds,
  })
}

export async function pagesWith(format: Format, bytes: Uint8Array): Promise<ParsedPage[]> {
  const opened = await openWith(format, bytes)
  const pages: ParsedPage[] = []
  for (let number = 1; number <= opened.page_count; number++) pages.push(await opened.page(number))
  return pages
}

/** A block in one line: `heading 1: Text`. */
const blockLine = ({ type, level, text }: Block): string => `${type}${level === undefined ? '' : ` ${level}`}: ${text}`
export const blockLines = (page: ParsedPage | undefined): string[] => (page?.blocks ?? []).map(blockLine)

/** Cells in one line each: `1,2 2x1 text` is at row 1, column 2, over two rows. */
export const cellsOf = (block: Block | undefined): string[] =>
  (block?.table?.cells ?? []).map(
    (cell) => `${cell.row},${cell.column} ${cell.row_span}x${cell.column_span} ${cell.text}`,
  )

const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** `id type target`, one in a line. */
export const relationsXml = (...lines: string[]): string =>
  `<Relationships xmlns="${RELATIONS}">${lines
    .map((line) => line.split(' '))
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`

export const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
export const SLIDE =
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
  `xmlns:r="${OFFICE}"`
export const SHEET = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${OFFICE}"`
export const ODF = [
  'office',
  'text',
  'table',
  'drawing',
  'style',
  'presentation',
  'xsl-fo-compatible',
  'svg-compatible',
]
  .map((name) => {
    const prefix =
      name === 'drawing' ? 'draw' : name.replace('xsl-fo-compatible', 'fo').replace('svg-compatible', 'svg')
    return `xmlns:${prefix}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`
  })
  .join(' ')

export function docxOf(body: string, parts: Record<string, string> = {}): Uint8Array {
  return zipOf({
    '_rels/.rels': relationsXml('r1 officeDocument word/document.xml'),
    'word/document.xml': `<w:document ${WORD} xmlns:r="${OFFICE}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><w:body>${body}</w:body></w:document>`,
    ...parts,
  })
}

export const odfOf = (kind: string, body: string, styles = ''): Uint8Array =>
  zipOf({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `<office:document-content ${ODF}><office:automatic-styles>${styles}</office:automatic-styles><office:body>${body}</office:body></office:document-content>`,
  })

/** More than a hundred times its size, once unpacked. */
export const BOMB = ' '.repeat(16 * 1024 * 1024)
