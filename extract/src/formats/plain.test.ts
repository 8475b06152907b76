import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { openExtract } from '../extract.ts'

// Formats of text, each read by a real child.

const extract = openExtract({
  max_read_bytes: 64 * 1024 * 1024,
  max_pages: 2000,
  parser_heap_mb: 384,
  parser_resident_mb: 700,
  parser_open_seconds: 20,
  parser_page_seconds: 20,
  max_inflated_bytes: 64 * 1024 * 1024,
  max_pixels: 1_000_000,
})
after(() => extract.close())

async function read(bytes: string | Uint8Array, file_name: string) {
  const whole = Buffer.from(bytes)
  const { signal } = new AbortController()
  const reading = await extract.open(async () => Readable.from([whole]), {
    media_type: null,
    file_name,
    size_bytes: whole.length,
    signal,
  })
  const pages = []
  for (let number = 1; number <= Math.min(reading.page_count, 50); number++)
    pages.push((await reading.page(number)).blocks)
  await reading.close()
  return { ...reading, pages, blocks: pages.flat() }
}
const short = (blocks: readonly { type: string; text: string; level?: number }[]) =>
  blocks.map(({ type, text, level }) => (level === undefined ? [type, text] : [type, level, text]))
const textsOf = (blocks: readonly { text: string }[]) => blocks.map(({ text }) => text)
const cell = (row: number, column: number, text: string, row_span = 1, column_span = 1) => ({
  row,
  column,
  row_span,
  column_span,
  text,
})

test('splits text into paragraphs at empty lines and into pages at form feeds', async () => {
  const { format, pages } = await read('One\r\ntwo\r\n \r\n\r\n  Three\n\fFour\n\f\fFive', 'x.txt')

  assert.equal(format, 'text')
  assert.deepEqual(pages.map(short), [
    [
      ['paragraph', 'One\ntwo'],
      ['paragraph', '  Three'],
    ],
    [['paragraph', 'Four']],
    [['paragraph', 'Five']],
  ])
})

test('reads text in any encoding', async () => {
  const russian = 'Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему.'
  const cp1251 = Uint8Array.from(russian, (sign) => {
    const code = sign.charCodeAt(0)
    return code >= 0x410 && code <= 0x44f ? code - 0x410 + 0xc0 : code
  })
  const swap = (bytes: Buffer) => Buffer.from(bytes).swap16()
  const wide = new Uint8Array(
    new Uint32Array([0xfeff, ...Array.from(russian, (sign) => sign.codePointAt(0) ?? 0)]).buffer,
  )
  const texts: [string, Uint8Array, string][] = [
    ['utf-8', Buffer.from(russian), russian],
    ['utf-8 with a mark', Buffer.from(`\ufeff${russian}`), russian],
    ['utf-16le with a mark', Buffer.from(`\ufeff${russian}`, 'utf16le'), russian],
    ['utf-16be with a mark', swap(Buffer.from(`\ufeff${russian}`, 'utf16le')), russian],
    ['utf-16le', Buffer.from('Plain words in two bytes each', 'utf16le'), 'Plain words in two bytes each'],
    ['utf-32le', wide, russian],
    ['windows-1251', cp1251, russian],
    [
      'latin1',
      Buffer.from('Der Bär läuft über die Brücke und grüßt die Mädchen aus Köln', 'latin1'),
      'Der Bär läuft über die Brücke und grüßt die Mädchen aus Köln',
    ],
    [
      'shift_jis',
      Buffer.from('82b182ea82cd93fa967b8cea82cc95b68fcd82c582b78142938c8b9e82c98d7382ab82dc82b582bd8142', 'hex'),
      'これは日本語の文章です。東京に行きました。',
    ],
  ]
  for (const [name, bytes, expected] of texts)
    assert.equal((await read(bytes, 'x.txt')).blocks[0]?.text, expected, name)
})

