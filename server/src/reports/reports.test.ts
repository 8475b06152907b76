import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import test from 'node:test'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { renderReport } from './render.ts'
import type { ReportColumn, ReportContent, ReportFormat } from './report.ts'

const columns: ReportColumn[] = [
  { name: 'id', title: 'Document', kind: 'text' },
  { name: 'title', title: 'Title', kind: 'text' },
  { name: 'note', title: 'Note', kind: 'markdown' },
  { name: 'page_count', title: 'Pages', kind: 'integer' },
  { name: 'cost_micros', title: 'Cost', kind: 'money_micros' },
  { name: 'created_at', title: 'Created', kind: 'time' },
  { name: 'is_scan', title: 'Scan', kind: 'boolean' },
]
const plain = {
  id: 'doc_1',
  title: 'Lease',
  note: 'It **ends**.',
  page_count: 1_234,
  cost_micros: 1_234_567n,
  created_at: '2026-03-04T05:06:07.000Z',
  is_scan: true,
}
const hostile = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[here](javascript:alert(1)) ![](http://tracker.invalid/p.png) <http://tracker.invalid>',
  '#import "evil.typ": * #read("/etc/passwd") $x^2$ @label <label> \\ *bold* _it_ `raw`',
  '</td></table><svg onload=alert(1)>',
  'تقرير عن الفواتير 12',
  '季度报告：发票与合同的分类结果',
  '🎉👩‍👩‍👧 \u202egnp.exe',
  'a\0b\x07c\ud800d',
  'x'.repeat(100_000),
  'one | two\r\nthree\n\n\nfour\tfive',
]

async function* rowsOf(rows: Iterable<Record<string, unknown>>) {
  yield* rows
}

const reportOf = (rows: Iterable<Record<string, unknown>>, more: Partial<ReportContent> = {}): ReportContent => ({
  title: 'Documents',
  generated_at: '2026-11-15T13:28:54.000Z',
  type: 'documents',
  columns,
  rows: rowsOf(rows),
  ...more,
})

async function renderText(report: ReportContent, format: ReportFormat): Promise<string> {
  return (await buffer(renderReport(report, format).bytes)).toString()
}

const hostileReport = (): ReportContent =>
  reportOf(
    hostile.map((text) => ({ ...plain, title: text, note: text })),
    {
      title: '</title><script>alert(1)</script>',
      summary: [{ label: '<b>label</b>', value: '"><script>alert(2)</script>' }],
      charts: [
        {
          title: '<svg onload=alert(1)>',
          kind: 'bar',
          x: 'x',
          y: '</text><script>alert(1)</script>',
          data: hostile.map((x, y) => ({ x, y })),
        },
        {
          title: 'days',
          kind: 'line',
          x: 'day',
          y: 'count',
          data: [3, 4, 2].map((y, at) => ({ x: `2026-10-0${at + 1}`, y })),
        },
      ],
    },
  )

type Element = DefaultTreeAdapterTypes.Element

function elementsOf(node: DefaultTreeAdapterTypes.Node): Element[] {
  const inner = 'childNodes' in node ? node.childNodes.flatMap(elementsOf) : []
  return 'tagName' in node ? [node, ...inner] : inner
}

const nodeText = (node: DefaultTreeAdapterTypes.Node): string =>
  'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(nodeText).join('') : ''

async function readPdf(bytes: Uint8Array): Promise<{ count: number; text: string }> {
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(bytes)
  const pages = Array.from({ length: document.getPageCount() }, (_, at) => document.getPage(at).getText())
  document.destroy()
  library.destroy()
  return { count: pages.length, text: pages.join('\n').replaceAll('\u200b', '') }
}

test('JSON contains the raw values and ends with the row count', async () => {
  const rendered = renderReport(reportOf([plain, { ...plain, cost_micros: null, more: 'private' }]), 'json')
  const read = JSON.parse((await buffer(rendered.bytes)).toString()) as { rows: object[]; row_count: number }

  assert.equal(rendered.media_type, 'application/json')
  assert.equal(read.row_count, 2)
  assert.equal(rendered.row_count(), 2)
  assert.deepEqual(read.rows, [
    { ...plain, cost_micros: 1_234_567 },
    { ...plain, cost_micros: null },
  ])
})

