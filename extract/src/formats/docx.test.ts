import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BOMB, blockLines, cellsOf, docxOf, openWith, pagesWith, relationsXml, WORD } from '../testing/office-files.ts'
import { docx } from './docx.ts'

const p = (text: string, properties = '') => `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`
const tc = (text: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${p(text)}</w:tc>`
const styles = `<w:styles ${WORD}>
  <w:style w:type="paragraph" w:styleId="T"><w:name w:val="Title"/></w:style>
  <w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/></w:style>
  <w:style w:type="paragraph" w:styleId="Own"><w:name w:val="Mine"/><w:basedOn w:val="H1"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style>
  <w:style w:type="paragraph" w:styleId="Src"><w:name w:val="Source Code"/></w:style>
  <w:style w:type="paragraph" w:styleId="Chapter"><w:name w:val="Chapter"/><w:pPr><w:pageBreakBefore/></w:pPr></w:style>
</w:styles>`
const numbering = `<w:numbering ${WORD}>
  <w:abstractNum w:abstractNumId="1">
    <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
    <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2)"/></w:lvl>
  </w:abstractNum>
  <w:abstractNum w:abstractNumId="2"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/></w:lvl></w:abstractNum>
  <w:num w:numId="5"><w:abstractNumId w:val="1"/></w:num>
  <w:num w:numId="6"><w:abstractNumId w:val="2"/></w:num>
</w:numbering>`
const item = (text: string, id: number, level: number) =>
  p(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${id}"/></w:numPr>`)
const parts = {
  'word/_rels/document.xml.rels': relationsXml(
    's styles styles.xml',
    'n numbering numbering.xml',
    'f footnotes footnotes.xml',
    'h header header1.xml',
    'o footer footer1.xml',
  ),
  'word/styles.xml': styles,
  'word/numbering.xml': numbering,
  'word/header1.xml': `<w:hdr ${WORD}>${p('Confidential')}</w:hdr>`,
  'word/footer1.xml': `<w:ftr ${WORD}>${p('17')}</w:ftr>`,
  'word/footnotes.xml': `<w:footnotes ${WORD}><w:footnote w:id="0" w:type="separator">${p('---')}</w:footnote><w:footnote w:id="2">${p('The small print')}</w:footnote></w:footnotes>`,
}

test('recognizes titles, headings, numbered lists and code', async () => {
  const body = [
    p('Lease', '<w:pStyle w:val="T"/>'),
    p('Parties', '<w:pStyle w:val="H1"/>'),
    p('Deeper', '<w:pStyle w:val="Own"/>'),
    item('first', 5, 0),
    item('inner', 5, 1),
    item('second', 5, 0),
    item('dot', 6, 0),
    p('let a = 1', '<w:pStyle w:val="Src"/>'),
    p('let b = 2', '<w:pStyle w:val="Src"/>'),
    p('Plain &amp; simple'),
  ]

  const [page] = await pagesWith(docx, docxOf(body.join(''), parts))

  assert.deepEqual(blockLines(page), [
    'title: Lease',
    'heading 1: Parties',
    'heading 3: Deeper',
    'list_item 1: 1. first',
    'list_item 2: 1.a) inner',
    'list_item 1: 2. second',
    'list_item 1: dot',
    'code: let a = 1\nlet b = 2',
    'paragraph: Plain & simple',
  ])
})

test('cells keep their spans', async () => {
  const table = `<w:tbl>
    <w:tr>${tc('wide', '<w:gridSpan w:val="2"/>')}${tc('tall', '<w:vMerge w:val="restart"/>')}</w:tr>
    <w:tr>${tc('a')}${tc('b')}${tc('', '<w:vMerge/>')}</w:tr>
    <w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>${tc('late')}${tc('c')}</w:tr></w:tbl>`

  const [page] = await pagesWith(docx, docxOf(table))

  assert.deepEqual(cellsOf(page?.blocks[0]), [
    '1,1 1x2 wide',
    '1,3 2x1 tall',
    '2,1 1x1 a',
    '2,2 1x1 b',
    '3,2 1x1 late',
    '3,3 1x1 c',
  ])
  assert.equal(page?.blocks[0]?.text, 'wide\ttall\na\tb\nlate\tc')
})