test('splits a long text into pages between paragraphs without losing text', async () => {
  const paragraphs = Array.from({ length: 300 }, (_, index) => `Paragraph ${index} ${'word '.repeat(100)}`.trim())
  const { pages, page_count } = await read(paragraphs.join('\n\n'), 'x.txt')

  assert.equal(page_count, 8)
  assert.ok(pages.every((page) => page.reduce((sum, { text }) => sum + text.length, 0) <= 20_000))
  assert.deepEqual(
    pages.flat().map(({ text }) => text),
    paragraphs,
  )
})

test('splits an endless line between words, or at any character if there are none', async () => {
  const words = await read('abcdefg '.repeat(10_000), 'x.txt')
  assert.equal(words.page_count, 4)
  assert.equal(words.blocks.map(({ text }) => text).join(' '), 'abcdefg '.repeat(10_000).trim())

  const signs = await read('a'.concat('😀'.repeat(15_000)), 'x.txt')
  assert.equal(signs.blocks.map(({ text }) => text).join(''), 'a'.concat('😀'.repeat(15_000)))
})

test('removes NUL characters', async () => {
  assert.equal((await read(`a\u0000b${' word'.repeat(100)}`, 'x.txt')).blocks[0]?.text.slice(0, 7), 'ab word')
})

test('Markdown keeps its structure', async () => {
  const source = `---
title: "Front"
---
# The *title*

First line
and \`second **line**\` with a [link](http://example.com/a_(b)), 2 \\* 3 &amp; **bold _it_**.

Under
-----

- one
- two
  - inner
    more of it
3. three

| A | B \\| C |
|---|:-:|
| 1 | **2** |

\`\`\`js
const a = '# no heading'

\`\`\`

> quoted
> words

    code too

[ref]: http://example.com
<!-- hidden -->
## Next
snake_case_name and <b>html</b>`

  const { blocks, title, format } = await read(source, 'x.md')

  assert.deepEqual([format, title], ['markdown', 'Front'])
  assert.deepEqual(short(blocks), [
    ['title', 'The title'],
    ['paragraph', 'First line and second **line** with a link, 2 * 3 & bold it.'],
    ['heading', 1, 'Under'],
    ['list_item', 1, 'one'],
    ['list_item', 1, 'two'],
    ['list_item', 2, 'inner more of it'],
    ['list_item', 1, '3. three'],
    ['table', 'A\tB | C\n1\t2'],
    ['code', "const a = '# no heading'\n"],
    ['paragraph', 'quoted words'],
    ['code', 'code too'],
    ['heading', 1, 'Next'],
    ['paragraph', 'snake_case_name and html'],
  ])
  assert.deepEqual(blocks[7]?.table, {
    rows: 2,
    columns: 2,
    cells: [cell(1, 1, 'A'), cell(1, 2, 'B | C'), cell(2, 1, '1'), cell(2, 2, '2')],
  })
})

test('reads HTML as displayed', async () => {
  const source = `<!doctype html><html><head><title> The
    page </title><style>p{}</style><script>alert(1)</script></head><body>
    <h1>Main</h1><p>Some <b>bold</b> text<br>next line <a href="http://127.0.0.1:9/">link</a></p>
    <div>Loose <span>words</span><p>Paragraph</p>tail</div>
    <ul><li>a<ul><li>b</li></ul></li><li><p>c</p><p>d</p></li></ul><ol start="4"><li>e</li></ol>
    <p hidden>unseen</p><p style="display: none">unseen</p><img src="http://127.0.0.1:9/x.png" alt="A cat">
    <pre>
  x = 1
    y</pre>
    <table><caption>Cap</caption><tr><th colspan=2>Head</th><th rowspan=2>Side</th></tr><tr><td>1</td><td>2</td></tr></table>
    <h2>Sub</h2></body></html>`

  const { blocks, title } = await read(source, 'x.html')

  assert.equal(title, 'The page')
  assert.deepEqual(short(blocks), [
    ['title', 'Main'],
    ['paragraph', 'Some bold text\nnext line link'],
    ['paragraph', 'Loose words'],
    ['paragraph', 'Paragraph'],
    ['paragraph', 'tail'],
    ['list_item', 1, 'a'],
    ['list_item', 2, 'b'],
    ['list_item', 1, 'c'],
    ['paragraph', 'd'],
    ['list_item', 1, '4. e'],
    ['figure', 'A cat'],
    ['code', '  x = 1\n    y'],
    ['caption', 'Cap'],
    ['table', 'Head\tSide\n1\t2'],
    ['heading', 1, 'Sub'],
  ])
  const table = {
    rows: 2,
    columns: 3,
    cells: [cell(1, 1, 'Head', 1, 2), cell(1, 3, 'Side', 2), cell(2, 1, '1'), cell(2, 2, '2')],
  }
  assert.deepEqual(blocks[13]?.table, table)
})

