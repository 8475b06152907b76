// The smallest files of each Office format that are read, with room for what should not be in them.

import { MEDIA_TYPES } from './file.ts'
import { type HostileEntry, zip } from './zip.ts'

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
export const R = `xmlns:r="${OFFICE}/relationships"`
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const SLIDE = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ${R}`
const ODF = ['office', 'text', 'table', 'draw', 'script'].map(
  (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
)
const XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"'

interface HostileLink {
  id: string
  type: string
  target: string
  is_external?: boolean
}

export function relations(links: readonly HostileLink[]): string {
  const each = links.map(
    ({ id, type, target, is_external }) =>
      `<Relationship Id="${id}" Type="${type.includes(':') ? type : `${OFFICE}/relationships/${type}`}" Target="${target}"${is_external ? ' TargetMode="External"' : ''}/>`,
  )
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${each.join('')}</Relationships>`
}

function contentTypes(parts: Record<string, string>): string {
  const each = Object.entries(parts).map(([name, type]) => `<Override PartName="${name}" ContentType="${type}"/>`)
  const defaults = `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="bin" ContentType="application/vnd.ms-office.vbaProject"/>`
  return `${XML}<Types xmlns="${PACKAGE}/content-types">${defaults}${each.join('')}</Types>`
}

export const paragraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
export const wordDocument = (body: string, doctype = ''): string =>
  `<?xml version="1.0" encoding="UTF-8"?>${doctype}<w:document ${W} ${R}><w:body>${body}</w:body></w:document>`

/** `document` is its main part; `more` comes after it. */
export function docxEntries(
  document: HostileEntry['data'],
  more: readonly HostileEntry[] = [],
  media_type: string = MEDIA_TYPES.docx,
): HostileEntry[] {
  const main = `${media_type}.main+xml`
  return [
    { name: '[Content_Types].xml', data: contentTypes({ '/word/document.xml': main }) },
    { name: '_rels/.rels', data: relations([{ id: 'rId1', type: 'officeDocument', target: 'word/document.xml' }]) },
    { name: 'word/document.xml', data: document },
    ...more,
  ]
}
export const docx = (
  document: HostileEntry['data'],
  more: readonly HostileEntry[] = [],
  media_type: string = MEDIA_TYPES.docx,
): Buffer => zip(docxEntries(document, more, media_type))

export const sheet = (rows: string, after = ''): string =>
  `${XML}<worksheet ${MAIN} ${R}><sheetData>${rows}</sheetData>${after}</worksheet>`
export const sharedStrings = (items: string, doctype = ''): string =>
  `<?xml version="1.0" encoding="UTF-8"?>${doctype}<sst ${MAIN}>${items}</sst>`

interface HostileWorkbook {
  sheet: HostileEntry['data']
  strings?: HostileEntry['data']
  more?: readonly HostileEntry[]
  media_type?: string
}

export function xlsx({ sheet, strings, more = [], media_type = MEDIA_TYPES.xlsx }: HostileWorkbook): Buffer {
  const spread = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  return zip([
    {
      name: '[Content_Types].xml',
      data: contentTypes({
        '/xl/workbook.xml': media_type === MEDIA_TYPES.xlsx ? `${spread}.sheet.main+xml` : `${media_type}.main+xml`,
        '/xl/worksheets/sheet1.xml': `${spread}.worksheet+xml`,
        '/xl/sharedStrings.xml': `${spread}.sharedStrings+xml`,
      }),
    },
    { name: '_rels/.rels', data: relations([{ id: 'rId1', type: 'officeDocument', target: 'xl/workbook.xml' }]) },
    {
      name: 'xl/workbook.xml',
      data: `${XML}<workbook ${MAIN} ${R}><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      data: relations([
        { id: 'rId1', type: 'worksheet', target: 'worksheets/sheet1.xml' },
        { id: 'rId2', type: 'sharedStrings', target: 'sharedStrings.xml' },
      ]),
    },
    { name: 'xl/worksheets/sheet1.xml', data: sheet },
    { name: 'xl/sharedStrings.xml', data: strings ?? sharedStrings('<si><t>Plain cell</t></si>') },
    ...more,
  ])
}

export const slideOf = (text: string): string =>
  `${XML}<p:sld ${SLIDE}><p:cSld><p:spTree><p:sp><p:txBody><a:bodyPr/><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`

/** `times`: how often the presentation names its one slide. */
export function pptx(slide: HostileEntry['data'], { times = 1, more = [] as readonly HostileEntry[] } = {}): Buffer {
  const present = 'application/vnd.openxmlformats-officedocument.presentationml'
  const ids = Array.from({ length: times }, (_, i) => `<p:sldId id="${256 + i}" r:id="rId1"/>`).join('')
  return zip([
    {
      name: '[Content_Types].xml',
      data: contentTypes({
        '/ppt/presentation.xml': `${present}.presentation.main+xml`,
        '/ppt/slides/slide1.xml': `${present}.slide+xml`,
      }),
    },
    { name: '_rels/.rels', data: relations([{ id: 'rId1', type: 'officeDocument', target: 'ppt/presentation.xml' }]) },
    {
      name: 'ppt/presentation.xml',
      data: `${XML}<p:presentation ${SLIDE}><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    },
    {
      name: 'ppt/_rels/presentation.xml.rels',
      data: relations([{ id: 'rId1', type: 'slide', target: 'slides/slide1.xml' }]),
    },
    { name: 'ppt/slides/slide1.xml', data: slide },
    ...more,
  ])
}

export const odtContent = (body: string, doctype = ''): string =>
  `<?xml version="1.0" encoding="UTF-8"?>${doctype}<office:document-content ${ODF.join(' ')} ${XLINK} office:version="1.3"><office:body><office:text>${body}</office:text></office:body></office:document-content>`
export const odsContent = (rows: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><office:document-content ${ODF.join(' ')} office:version="1.3"><office:body><office:spreadsheet><table:table table:name="S">${rows}</table:table></office:spreadsheet></office:body></office:document-content>`

export function openDocument(
  media_type: string,
  content: HostileEntry['data'],
  more: readonly HostileEntry[] = [],
): Buffer {
  const manifest = `<?xml version="1.0" encoding="UTF-8"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="${media_type}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>`
  return zip([
    { name: 'mimetype', data: media_type },
    { name: 'content.xml', data: content },
    { name: 'META-INF/manifest.xml', data: manifest },
    ...more,
  ])
}
export const odt = (content: HostileEntry['data'], more: readonly HostileEntry[] = []): Buffer =>
  openDocument(MEDIA_TYPES.odt, content, more)

export const xhtml = (body: string): string =>
  `${XML}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>One</title></head><body>${body}</body></html>`

export function epub(chapter: HostileEntry['data'], more: readonly HostileEntry[] = []): Buffer {
  return zip([
    { name: 'mimetype', data: MEDIA_TYPES.epub },
    {
      name: 'META-INF/container.xml',
      data: `${XML}<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    },
    {
      name: 'book.opf',
      data: `${XML}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Book</dc:title><dc:identifier id="id">one</dc:identifier><dc:language>en</dc:language></metadata><manifest><item id="c" href="one.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/></spine></package>`,
    },
    { name: 'one.xhtml', data: chapter },
    ...more,
  ])
}
