import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blockLines, cellsOf, openWith, pagesWith } from '../testing/office-files.ts'
import { rtf } from './rtf.ts'

const file = (body: string) =>
  Buffer.from(
    `{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fswiss Helvetica;}{\\f1\\fmodern Courier;}{\\f2\\fcharset204 Arial;}{\\f3\\fcharset128 Gothic;}}` +
      `{\\stylesheet{\\s0 Normal;}{\\s1 heading 1;}{\\s5 Title;}}{\\info{\\title The lease}{\\author Ann}}\\paperw11906\\paperh16838 ${body}}`,
    'latin1',
  )

test('recognizes titles, headings, lists and code', async () => {
  const body = String.raw`\pard\s5 Lease\par\pard\s1 Parties\par\pard\outlinelevel2 Deeper\par
\pard{\listtext 1.\tab}\ls1\ilvl0 first\par\pard{\listtext\'95\tab}\ls1\ilvl1 dot\par
\pard\li720\fi-360\bullet\tab by hand\par\pard\f1 let a = 1\line  b\par\pard\f0 plain {\f1 code}\par`

  const opened = await openWith(rtf, file(body))
  const page = await opened.page(1)

  assert.equal(opened.title, 'The lease')
  assert.deepEqual(blockLines(page), [
    'title: Lease',
    'heading 1: Parties',
    'heading 3: Deeper',
    'list_item 1: 1. first',
    'list_item 2: dot',
    'list_item 2: by hand',
    'code: let a = 1\n b',
    'paragraph: plain code',
  ])
  assert.deepEqual([page.width, page.height], [595.3, 841.9])
})

test('reads characters of every code page and Unicode escape', async () => {
  const body = String.raw`\pard Caf\'e9 \u8364? {\f2 \'cf\'f0\'e8} {\f3 \'93\'fa} {\uc2\u26085\'93\'fa!} \u-10179?\u-8704? 1\endash 2\~\{x\}\par`

  const [page] = await pagesWith(rtf, file(body))

  assert.equal(page?.blocks[0]?.text, 'Café € При 日 日! 😀 1–2\u00a0{x}')
})

test('breaks pages at each break, but not at a continuous section', async () => {
  const body = String.raw`\pard one\page two\par\pard\pagebb three\par\sect\sectd\sbknone \pard still three\par\sect\sectd \pard four\par`

  const pages = await pagesWith(rtf, file(body))

  assert.deepEqual(
    pages.map((page) => page.blocks.map(({ text }) => text).join('|')),
    ['one', 'two', 'three|still three', 'four'],
  )
})

test('cells keep their spans in every notation', async () => {
  const body = String.raw`\trowd\cellx2000\clvmgf\cellx3000\intbl wide\cell tall\cell\row
\trowd\cellx1000\cellx2000\clvmrg\cellx3000\pard\intbl a\par second\cell b\cell\cell\row
\trowd\clmgf\cellx1000\clmrg\cellx2000\cellx3000\intbl joined\cell\cell c\cell\row\pard after\par`

  const [page] = await pagesWith(rtf, file(body))

  assert.deepEqual(cellsOf(page?.blocks[0]), [
    '1,1 1x2 wide',
    '1,3 2x1 tall',
    '2,1 1x1 a\nsecond',
    '2,2 1x1 b',
    '3,1 1x2 joined',
    '3,3 1x1 c',
  ])
  assert.equal(page?.blocks[1]?.text, 'after')
})

test('keeps notes, boxes, headers and pictures; drops field codes, hidden text and binary data', async () => {
  const body = String.raw`{\header\pard Confidential\par}{\footer\pard 17\par}\pard Text{\*\footnote\pard the small print\par}{\v hidden}
{\field{\*\fldinst HYPERLINK "http://x"}{\fldrslt link}}{\shp{\*\shpinst{\sp{\sn a}{\sv 1}}{\shptxt\pard in a box\par}}}{\pict\pngblip\bin4 }}}}ff}\par`

  const [page] = await pagesWith(rtf, file(body))

  assert.deepEqual(blockLines(page), [
    'header: Confidential',
    'paragraph: Textlink',
    'paragraph: in a box',
    'figure: ',
    'paragraph: the small print',
  ])
})

test('refuses a truncated file, endless groups and other formats', async () => {
  const whole = file('\\pard text\\par')

  await assert.rejects(openWith(rtf, whole.subarray(0, whole.length - 4)), { code: 'document_unreadable' })
  await assert.rejects(openWith(rtf, file('{'.repeat(100_000))), { code: 'document_unreadable' })
  await assert.rejects(openWith(rtf, Buffer.from('plain text')), { code: 'document_unreadable' })
})