test('CSV is quoted by RFC 4180 and never starts a formula in a spreadsheet', async () => {
  const titles = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '＝1', 'a "b", c', 'two\nlines', '']
  const text = await renderText(
    reportOf(titles.map((title) => ({ ...plain, title, page_count: -5, cost_micros: '=1' }))),
    'csv',
  )

  const expected = ["'=1+1", "'+1", "'-1", "'@SUM(A1)", "'\t=1", "'＝1", '"a ""b"", c"', '"two\nlines"', '']
  const head = 'id,title,note,page_count,cost_micros,created_at,is_scan\r\n'
  const rows = expected.map((title) => `doc_1,${title},It **ends**.,-5,'=1,2026-03-04T05:06:07.000Z,true\r\n`)
  assert.equal(text, head + rows.join(''))
})

test('a Markdown table keeps its columns for any cell content', async () => {
  const text = await renderText(hostileReport(), 'markdown')
  const lines = text.split('\n').filter((line) => line.startsWith('| doc_1') || line.startsWith('| doc\\_1'))

  assert.equal(lines.length, hostile.length)
  for (const line of lines) assert.equal(line.match(/(?<!\\)\|/g)?.length, columns.length + 1)
  assert.doesNotMatch(text, /<(?!br>)/)
  assert.match(text, /one \\\| two<br>three/)
  assert.match(text, /\| 1,234 \| 1\.234567 \| 2026-03-04 05:06:07 \| yes \|/)
})