test('HTML may declare its encoding, use layout tables and nest deeper than the stack', async () => {
  const latin = Buffer.from('<meta charset="iso-8859-2"><p>\xb1\xe6\xea</p>', 'latin1')
  assert.equal((await read(latin, 'x.html')).blocks[0]?.text, 'ąćę')

  const layout =
    '<table><tr><td><h2>Left</h2></td><td><table><tr><td>in</td><td>side</td></tr></table></td></tr></table>'
  assert.deepEqual(short((await read(layout, 'x.html')).blocks), [
    ['heading', 2, 'Left'],
    ['table', 'in\tside'],
  ])

  const deep = await read(`${'<div>'.repeat(50_000)}deep`, 'x.html')
  assert.deepEqual(short(deep.blocks), [['paragraph', 'deep']])
  const wide = await read('<table><tr><td colspan=999999999 rowspan=999999999>x</td></tr></table>', 'x.html')
  assert.equal(wide.blocks[0]?.table?.columns, 1000)
})

test('detects the delimiter of a text table, handles quotes and puts 500 rows on a page', async () => {
  const rows = Array.from({ length: 1200 }, (_, index) => `${index};"Müller; ""Q""";\n`)
  const { pages, format, page_count } = await read(`id;name;note\n${rows.join('')}`, 'x.csv')

  assert.deepEqual([format, page_count], ['csv', 3])
  assert.deepEqual(
    pages.map(([block]) => block?.table?.rows),
    [500, 501, 202],
  )
  assert.deepEqual(pages[0]?.[0]?.table?.cells.slice(3, 6), [
    cell(2, 1, '0'),
    cell(2, 2, 'Müller; "Q"'),
    cell(2, 3, ''),
  ])
  assert.equal(pages[2]?.[0]?.text.split('\n')[0], 'id\tname\tnote')
  assert.deepEqual(pages[2]?.[0]?.table?.cells.at(-3)?.text, '1199')

  const tabs = await read('a\tb\n"x\ny"\t2\n', 'x.tsv')
  assert.deepEqual([tabs.media_type, tabs.blocks[0]?.table?.cells[2]?.text], ['text/tab-separated-values', 'x\ny'])
})

test('splits a table with very wide rows into pages of manageable size', async () => {
  const wide = await read(`${'a,'.repeat(50_000)}z\n${'1\n'.repeat(1_500)}`, 'x.csv')

  assert.equal(wide.page_count, 6)
  assert.deepEqual(
    wide.pages.map(([block]) => [block?.table?.rows, block?.table?.columns]),
    [...[20_000, 20_000, 10_001].map((columns) => [1, columns]), [500, 1], [500, 1], [500, 1]],
  )
  assert.deepEqual(wide.warnings, ['Rows with more than 20000 cells continue in the following rows.'])

  const header = `${Array.from({ length: 2_000 }, (_, i) => `n${i}`).join(',')}\n`
  const plain = await read(`${header}${`${'1,'.repeat(1_999)}1\n`.repeat(20)}`, 'x.csv')
  assert.deepEqual(
    plain.pages.map(([block]) => block?.table?.rows),
    [10, 10, 1],
  )
})

