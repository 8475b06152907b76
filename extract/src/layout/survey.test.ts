import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampledNumbers } from '../pdf/survey.ts'
import { levelOfSize, surveyOf } from './survey.ts'
import { layout, line, lines, PROSE } from './testing.ts'
import type { Word } from './types.ts'

const HEIGHT = 800
const chapterOf = (number: number): string => (number < 4 ? 'Chapter 1: Rivers' : 'Chapter 2: Towns')

/** The page number is far from the edge, as LaTeX sets it, and three less than that of the page in the file. */
function pageWords(number: number): Word[] {
  return [
    ...line(50, 40, 'Annual Report of the Society', { size: 14 }),
    ...line(50, 60, `${chapterOf(number)} ${number - 3}`, { size: 9 }),
    ...(number === 2 ? line(50, 100, 'Rivers', { size: 18 }) : []),
    ...line(50, 140, `${number}.1 On the Banks`, { size: 14 }),
    ...lines(50, 180, PROSE),
    ...line(50, 300, 'A smaller part', { size: 12 }),
    ...lines(50, 330, PROSE),
    ...line(300, 680, `${number - 3}`),
  ]
}
const sample = (numbers: number[]) =>
  surveyOf(numbers.map((number) => ({ number, height: HEIGHT, words: pageWords(number) })))
const survey = sample([1, 2, 3, 4, 5, 6])
const read = (number: number) => layout(pageWords(number), [], { survey, page_number: number })

test('leaves out rows that other pages repeat and rows with the page number', () => {
  const running = read(5).filter(({ is_running }) => is_running)

  assert.deepEqual(
    running.map(({ type, text }) => [type, text]),
    [
      ['header', 'Annual Report of the Society'],
      ['header', 'Chapter 2: Towns 2'],
      ['footer', '2'],
    ],
  )
})

test('a number in the same place that is not the page number is text', () => {
  const words = [...pageWords(5).filter(({ y0 }) => y0 < 680), ...line(300, 680, '1200')]

  const last = layout(words, [], { survey, page_number: 5 }).at(-1)

  assert.deepEqual([last?.type, last?.text, last?.is_running], ['paragraph', '1200', undefined])
})

test('a heading has the same level on every page', () => {
  const levels = (number: number) =>
    read(number).flatMap(({ type, level, text }) => (type === 'heading' ? [[level, text]] : []))

  assert.deepEqual(levels(2), [
    [1, 'Rivers'],
    [2, '2.1 On the Banks'],
    [3, 'A smaller part'],
  ])
  assert.deepEqual(levels(5), [
    [2, '5.1 On the Banks'],
    [3, 'A smaller part'],
  ])
})

test('the size of a title on the first page only is not a heading level', () => {
  const title = (number: number) => (number === 1 ? line(50, 100, 'The Title', { size: 30 }) : [])

  const found = surveyOf([1, 2, 3].map((n) => ({ number: n, height: HEIGHT, words: [...title(n), ...pageWords(n)] })))

  assert.deepEqual(found?.heading_sizes, [18, 14, 12])
  assert.equal(levelOfSize(30, found?.heading_sizes ?? []), 1)
})

test('one page is not enough to compare', () => {
  assert.equal(sample([1]), null)
})

test('compares all pages of a short document and pairs of a long one', () => {
  assert.deepEqual(sampledNumbers(1), [1])
  assert.deepEqual(sampledNumbers(5), [1, 2, 3, 4, 5])
  assert.deepEqual(sampledNumbers(101), [1, 2, 34, 35, 67, 68, 100, 101])
})
