import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BOMB, blockLines, cellsOf, openWith, pagesWith, relationsXml, SLIDE, zipOf } from '../testing/office-files.ts'
import { pptx } from './pptx.ts'

const frame = (x: number, y: number, cx: number, cy: number) =>
  `<a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm>`
const para = (text: string, properties = '') => `<a:p>${properties}<a:r><a:t>${text}</a:t></a:r></a:p>`
const shape = (placeholder: string, place: string, body: string, list = '') =>
  `<p:sp><p:nvSpPr><p:cNvPr id="1" name="s"/><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:spPr>${place}</p:spPr><p:txBody><a:lstStyle>${list}</a:lstStyle>${body}</p:txBody></p:sp>`
const slide = (shapes: string, attributes = '') =>
  `<p:sld ${SLIDE} ${attributes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`
const body_ph = '<p:ph type="body" idx="1"/>'

const deck = (slides: Record<string, string>, parts: Record<string, string> = {}) => {
  const names = Object.keys(slides)
  return zipOf({
    '_rels/.rels': relationsXml('r1 officeDocument ppt/presentation.xml'),
    'ppt/presentation.xml': `<p:presentation ${SLIDE}><p:sldIdLst>${names.map((name) => `<p:sldId r:id="${name}"/>`).join('')}</p:sldIdLst><p:sldSz cx="1000000" cy="500000"/></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationsXml(...names.map((name) => `${name} slide slides/${name}.xml`)),
    'ppt/slideLayouts/l1.xml': `<p:sldLayout ${SLIDE}><p:cSld><p:spTree>${shape(body_ph, frame(100_000, 250_000, 500_000, 200_000), '')}</p:spTree></p:cSld></p:sldLayout>`,
    'ppt/slideLayouts/_rels/l1.xml.rels': relationsXml('m slideMaster ../slideMasters/m1.xml'),
    'ppt/slideMasters/m1.xml': `<p:sldMaster ${SLIDE}><p:txStyles><p:bodyStyle><a:lvl1pPr><a:buChar char="•"/></a:lvl1pPr><a:lvl2pPr><a:buChar char="-"/></a:lvl2pPr></p:bodyStyle></p:txStyles></p:sldMaster>`,
    ...Object.fromEntries(names.map((name) => [`ppt/slides/${name}.xml`, slides[name] ?? ''])),
    ...Object.fromEntries(
      names.map((name) => [
        `ppt/slides/_rels/${name}.xml.rels`,
        relationsXml('l slideLayout ../slideLayouts/l1.xml', 'n notesSlide ../notesSlides/n1.xml'),
      ]),
    ),
    ...parts,
  })
}

test('slides are pages in presentation order, and a hidden one is marked', async () => {
  const pages = await pagesWith(
    pptx,
    deck({ b: slide(shape('', '', para('first'))), a: slide(shape('', '', para('second')), 'show="0"') }),
  )

  assert.deepEqual(
    pages.map((page) => blockLines(page)),
    [['paragraph: first'], ['paragraph: second']],
  )
  assert.deepEqual(
    pages.map(({ warnings }) => warnings.length),
    [0, 1],
  )
  assert.equal(pages[0]?.width?.toFixed(2), (1_000_000 / 12_700).toFixed(2))
})

test('reads the title first and speaker notes last, with bullets and positions from master and layout', async () => {
  const shapes = [
    shape(
      body_ph,
      '',
      [para('point'), para('deeper', '<a:pPr lvl="1"/>'), para('no bullet', '<a:pPr><a:buNone/></a:pPr>')].join(''),
    ),
    shape(
      '',
      frame(0, 0, 100_000, 50_000),
      ['x', 'y'].map((text) => para(text, '<a:pPr><a:buAutoNum type="alphaLcParenR"/></a:pPr>')).join(''),
    ),
    shape('<p:ph type="ftr" idx="9"/>', '', para('Foot')),
    shape('<p:ph type="title"/>', frame(0, 0, 1_000_000, 100_000), para('Head')),
  ]
  const notes = `<p:notes ${SLIDE}><p:cSld><p:spTree>${shape('<p:ph type="sldImg"/>', '', '')}${shape('<p:ph type="body"/>', '', para('Say this'))}</p:spTree></p:cSld></p:notes>`

  const [page] = await pagesWith(pptx, deck({ s: slide(shapes.join('')) }, { 'ppt/notesSlides/n1.xml': notes }))

  assert.deepEqual(blockLines(page), [
    'heading 1: Head',
    'list_item 1: point',
    'list_item 2: deeper',
    'paragraph: no bullet',
    'list_item 1: a) x',
    'list_item 1: b) y',
    'footer: Foot',
    'paragraph: Say this',
  ])
  assert.deepEqual(page?.blocks[0]?.bbox, [0, 0, 1, 0.2])
  assert.deepEqual(page?.blocks[1]?.bbox, [0.1, 0.5, 0.6, 0.9])
})

test('grouped shapes are placed by their group and stay within the slide', async () => {
  const group = `<p:grpSp><p:grpSpPr><a:xfrm><a:off x="500000" y="0"/><a:ext cx="500000" cy="250000"/><a:chOff x="0" y="0"/><a:chExt cx="1000000" cy="500000"/></a:xfrm></p:grpSpPr>${shape('', frame(200_000, 100_000, 2_000_000, 100_000), para('inner'))}</p:grpSp>`

  const [page] = await pagesWith(pptx, deck({ s: slide(group) }))

  assert.deepEqual(page?.blocks[0]?.bbox, [0.6, 0.1, 1, 0.2])
})

test('cells on a slide keep their spans', async () => {
  const cell = (text: string, attributes = '') => `<a:tc ${attributes}><a:txBody>${para(text)}</a:txBody></a:tc>`
  const table = `<p:graphicFrame><p:xfrm><a:off x="0" y="0"/><a:ext cx="500000" cy="500000"/></p:xfrm><a:graphic><a:graphicData><a:tbl>
    <a:tr>${cell('wide', 'gridSpan="2"')}${cell('', 'hMerge="1"')}${cell('tall', 'rowSpan="2"')}</a:tr>
    <a:tr>${cell('a')}${cell('b')}${cell('', 'vMerge="1"')}</a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`

  const [page] = await pagesWith(pptx, deck({ s: slide(table) }))

  assert.deepEqual(cellsOf(page?.blocks[0]), ['1,1 1x2 wide', '1,3 2x1 tall', '2,1 1x1 a', '2,2 1x1 b'])
  assert.deepEqual(page?.blocks[0]?.bbox, [0, 0, 0.5, 1])
})

test('a missing slide fails only its page; refuses a bomb, a truncated file and an empty deck', async () => {
  const whole = deck({ a: slide(''), gone: slide('') }, { 'ppt/slides/gone.xml': '' })
  const opened = await openWith(pptx, whole)

  assert.deepEqual((await opened.page(1)).blocks, [])
  await assert.rejects(async () => opened.page(2), { code: 'document_unreadable' })
  await assert.rejects(openWith(pptx, deck({ s: BOMB })), { code: 'document_too_large' })
  await assert.rejects(openWith(pptx, whole.subarray(0, whole.length / 2)), { code: 'document_unreadable' })
  await assert.rejects(openWith(pptx, deck({})), { code: 'document_empty' })
})