test('an HTML report runs no scripts, loads nothing and has no links', async () => {
  const elements = elementsOf(parse(await renderText(hostileReport(), 'html')))
  const names = new Set(elements.map(({ tagName }) => tagName))
  const attributes = elements.flatMap(({ attrs }) => attrs)

  for (const name of [
    'script',
    'img',
    'a',
    'iframe',
    'object',
    'link',
    'form',
    'base',
    'image',
    'use',
    'foreignObject',
  ])
    assert.ok(!names.has(name), `a page has no ${name}`)
  for (const { name, value, prefix } of attributes) {
    assert.doesNotMatch(name, /^on|^style$|^href$|^src/i)
    if (name !== 'xmlns' && prefix !== 'xmlns' && name !== 'aria-label' && name !== 'content')
      assert.doesNotMatch(value, /javascript:|https?:/)
  }
  const policy = attributes.find(({ value }) => value.startsWith('default-src'))?.value ?? ''
  assert.match(policy, /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'$/)
  assert.equal(elements.filter(({ tagName }) => tagName === 'svg').length, 2)
})

test('an HTML report is accessible to screen readers', async () => {
  const document = parse(await renderText(hostileReport(), 'html'))
  const elements = elementsOf(document)
  const attributeOf = (one: Element, name: string) => one.attrs.find((attr) => attr.name === name)?.value
  const all = (tag: string) => elements.filter(({ tagName }) => tagName === tag)

  assert.equal(attributeOf(all('html')[0] as Element, 'lang'), 'en')
  assert.equal(nodeText(all('title')[0] as Element), '</title><script>alert(1)</script>')
  assert.deepEqual(new Set(all('th').map((one) => attributeOf(one, 'scope'))), new Set(['col']))
  assert.equal(nodeText(all('caption')[0] as Element), '11 rows')
  for (const one of all('svg')) assert.match(attributeOf(one, 'aria-label') ?? '', /chart of .* by /)
  const titles = all('tr').map((row) => nodeText(elementsOf(row)[2] as Element))
  assert.ok(titles.includes('<script>alert(1)</script>'))
  assert.ok(titles.includes('a�b�c�d'))
  assert.ok(titles.includes(`${'x'.repeat(1_000)}…`))
})

test("HTML keeps the emphasis of a model's text and removes its links", async () => {
  const note = 'It **ends** in [May](http://x.invalid).\n\n- rent\n- <b>deposit</b>\n\n# Title'
  const text = await renderText(reportOf([{ ...plain, note }]), 'html')

  assert.match(
    text,
    /<td dir="auto" class="m"><p>It <strong>ends<\/strong> in May\.<\/p>\s*<ul>\s*<li>rent<\/li>\s*<li>deposit<\/li>\s*<\/ul>\s*Title<\/td>/,
  )
})

test('a PDF prints hostile text literally, is tagged and has its title', async () => {
  const bytes = await buffer(renderReport(hostileReport(), 'pdf').bytes)
  const { text } = await readPdf(bytes)
  const raw = bytes.toString('latin1')

  assert.match(text.replace(/\s+/g, ''), /#import"evil\.typ":\*#read\("\/etc\/passwd"\)\$x\^2\$@label/)
  assert.match(text, /季度报告/)
  assert.match(raw, /\/StructTreeRoot/)
  assert.match(raw, /\/MarkInfo/)
  assert.doesNotMatch(raw, /\/URI|\/JavaScript|\/Launch/)
  assert.doesNotMatch(text, /root:/)
})

test('a PDF report shows the first 2,000 rows and the total count', async () => {
  const many = () => reportOf(Array.from({ length: 2_345 }, (_, at) => ({ ...plain, id: `doc_${at}` })))
  const rendered = renderReport(many(), 'pdf')
  const { text } = await readPdf(await buffer(rendered.bytes))

  assert.equal(rendered.row_count(), 2_345)
  assert.match(text, /The first 2,000 of 2,345 rows; the CSV has all of them\./)
  assert.match(text, /doc_1999/)
  assert.doesNotMatch(text, /doc_2000/)
  assert.doesNotMatch(await renderText(many(), 'html'), /the CSV has all/)
})

test('renders a report without rows, figures and charts', async () => {
  for (const format of ['json', 'csv', 'markdown', 'html', 'pdf'] as const) {
    const rendered = renderReport(reportOf([]), format)
    assert.ok((await buffer(rendered.bytes)).length > 0)
    assert.equal(rendered.row_count(), 0)
  }
})

test('aborting a report stops its work', async () => {
  const given_up = new AbortController()
  async function* endless() {
    for (let at = 0; ; at += 1) {
      if (at === 10_000) given_up.abort(new Error('given up'))
      yield plain
    }
  }
  for (const format of ['csv', 'html'] as const) {
    const rendered = renderReport({ ...reportOf([]), rows: endless() }, format, { signal: given_up.signal })
    await assert.rejects(buffer(rendered.bytes), /given up/)
  }
})

test('a failing source fails the report', async () => {
  async function* broken() {
    yield plain
    throw new Error('the database went away')
  }
  for (const format of ['json', 'pdf'] as const)
    await assert.rejects(
      buffer(renderReport({ ...reportOf([]), rows: broken() }, format).bytes),
      /the database went away/,
    )
})

test('streams 200,000 rows without holding them in memory', async () => {
  async function* many() {
    for (let at = 0; at < 200_000; at += 1)
      yield { ...plain, id: `doc_${at}`, title: `A title that is as long as titles are, number ${at}`, note: null }
  }
  for (const format of ['json', 'csv', 'markdown', 'html'] as const) {
    const before = process.memoryUsage().rss
    const rendered = renderReport({ ...reportOf([]), rows: many() }, format)
    let size = 0
    let most = 0
    for await (const piece of rendered.bytes as AsyncIterable<Uint8Array>) {
      size += piece.length
      most = Math.max(most, process.memoryUsage().rss - before)
    }
    assert.equal(rendered.row_count(), 200_000)
    if (format !== 'html') assert.ok(size > 20_000_000, `${format} has ${size} bytes`)
    assert.ok(most < 150_000_000, `${format} took ${Math.round(most / 1e6)} MB`)
  }
})
