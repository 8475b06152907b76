// Files that ask for other addresses, and files with programs in them: they are read, and nothing else happens.

import { type HostileFile, inGroup, MEDIA_TYPES } from './file.ts'
import {
  docx,
  epub,
  odt,
  odtContent,
  paragraph,
  pptx,
  R,
  relations,
  sheet,
  slideOf,
  wordDocument,
  xhtml,
  xlsx,
} from './office.ts'
import { onePage, pdf } from './pdf.ts'

const file = inGroup('links')
const read = { expected: 'read', shows: 'Plain text' } as const
const OLE = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2_040, 1)])

const office: HostileFile[] = [
  file('docx_links', {
    ...read,
    make: (canary) => {
      const field = `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>INCLUDEPICTURE "${canary}" \\d</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`
      const picture = `<w:p><w:r><w:drawing><a:blip xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" r:link="rId1"/></w:drawing></w:r></w:p>`
      return docx(wordDocument(paragraph('Plain text') + field + picture), [
        {
          name: 'word/_rels/document.xml.rels',
          data: relations([
            { id: 'rId1', type: 'image', target: `${canary}/image`, is_external: true },
            { id: 'rId2', type: 'attachedTemplate', target: `${canary}/template`, is_external: true },
            { id: 'rId3', type: 'subDocument', target: `${canary}/sub`, is_external: true },
          ]),
        },
      ])
    },
  }),
  file('xlsx_links', {
    ...read,
    shows: 'Plain cell',
    make: (canary) =>
      xlsx({
        sheet: sheet(
          `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"><f>WEBSERVICE("${canary}")</f><v>1</v></c></row>`,
        ),
        more: [
          {
            name: 'xl/externalLinks/externalLink1.xml',
            data: `<externalLink xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" ${R}><externalBook r:id="rId1"/></externalLink>`,
          },
          {
            name: 'xl/externalLinks/_rels/externalLink1.xml.rels',
            data: relations([{ id: 'rId1', type: 'externalLinkPath', target: canary, is_external: true }]),
          },
        ],
      }),
  }),
  file('pptx_links', {
    ...read,
    make: (canary) =>
      pptx(slideOf('Plain text'), {
        more: [
          {
            name: 'ppt/slides/_rels/slide1.xml.rels',
            data: relations([{ id: 'rId1', type: 'video', target: canary, is_external: true }]),
          },
        ],
      }),
  }),
  file('odt_links', {
    ...read,
    make: (canary) =>
      odt(
        odtContent(
          `<text:p>Plain text<draw:frame><draw:image xlink:href="${canary}" xlink:actuate="onLoad"/></draw:frame></text:p><text:section text:name="s"><text:section-source xlink:href="${canary}/section"/></text:section>`,
        ),
      ),
  }),
  file('epub_links', {
    ...read,
    make: (canary) =>
      epub(
        xhtml(
          `<p>Plain text</p><img src="${canary}"/><iframe src="${canary}/frame"></iframe><script src="${canary}/script"></script>`,
        ),
      ),
  }),
]

const others: HostileFile[] = [
  file('html_links', {
    ...read,
    make: (canary) =>
      Buffer.from(
        `<!doctype html><head><base href="${canary}/"><meta http-equiv="refresh" content="0;url=${canary}/refresh"><link rel="stylesheet" href="${canary}/css"><style>@import "${canary}/import";</style><script src="${canary}/script"></script></head><body background="${canary}/back"><p>Plain text</p><img src="${canary}/img" srcset="${canary}/2 2x"><iframe src="${canary}/frame" srcdoc="x"></iframe><object data="${canary}/object"></object><video src="${canary}/video" autoplay></video>`,
      ),
  }),
  file('svg_links', {
    expected: 'either',
    make: (canary) =>
      Buffer.from(
        `<?xml version="1.0"?><?xml-stylesheet href="${canary}/css"?><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image href="${canary}/image"/><use xlink:href="${canary}/use#a"/><script href="${canary}/script"/><text>Plain text</text></svg>`,
      ),
  }),
  file('pdf_links', {
    ...read,
    make: (canary) =>
      pdf(
        onePage({
          catalog: `/OpenAction << /S /GoToR /F << /FS /URL /F (${canary}/remote) >> /D [0 /Fit] >> /URI << /Base (${canary}) >>`,
          page: `/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 612 792] /A << /S /URI /URI (${canary}/uri) >> >>] /AA << /O << /S /SubmitForm /F << /FS /URL /F (${canary}/form) >> >> >>`,
        }),
      ),
  }),
  file('eml_links', {
    ...read,
    make: (canary) =>
      Buffer.from(
        `From: a@example.com\r\nTo: b@example.com\r\nSubject: Plain text\r\nMIME-Version: 1.0\r\nDisposition-Notification-To: a@example.com\r\nContent-Type: text/html\r\n\r\n<p>Plain text</p><img src="${canary}/pixel"><link rel=stylesheet href="${canary}/css">\r\n`,
      ),
  }),
  file('md_links', {
    ...read,
    make: (canary) =>
      Buffer.from(`# Plain text\n\n![image](${canary}/image)\n\n<img src="${canary}/img">\n\n<${canary}/auto>\n`),
  }),
]

const macro = inGroup('active')
const macros: HostileFile[] = [
  macro('docm_macros', {
    ...read,
    make: () =>
      docx(wordDocument(paragraph('Plain text')), [{ name: 'word/vbaProject.bin', data: OLE }], MEDIA_TYPES.docm),
  }),
  macro('xlsm_macros', {
    ...read,
    shows: 'Plain cell',
    make: () =>
      xlsx({
        sheet: sheet(`<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"><f>cmd|' /C calc'!A0</f><v>1</v></c></row>`),
        more: [{ name: 'xl/vbaProject.bin', data: OLE }],
        media_type: MEDIA_TYPES.xlsm,
      }),
  }),
]

export const links: readonly HostileFile[] = [...office, ...others, ...macros]