test('breaks pages at every kind of break, and once for equivalent breaks', async () => {
  const section = (type: string) => `<w:sectPr><w:type w:val="${type}"/><w:pgSz w:w="11906" w:h="16838"/></w:sectPr>`
  const body = [
    '<w:p><w:r><w:t>one</w:t><w:br w:type="page"/><w:lastRenderedPageBreak/><w:t>two</w:t></w:r></w:p>',
    p('three', '<w:pStyle w:val="Chapter"/>'),
    '<w:p><w:r><w:t>still three </w:t><w:lastRenderedPageBreak/><w:t>four</w:t></w:r></w:p>',
    p('end of a section', section('nextPage')),
    p('goes on', section('continuous')),
    p('five'),
    section('nextPage'),
  ]

  const pages = await pagesWith(docx, docxOf(body.join(''), parts))

  assert.deepEqual(
    pages.map((page) => page.blocks.map(({ text }) => text).join('|')),
    ['one', 'two', 'three|still three', 'four|end of a section|goes on', 'five'],
  )
  assert.deepEqual([pages[0]?.width, pages[0]?.height], [595.3, 841.9])
})

test('keeps notes, text boxes, headers and alt texts, and drops deleted and hidden text', async () => {
  const body = `
    <w:p><w:r><w:t>Text</w:t><w:footnoteReference w:id="2"/></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>
      <w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:ins><w:r><w:t> kept</w:t></w:r></w:ins></w:p>
    <w:p><w:r><mc:AlternateContent><mc:Choice><w:drawing><w:txbxContent>${p('in a box')}</w:txbxContent></w:drawing></mc:Choice>
      <mc:Fallback><w:pict><w:txbxContent>${p('in a box')}</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>
    <w:p><w:r><w:drawing><wp:docPr xmlns:wp="x" descr="A red chart"/><pic:pic xmlns:pic="y"/></w:drawing></w:r></w:p>
    <w:sectPr><w:headerReference r:id="h"/><w:footerReference r:id="o"/></w:sectPr>`

  const [page] = await pagesWith(docx, docxOf(body, parts))

  assert.deepEqual(blockLines(page), [
    'header: Confidential',
    'paragraph: Text kept',
    'paragraph: in a box',
    'figure: A red chart',
    'paragraph: The small print',
  ])
})

test('warns that the images in a document are not read', async () => {
  const [page] = await pagesWith(docx, docxOf('<w:p><w:r><w:drawing><pic:pic xmlns:pic="y"/></w:drawing></w:r></w:p>'))

  assert.deepEqual(blockLines(page), ['figure: '])
  assert.match(page?.warnings.join(' ') ?? '', /images and no text/)
})

test('warns about macros', async () => {
  const opened = await openWith(docx, docxOf(p('x'), { 'word/vbaProject.bin': 'macro' }))

  assert.match(opened.warnings.join(' '), /macros/)
})

test('refuses harmful files with a reason', async () => {
  const whole = docxOf(p('x'))
  const entities = '<!DOCTYPE w:document [<!ENTITY a "aaaa">]><w:document><w:body><w:p>&a;</w:p></w:body></w:document>'
  const deep = `${'<w:sdt>'.repeat(300)}${'</w:sdt>'.repeat(300)}`

  await assert.rejects(openWith(docx, docxOf(BOMB)), { code: 'document_too_large' })
  await assert.rejects(openWith(docx, whole.subarray(0, whole.length - 40)), { code: 'document_unreadable' })
  await assert.rejects(openWith(docx, docxOf('<w:p><w:r>')), { code: 'document_unreadable' })
  await assert.rejects(openWith(docx, docxOf('', { 'word/document.xml': entities })), { code: 'document_unreadable' })
  await assert.rejects(openWith(docx, docxOf(deep)), { code: 'document_unreadable', message: /256 levels/ })
  await assert.rejects(openWith(docx, Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1)), { message: /password/ })
})

test('survives a self-referencing style and an oversized span', async () => {
  const loop = `<w:styles ${WORD}><w:style w:type="paragraph" w:styleId="A"><w:name w:val="A"/><w:basedOn w:val="A"/></w:style></w:styles>`
  const body = `${p('x', '<w:pStyle w:val="A"/>')}<w:tbl><w:tr>${tc('y', '<w:gridSpan w:val="2000000000"/>')}</w:tr></w:tbl>`

  const [page] = await pagesWith(docx, docxOf(body, { ...parts, 'word/styles.xml': loop }))

  assert.equal(page?.blocks[0]?.text, 'x')
  assert.ok((page?.blocks[1]?.table?.columns ?? 0) <= 1000)
})
