// XML and HTML that grow, go deep, or call for other files.

import { type HostileFile, inGroup, MEDIA_TYPES } from './file.ts'
import {
  docx,
  epub,
  odsContent,
  odt,
  odtContent,
  openDocument,
  paragraph,
  pptx,
  sharedStrings,
  sheet,
  slideOf,
  wordDocument,
  xhtml,
  xlsx,
} from './office.ts'

const entities = inGroup('entities')
const deep = inGroup('depth')
const DEEP = 100_000

function laughs(root: string): string {
  const each = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`)
  return `<!DOCTYPE ${root} [<!ENTITY l0 "lol">${each.join('')}]>`
}
const outside = (root: string, canary: string): string =>
  `<!DOCTYPE ${root} SYSTEM "${canary}.dtd" [<!ENTITY % all SYSTEM "${canary}.ent"> %all; <!ENTITY passwd SYSTEM "file:///etc/passwd"><!ENTITY out SYSTEM "${canary}">]>`
const stringCell = '<row r="1"><c r="A1" t="s"><v>0</v></c></row>'
const svgOf = (inside: string, doctype = ''): string =>
  `<?xml version="1.0"?>${doctype}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><text>${inside}</text></svg>`

const growing: HostileFile[] = [
  entities('docx_billion_laughs', {
    expected: 'either',
    make: () => docx(wordDocument(paragraph('&l9;'), laughs('w:document'))),
  }),
  entities('odt_billion_laughs', {
    expected: 'either',
    make: () => odt(odtContent('<text:p>&l9;</text:p>', laughs('office:document-content'))),
  }),
  entities('xlsx_billion_laughs', {
    expected: 'either',
    make: () => xlsx({ sheet: sheet(stringCell), strings: sharedStrings('<si><t>&l9;</t></si>', laughs('sst')) }),
  }),
  entities('svg_billion_laughs', { expected: 'either', make: () => Buffer.from(svgOf('&l9;', laughs('svg'))) }),
  entities('html_billion_laughs', {
    expected: 'either',
    make: () => Buffer.from(`${laughs('html')}<html><body><p>&l9;</p></body></html>`),
  }),
  entities('docx_quadratic_entity', {
    expected: 'either',
    make: () =>
      docx(
        wordDocument(paragraph('&a;'.repeat(100_000)), `<!DOCTYPE w:document [<!ENTITY a "${'lol'.repeat(40_000)}">]>`),
      ),
  }),
  entities('docx_outer_entity', {
    expected: 'either',
    hides: 'root:',
    make: (canary) => docx(wordDocument(paragraph('&passwd;&out;'), outside('w:document', canary))),
  }),
  entities('odt_outer_entity', {
    expected: 'either',
    hides: 'root:',
    make: (canary) => odt(odtContent('<text:p>&passwd;&out;</text:p>', outside('office:document-content', canary))),
  }),
  entities('xlsx_outer_entity', {
    expected: 'either',
    hides: 'root:',
    make: (canary) =>
      xlsx({
        sheet: sheet(stringCell),
        strings: sharedStrings('<si><t>&passwd;&out;</t></si>', outside('sst', canary)),
      }),
  }),
  entities('svg_outer_entity', {
    expected: 'either',
    hides: 'root:',
    make: (canary) => Buffer.from(svgOf('&passwd;&out;', outside('svg', canary))),
  }),
]

/** Each element has a different number, so that the depth is refused and not the compression ratio. */
const opened = (open: (i: string) => string, times = DEEP): string =>
  Array.from({ length: times }, (_, i) => open(Math.imul(i + 1, 0x9e3779b1).toString(36))).join('')

const around = (open: string, close: string, inside: string, times = DEEP): string =>
  open.repeat(times) + inside + close.repeat(times)

const depths: HostileFile[] = [
  deep('docx_deep_controls', {
    expected: 'either',
    make: () =>
      docx(
        wordDocument(
          `${opened((i) => `<w:sdt><w:sdtPr><w:tag w:val="${i}"/></w:sdtPr><w:sdtContent>`)}${around('', '</w:sdtContent></w:sdt>', paragraph('Deep'))}`,
        ),
      ),
  }),
  deep('docx_deep_tables', {
    expected: 'either',
    make: () => docx(wordDocument(around('<w:tbl><w:tr><w:tc>', '</w:tc></w:tr></w:tbl>', paragraph('Deep'), 20_000))),
  }),
  deep('docx_wide_spans', {
    expected: 'either',
    make: () => {
      const cell = `<w:tc><w:tcPr><w:gridSpan w:val="2147483647"/><w:vMerge/></w:tcPr>${paragraph('Wide')}</w:tc>`
      return docx(wordDocument(`<w:tbl>${`<w:tr>${cell}${cell}</w:tr>`.repeat(50)}</w:tbl>`))
    },
  }),
  deep('odt_deep_sections', {
    expected: 'either',
    make: () =>
      odt(
        odtContent(
          opened((i) => `<text:section text:name="${i}">`) + around('', '</text:section>', '<text:p>Deep</text:p>'),
        ),
      ),
  }),
  deep('epub_deep_divisions', {
    expected: 'either',
    make: () => epub(xhtml(opened((i) => `<div id="${i}">`) + around('', '</div>', '<p>Deep</p>'))),
  }),
  deep('html_deep_divisions', {
    expected: 'either',
    make: () => Buffer.from(`<!doctype html><body>${around('<div>', '</div>', 'Deep')}`),
  }),
  deep('html_deep_tables', {
    expected: 'either',
    make: () => Buffer.from(`<!doctype html><body>${around('<table><tr><td>', '</td></tr></table>', 'Deep', 30_000)}`),
  }),
  deep('html_misnested', {
    expected: 'either',
    make: () =>
      Buffer.from(
        `<!doctype html><body>${'<a><b><i><u><font><p>x'.repeat(20_000)}${'</b></a></u></i>'.repeat(20_000)}`,
      ),
  }),
  deep('html_wide_spans', {
    expected: 'either',
    make: () =>
      Buffer.from(
        `<!doctype html><table>${'<tr><td colspan="1000000000" rowspan="65534">Wide<td colspan=99999 rowspan=0>x</tr>'.repeat(200)}`,
      ),
  }),
  deep('html_many_attributes', {
    expected: 'either',
    make: () =>
      Buffer.from(`<!doctype html><p ${Array.from({ length: 100_000 }, (_, i) => `a${i}=1`).join(' ')}>Plain text</p>`),
  }),
  deep('json_deep_arrays', { expected: 'either', make: () => Buffer.from(around('[', ']', '1', 1_000_000)) }),
]

const cells = inGroup('sheets')
const cellOf = (inside: string, repeated = ''): string =>
  `<table:table-cell ${repeated} office:value-type="string"><text:p>${inside}</text:p></table:table-cell>`

const sheets: HostileFile[] = [
  cells('ods_repeated_columns', {
    expected: 'either',
    make: () =>
      openDocument(
        MEDIA_TYPES.ods,
        odsContent(
          `<table:table-row>${cellOf('Cell', 'table:number-columns-repeated="1000000000"')}</table:table-row>`,
        ),
      ),
  }),
  cells('ods_repeated_rows', {
    expected: 'either',
    make: () =>
      openDocument(
        MEDIA_TYPES.ods,
        odsContent(
          `<table:table-row table:number-rows-repeated="1000000000">${cellOf('Cell', 'table:number-columns-repeated="16384"')}</table:table-row>`,
        ),
      ),
  }),
  cells('xlsx_last_cell', {
    expected: 'either',
    shows: 'Plain cell',
    make: () =>
      xlsx({
        sheet: sheet(
          `<row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="1048576"><c r="XFD1048576" t="s"><v>0</v></c></row>`,
          '<mergeCells><mergeCell ref="A1:XFD1048576"/><mergeCell ref="A1:ZZZZZZ9999999999"/></mergeCells>',
        ),
      }),
  }),
  cells('xlsx_one_string_often', {
    expected: 'read',
    is_cut: true,
    make: () =>
      xlsx({
        sheet: sheet(
          Array.from({ length: 50_000 }, (_, i) => `<row r="${i + 1}"><c r="A${i + 1}" t="s"><v>0</v></c></row>`).join(
            '',
          ),
        ),
        strings: sharedStrings(`<si><t>${'word '.repeat(40_000)}</t></si>`),
      }),
  }),
  cells('xlsx_wrong_indices', {
    expected: 'either',
    make: () =>
      xlsx({
        sheet: sheet(
          '<row r="-1"><c r="A1" t="s"><v>-1</v></c><c r="" t="s"><v>1e300</v></c><c r="__proto__1" t="s"><v>__proto__</v></c><c r="B2"><f>B2</f><v>1</v></c></row>',
        ),
      }),
  }),
  cells('pptx_100000_slides', { expected: 'either', make: () => pptx(slideOf('Slide'), { times: DEEP }) }),
]

export const markup: readonly HostileFile[] = [...growing, ...depths, ...sheets]
