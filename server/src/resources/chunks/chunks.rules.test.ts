import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textFromBlocks } from '@octavo/base/blocks.ts'
import type { Block } from '@octavo/contract'
import fc from 'fast-check'
import type { Heading } from '../../text/headings.ts'
import { chunkPage, chunkText } from './chunks.rules.ts'

const textsOf = (text: string): string[] => {
  const points = [...text]
  return chunkText(text).map(({ start, end }) => points.slice(start, end).join(''))
}
const sentence = (n: number): string => `Sentence number ${n} says a little about the tenant, the rent and the house.`
const paragraph = (first: number, count: number): string =>
  Array.from({ length: count }, (_, i) => sentence(first + i)).join(' ')

test('a text without words has no chunks', () => {
  for (const text of ['', ' ', '\n\n\t\u3000\ufeff']) assert.deepEqual(chunkText(text), [])
})

test('a short text is one chunk without surrounding white space', () => {
  assert.deepEqual(chunkText('  \n One.\n\nTwo. \n'), [{ start: 4, end: 14 }])
})

test('keeps paragraphs together while they fit and splits between them', () => {
  const paragraphs = [paragraph(1, 5), paragraph(6, 5), paragraph(11, 5), paragraph(16, 5)]

  const chunks = textsOf(paragraphs.join('\n \n'))

  assert.deepEqual(chunks, [`${paragraphs[0]}\n \n${paragraphs[1]}`, `${paragraphs[2]}\n \n${paragraphs[3]}`])
})

test('splits a paragraph that is too long between sentences', () => {
  const text = paragraph(1, 40)

  const chunks = textsOf(text)

  assert.equal(chunks.join(' '), text)
  assert.ok(chunks.length <= 4, `${chunks.length}`)
  for (const chunk of chunks) assert.match(chunk, /^Sentence .*house\.$/s)
})

test('ends a sentence of an East Asian script without a space', () => {
  const chunks = textsOf('契約は一年ごとに更新される。'.repeat(200))

  for (const chunk of chunks) assert.match(chunk, /^契.*。$/u)
})

test('splits at lines, then words, then anywhere if there are no sentences', () => {
  const lines = textsOf('rent 1200 due monthly\n'.repeat(100))
  const words = textsOf('word '.repeat(1_000))
  const none = textsOf('x'.repeat(2_500))

  for (const line of lines) assert.match(line, /^rent.*monthly$/s)
  for (const word of words) assert.match(word, /^word.*word$/s)
  assert.deepEqual(
    none.map(({ length }) => length),
    [1_000, 1_000, 500],
  )
})

test('counts a character outside the basic plane as one and never splits it', () => {
  const spans = chunkText('😀'.repeat(1_500))

  assert.deepEqual(spans, [
    { start: 0, end: 1_000 },
    { start: 1_000, end: 1_500 },
  ])
})

test('for any text, chunks are ordered, bounded and trimmed and cover all text', () => {
  const piece = fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
    { weight: 2, arbitrary: fc.constantFrom(' ', '\n', '\n\n', '\r\n\r\n', '. ', '。', '!) ', '\u3000', '\t') },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 2_200 }).map((count) => 'x'.repeat(count)) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 2_200 }).map((count) => ' '.repeat(count)) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 80 }).map((count) => 'A clause. '.repeat(count)) },
  )
  const texts = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))

  fc.assert(
    fc.property(texts, (text) => {
      const points = [...text]
      let after = 0
      for (const { start, end } of chunkText(text)) {
        assert.ok(start >= after && end > start && end - start <= 1_000)
        assert.match(points.slice(after, start).join(''), /^\s*$/)
        assert.match(points.slice(start, end).join(''), /^\S(.*\S)?$/su)
        after = end
      }
      assert.match(points.slice(after).join(''), /^\s*$/)
    }),
    { numRuns: 500 },
  )
})

