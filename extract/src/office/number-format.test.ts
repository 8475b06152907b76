import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatOf, showBy } from './number-format.ts'

const shown = (format: string, value: number, from_1904 = false) => showBy(format)(value, from_1904)

test('formats numbers', () => {
  const cases: [string, number, string][] = [
    ['General', 0.1 + 0.2, '0.3'],
    ['General', 12_345_678_901, '12345678901'],
    ['0', 2.5, '3'],
    ['0.00', -1.005, '-1.01'],
    ['#,##0', 1234567, '1,234,567'],
    ['#,##0.00;(#,##0.00)', -5, '(5.00)'],
    ['#,##0.00;[Red]-#,##0.00', -1234.5, '-1,234.50'],
    ['0;-0;"none"', 0, 'none'],
    ['0.0%', 0.1234, '12.3%'],
    ['0.00E+00', 12345, '1.23E+04'],
    ['[$€-407] #,##0.00', 9.5, '€ 9.50'],
    ['"$"#,##0.00_);\\("$"#,##0.00\\)', -3, '($3.00)'],
    ['000', 7, '007'],
    ['#.##', 0.5, '.5'],
    ['0.0,,"M"', 12_300_000, '12.3M'],
    ['# ?/?', 0.5, '1/2'],
    ['# ?/?', 2.25, '2 1/4'],
    ['# ??/??', -1.3125, '-1 5/16'],
    ['# ?/?', 3, '3'],
    ['#/8', 0.75, '6/8'],
    ['_-* #,##0.00\\ "€"_-', 1234.5, '1,234.50 €'],
    ['[>=1000]0.0,"k";0', 2500, '2.5k'],
    ['[>=1000]0.0,"k";0', 25, '25'],
    ['[=1]"yes";[=0]"no";0', 0, 'no'],
    ['0.0##', 13, '13.0'],
    ['#.##', 13, '13'],
    ['@', 4, '4'],
  ]
  for (const [format, value, expected] of cases) assert.equal(shown(format, value), expected, format)
})

test('formats dates and times', () => {
  const moment = 46341 + (13 * 3600 + 5 * 60 + 9) / 86_400
  const cases: [string, string][] = [
    ['yyyy-mm-dd', '2026-11-15'],
    ['d/m/yy', '15/11/26'],
    ['dddd, d mmmm yyyy', 'Sunday, 15 November 2026'],
    ['dd.mm.yyyy hh:mm:ss', '15.11.2026 13:05:09'],
    ['h:mm AM/PM', '1:05 PM'],
    ['mm:ss', '05:09'],
    ['[$-F800]dddd\\,\\ mmm d', 'Sunday, Nov 15'],
    ['yyyy"年"m"月"', '2026年11月'],
  ]
  for (const [format, expected] of cases) assert.equal(shown(format, moment), expected, format)
  assert.equal(shown('[h]:mm', 1.5), '36:00')
  assert.equal(shown('yyyy-mm-dd', 1), '1900-01-01')
  assert.equal(shown('yyyy-mm-dd', 46341 - 1462, true), '2026-11-15')
  assert.equal(shown('yyyy-mm-dd', -1), '-1')
})

test('an unknown format id falls back to General', () => {
  assert.equal(formatOf(9, new Map()), '0%')
  assert.equal(formatOf(9, new Map([[9, '0.000']])), '0.000')
  assert.equal(formatOf(999, new Map()), 'General')
})

test('knows the built-in accounting, fraction and East Asian date formats', () => {
  const shownBy = (id: number, value: number) => showBy(formatOf(id, new Map()))(value, false)
  assert.equal(shownBy(43, -1234.5), '(1,234.50)')
  assert.equal(shownBy(41, 0), '-')
  assert.equal(shownBy(12, 0.25), '1/4')
  assert.equal(shownBy(49, 13), '13')
  assert.equal(shownBy(31, 46341), '2026年11月15日')
})

test('shows fractions of a second if the format has them', () => {
  assert.equal(shown('mm:ss.00', 65.25 / 86_400), '01:05.25')
  assert.equal(shown('ss.0', 59.96 / 86_400), '00.0')
})
