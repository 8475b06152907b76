import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BOMB, blockLines, cellsOf, ODF, odfOf, openWith, pagesWith, zipOf } from '../testing/office-files.ts'
import { odt } from './odt.ts'

const styles = `
  <style:style style:name="Chapter" style:family="paragraph"><style:paragraph-properties fo:break-before="page"/></style:style>
  <style:style style:name="P1" style:family="paragraph" style:parent-style-name="Chapter"/>
  <style:style style:name="P2" style:family="paragraph"><style:paragraph-properties fo:break-after="page"/></style:style>
  <style:style style:name="P3" style:family="paragraph" style:master-page-name="Wide"/>
  <style:style style:name="P4" style:family="paragraph" style:parent-style-name="Title"/>
  <text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>
    <text:list-level-style-bullet text:level="2" text:bullet-char="•"/></text:list-style>`
const text = (body: string) => odfOf('text', `<office:text>${body}</office:text>`, styles)
const p = (words: string, style = '') => `<text:p text:style-name="${style}">${words}</text:p>`

test('reads titles, headings, numbered and nested lists and spaces as displayed', async () => {
  const body = `${p('Lease', 'P4')}<text:h text:outline-level="2">Parties</text:h>
    <text:list text:style-name="L"><text:list-item>${p('one')}${p('more of it')}<text:list><text:list-item>${p('dot')}</text:list-item></text:list></text:list-item>
    <text:list-item>${p('two')}</text:list-item></text:list>${p('a<text:s text:c="2"/>b<text:tab/>c<text:line-break/>d')}`

  const [page] = await pagesWith(odt, text(body))

  assert.deepEqual(blockLines(page), [
    'title: Lease',
    'heading 2: Parties',
    'list_item 1: 1. one',
    'paragraph: more of it',
    'list_item 2: dot',
    'list_item 1: 2. two',
    'paragraph: a  b\tc\nd',
  ])
})

test('breaks pages at styles, master pages and soft page breaks', async () => {
  const body = [
    p('one', 'P1'),
    p('two', 'P1'),
    p('still two', 'P2'),
    p('three <text:soft-page-break/>four'),
    p('five', 'P3'),
  ]

  const pages = await pagesWith(odt, text(body.join('')))

  assert.deepEqual(
    pages.map((page) => page.blocks.map(({ text }) => text).join('|')),
    ['one', 'two|still two', 'three', 'four', 'five'],
  )
})

test('cells keep their spans', async () => {
  const cell = (words: string, attributes = '') => `<table:table-cell ${attributes}>${p(words)}</table:table-cell>`
  const table = `<table:table><table:table-header-rows><table:table-row>${cell('wide', 'table:number-columns-spanned="2"')}<table:covered-table-cell/>${cell('tall', 'table:number-rows-spanned="2"')}</table:table-row></table:table-header-rows>
    <table:table-row>${cell('a', 'table:number-columns-repeated="2"')}<table:covered-table-cell/></table:table-row></table:table>`

  const [page] = await pagesWith(odt, text(table))

  assert.deepEqual(cellsOf(page?.blocks[0]), ['1,1 1x2 wide', '1,3 2x1 tall', '2,1 1x1 a', '2,2 1x1 a'])
})

test('keeps notes, text boxes, images and headers, and drops deletions and comments', async () => {
  const note = (kind: string, words: string) =>
    `<text:note text:note-class="${kind}"><text:note-citation>1</text:note-citation><text:note-body>${p(words)}</text:note-body></text:note>`
  const body = `<text:tracked-changes><text:changed-region><text:deletion>${p('gone')}</text:deletion></text:changed-region></text:tracked-changes>
    ${p(`Text${note('endnote', 'at the end')}${note('footnote', 'at the foot')}<office:annotation>${p('comment')}</office:annotation>.`)}
    ${p('<draw:frame><draw:text-box><text:p>in a box</text:p></draw:text-box></draw:frame>')}
    ${p('<draw:frame><draw:image/><svg:desc>A red chart</svg:desc></draw:frame>')}`
  const content = `<office:document-content ${ODF}><office:body><office:text>${body}</office:text></office:body></office:document-content>`
  const common = `<office:document-styles ${ODF}><office:automatic-styles><style:page-layout style:name="L"><style:page-layout-properties fo:page-width="21cm" fo:page-height="10in"/></style:page-layout></office:automatic-styles>
    <office:master-styles><style:master-page style:name="Standard" style:page-layout-name="L"><style:header>${p('Confidential')}</style:header></style:master-page></office:master-styles></office:document-styles>`

  const [page] = await pagesWith(odt, zipOf({ 'content.xml': content, 'styles.xml': common }))

  assert.deepEqual(blockLines(page), [
    'header: Confidential',
    'paragraph: Text.',
    'paragraph: in a box',
    'figure: A red chart',
    'paragraph: at the foot',
    'paragraph: at the end',
  ])
  assert.deepEqual([page?.width, page?.height], [595.28, 720])
})

test('refuses a bomb, a truncated file and a protected file', async () => {
  const whole = text(p('x'))
  const manifest =
    '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>'

  await assert.rejects(openWith(odt, text(BOMB)), { code: 'document_too_large' })
  await assert.rejects(openWith(odt, whole.subarray(0, whole.length - 10)), { code: 'document_unreadable' })
  await assert.rejects(openWith(odt, zipOf({ 'META-INF/manifest.xml': manifest, 'content.xml': '<x/>' })), {
    message: /password/,
  })
})