test('refuses an email that is nested too deeply and says what to do', async () => {
  const part = (i: number) => `Content-Type: multipart/mixed; boundary="b${i}"\r\n\r\n--b${i}\r\n`
  const deep = `From: a@example.com\r\nMIME-Version: 1.0\r\n${Array.from({ length: 60 }, (_, i) => part(i)).join('')}`

  await assert.rejects(read(deep, 'x.eml'), { code: 'document_too_large', message: /more than 50 levels deep/ })
})

test('reads the headers and body of an email and lists its attachments', async () => {
  const source = [
    'From: =?utf-8?q?J=C3=B6rg?= <joerg@example.com>',
    'To: a@example.com, B <b@example.com>',
    'Subject: =?utf-8?b?R3LDvMOfZQ==?=',
    'Date: Mon, 02 Mar 2026 10:00:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=x',
    '',
    '--x',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    '<p>Hello =E2=82=AC</p><ul><li>one</li></ul>',
    '--x',
    'Content-Type: application/pdf; name="bill.pdf"',
    'Content-Disposition: attachment; filename="bill.pdf"',
    'Content-Transfer-Encoding: base64',
    '',
    'JVBERg==',
    '--x--',
  ].join('\r\n')

  const { blocks, title, attachments, format } = await read(source, 'x.eml')

  assert.deepEqual([format, title], ['eml', 'Grüße'])
  assert.deepEqual(short(blocks), [
    [
      'paragraph',
      'From: Jörg <joerg@example.com>\nTo: a@example.com, B <b@example.com>\nDate: 2026-03-02T10:00:00.000Z\nSubject: Grüße',
    ],
    ['paragraph', 'Hello €'],
    ['list_item', 1, 'one'],
  ])
  assert.deepEqual(attachments, [{ file_name: 'bill.pdf', size_bytes: 4 }])
})

test('a file of only white space is empty', async () => {
  for (const name of ['x.txt', 'x.md', 'x.html', 'x.csv'])
    await assert.rejects(read(' \n\n \n', name), { code: 'document_empty' }, name)
})

test('detects the encoding late in a file, and hostile markup takes bounded time', async () => {
  const late = Buffer.concat([
    Buffer.from('plain words and no more\n\n'.repeat(5000)),
    Buffer.from('Der Bär läuft über die Brücke und grüßt', 'latin1'),
  ])
  assert.equal((await read(late, 'x.txt')).blocks.at(-1)?.text, 'Der Bär läuft über die Brücke und grüßt')

  const before = performance.now()
  await read(`${'<!-- -->'.repeat(600)}x`, 'x')
  await read(
    `# ${' '.repeat(300_000)}x\n\na${' '.repeat(300_000)}b\n\n${'['.repeat(300_000)}\n\n${'>'.repeat(10_000)}x`,
    'x.md',
  )
  assert.ok(performance.now() - before < 15_000)
})

test('HTML starts a page at a CSS page break', async () => {
  const source =
    '<p>one</p><div style="page-break-before: always"><p>two</p></div><p style="color:red; break-after: page">more</p><p>three</p>'

  const { pages } = await read(source, 'x.html')

  assert.deepEqual(pages.map(textsOf), [['one'], ['two', 'more'], ['three']])
})

test('sheets and slides marked by Tika become pages', async () => {
  const source =
    '<html><head><meta name="X-TIKA:Parsed-By" content="x"/></head><body><div class="page"><h1>A</h1><p>a</p></div><div class="page"><h1>B</h1></div></body></html>'

  const { pages } = await read(source, 'x.html')

  assert.deepEqual(pages.map(textsOf), [['A', 'a'], ['B']])
})
