import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BOMB, blockLines, cellsOf, ODF, odfOf, openWith, pagesWith, zipOf } from '../testing/office-files.ts'
import { odp } from './odp.ts'

const box = (words: string, attributes: string) =>
  `<draw:frame ${attributes}><draw:text-box>${words}</draw:text-box></draw:frame>`
const p = (words: string) => `<text:p>${words}</text:p>`
const at = (x: number, y: number, width: number, height: number) =>
  `svg:x="${x}cm" svg:y="${y}cm" svg:width="${width}cm" svg:height="${height}cm"`

test('reads slide titles first, then boxes, tables, footers and notes', async () => {
  const cells = `<table:table><table:table-row><table:table-cell table:number-columns-spanned="2">${p('wide')}</table:table-cell><table:covered-table-cell/></table:table-row>
    <table:table-row><table:table-cell>${p('a')}</table:table-cell><table:table-cell>${p('b')}</table:table-cell></table:table-row></table:table>`
  const page = `<presentation:footer-decl presentation:name="f1">Foot</presentation:footer-decl>
    <draw:page draw:master-page-name="M" draw:style-name="dp1" presentation:use-footer-name="f1">
    ${box(`<text:list><text:list-item>${p('point')}</text:list-item></text:list>`, `${at(1, 5, 5, 2)} presentation:class="outline"`)}
    ${box(p('Head'), `${at(0, 0, 20, 2)} presentation:class="title"`)}
    <draw:g><draw:custom-shape ${at(10, 5, 5, 10)}>${p('shape')}</draw:custom-shape></draw:g>
    <draw:frame ${at(0, 8, 10, 1)}>${cells}<draw:image/></draw:frame>
    <draw:frame ${at(0, 9, 1, 1)}><draw:image/><svg:desc>A red chart</svg:desc></draw:frame>
    <presentation:notes>${box(p('Say this'), 'presentation:class="notes"')}</presentation:notes></draw:page>`
  const hidden =
    '<style:style style:name="dp1" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>'
  const content = `<office:document-content ${ODF}><office:automatic-styles>${hidden}</office:automatic-styles><office:body><office:presentation>${page}</office:presentation></office:body></office:document-content>`
  const styles = `<office:document-styles ${ODF}><office:automatic-styles><style:page-layout style:name="L"><style:page-layout-properties fo:page-width="20cm" fo:page-height="10cm"/></style:page-layout></office:automatic-styles>
    <office:master-styles><style:master-page style:name="M" style:page-layout-name="L"/></office:master-styles></office:document-styles>`

  const [slide] = await pagesWith(odp, zipOf({ 'content.xml': content, 'styles.xml': styles }))

  assert.deepEqual(blockLines(slide), [
    'heading 1: Head',
    'list_item 1: point',
    'paragraph: shape',
    'table: wide\na\tb',
    'figure: A red chart',
    'footer: Foot',
    'paragraph: Say this',
  ])
  assert.deepEqual(slide?.blocks[0]?.bbox, [0, 0, 1, 0.2])
  assert.deepEqual(slide?.blocks[2]?.bbox, [0.5, 0.5, 0.75, 1])
  assert.deepEqual(cellsOf(slide?.blocks[3]), ['1,1 1x2 wide', '2,1 1x1 a', '2,2 1x1 b'])
  assert.equal(slide?.warnings.length, 1)
})

test('each slide is a page; refuses a bomb, a truncated file and a file without slides', async () => {
  const deck = (pages: string) => odfOf('presentation', `<office:presentation>${pages}</office:presentation>`)
  const whole = deck('<draw:page/><draw:page/>')

  assert.equal((await openWith(odp, whole)).page_count, 2)
  await assert.rejects(openWith(odp, deck(BOMB)), { code: 'document_too_large' })
  await assert.rejects(openWith(odp, whole.subarray(0, whole.length - 10)), { code: 'document_unreadable' })
  await assert.rejects(openWith(odp, deck('')), { code: 'document_empty' })
})