test('chunks a page of a million characters in less than a second', () => {
  const hard = [
    'x',
    ' ',
    '\n',
    'x ',
    '.',
    '. ',
    '")',
    '😀',
    'x\n\n',
    `${'x'.repeat(249)}\n\n`,
    `${'x'.repeat(260)}. `,
    '\n \r',
  ]

  for (const part of hard) {
    const text = part.repeat(Math.ceil(1_000_000 / part.length))
    const start = performance.now()
    chunkText(text)
    const ms = performance.now() - start
    assert.ok(ms < 1_000, `${JSON.stringify(part.slice(0, 10))}: ${Math.round(ms)} ms`)
  }
})

const heading = (level: number, text: string): Block => ({ type: 'heading', level, text })
const says = (text: string): Block => ({ type: 'paragraph', text })
/** Each chunk in one line: the headings above it, and its text. */
function outlineOf(blocks: Block[], path: Heading[] = []): string[] {
  const { text } = textFromBlocks(blocks)
  const points = [...text]
  const { chunks } = chunkPage({ text, blocks }, path)
  return chunks.map(
    ({ start, end, heading_path }) =>
      `${heading_path.join(' > ')}: ${points.slice(start, end).join('').replaceAll('\n', '/')}`,
  )
}

test('a chunk ends before a heading, and the heading starts the next chunk', () => {
  const blocks = [
    says('Before.'),
    heading(1, 'Rent'),
    says('1,200 😀.'),
    heading(2, 'Due'),
    says('Monthly.'),
    heading(1, 'Pets'),
    says('None.'),
  ]

  assert.deepEqual(outlineOf(blocks), [
    ': Before.',
    'Rent: Rent//1,200 😀.',
    'Rent > Due: Due//Monthly.',
    'Pets: Pets//None.',
  ])
})

test('keeps consecutive headings together with the text below them', () => {
  const blocks: Block[] = [
    { type: 'title', text: 'Lease' },
    heading(1, 'Rent'),
    heading(2, 'Due\n date'),
    says('Monthly.'),
  ]

  assert.deepEqual(outlineOf(blocks), ['Lease > Rent > Due date: Lease//Rent//Due/ date//Monthly.'])
})

test('a page continues under the open headings and returns those open at its end', () => {
  const before = [
    { level: 0, text: 'Lease' },
    { level: 1, text: 'Rent' },
  ]
  const blocks = [says('On.'), heading(1, 'Pets'), says('None.'), heading(3, 'Fish')]

  const { path } = chunkPage({ text: textFromBlocks(blocks).text, blocks }, before)

  assert.deepEqual(outlineOf(blocks, before), [
    'Lease > Rent: On.',
    'Lease > Pets: Pets//None.',
    'Lease > Pets > Fish: Fish',
  ])
  assert.deepEqual(path, [
    { level: 0, text: 'Lease' },
    { level: 1, text: 'Pets' },
    { level: 3, text: 'Fish' },
  ])
})

test('text that does not match its blocks has no headings from them', () => {
  const { chunks, path } = chunkPage({ text: 'Corrected.', blocks: [heading(1, 'Rent')] }, [{ level: 1, text: 'Open' }])

  assert.deepEqual(chunks, [{ start: 0, end: 10, heading_path: ['Open'] }])
  assert.deepEqual(path, [{ level: 1, text: 'Open' }])
})

test('limits the heading path to nine headings of 300 characters', () => {
  const deep = Array.from({ length: 12 }, (_, i) => ({ level: i, text: `h${i}` }))

  const { chunks } = chunkPage(
    { text: 'x'.repeat(900), blocks: [{ type: 'heading', level: 9, text: 'x'.repeat(900) }] },
    deep.slice(0, 9),
  )

  assert.deepEqual(
    chunks[0]?.heading_path.map(({ length }) => length),
    [2, 2, 2, 2, 2, 2, 2, 2, 300],
  )
})
