import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { tokenCounter } from './tokens.ts'

const count = await tokenCounter()

test('tokens are counted as the tokenizer does', () => {
  const texts = [
    '',
    'Lease',
    'The lease begins on 1 March 2027.',
    'One.\n\nTwo.\n\n- three',
    '契約は一年ごとに更新される。',
    'a\tb\tc',
    '  x\n    y()',
    `Rent${' '.repeat(40)}1,200\nDeposit${' '.repeat(37)}2,400\n`,
    `A${'\n'.repeat(40)}B/\n/\n//C\u00a0\u2003\u3000D`,
  ]

  assert.deepEqual(
    texts.map(count),
    texts.map((text) => encode(text).length),
  )
})

test('a text that speaks of the signs of a model is a text like all others', () => {
  for (const sign of ['<|endoftext|>', '<|im_start|>', '<|endofprompt|>'])
    assert.ok(count(`It ends with ${sign}.`) > 5, sign)
})

const LENGTH = 31_990
const PROSE = 'The lease begins on 1 March 2027, and the tenant pays the rent before the tenth day of every month. '
const SPACES = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter((one) => /\s/u.test(one))
const RUNS: Record<string, readonly string[]> = {
  'white space': SPACES,
  'combining marks': ['\u0301', '\u0bcd', '\u20dd', '\u{e0100}'],
  words: ['x', 'X', 'ß', 'あ', '\u{20000}', '7', "x'"],
  'zero-width characters': ['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad'],
  'control characters': ['\0', '\u0001', '\u001b', '\u007f', '\u0085', '\u202e'],
  symbols: ['=', '=-', '😀', '\ud800', '<|endoftext|>'],
  'mixed white space': ['\n ', '\r\n', '\u00a0\t', ' \u2003\u3000'],
  'line ends and slashes': ['/\n', '\n/', '//\r\n', '!\n/'],
}
const repeatedText = (part: string, length: number): string =>
  `a${part.repeat(Math.ceil(length / part.length)).slice(0, length)}b`

for (const [name, parts] of Object.entries(RUNS))
  test(`a long run is counted in less than ten times the time of prose: ${name}`, () => {
    const prose_us = cpuOf(PROSE)
    for (const part of parts) {
      const us = cpuOf(part)
      assert.ok(us < 10 * prose_us, `${JSON.stringify(part)}: ${us} µs, prose: ${prose_us} µs`)
    }
  })

/**
 * The least of seven, in microseconds: a garbage collection or a busy machine only adds to a time. The tokenizer
 * remembers runs that it has seen, so each text has another length.
 */
function cpuOf(part: string): number {
  const times = Array.from({ length: 7 }, (_, i) => {
    const text = repeatedText(part, LENGTH - i)
    const start = process.cpuUsage()
    count(text)
    const { user, system } = process.cpuUsage(start)
    return user + system
  })
  return Math.min(...times)
}
