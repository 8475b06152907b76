import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { tokenCounter } from './tokens.ts'

const count = await tokenCounter()

test('counts tokens like the tokenizer', () => {
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

test('counts special tokens in text as ordinary text', () => {
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

const PROSE_US = Math.min(...Array.from({ length: 20 }, (_, i) => cpuOf(PROSE, i)))

for (const [name, parts] of Object.entries(RUNS))
  test(`counting tokens of a long run takes a small multiple of the time for prose: ${name}`, () => {
    // "!\n/" takes 4 to 10 times as long: three characters are one piece, which is not one token. Without the cut, runs
    // take 1,000 times as long.
    const limit = (name.endsWith('white space') ? 10 : 30) * PROSE_US
    for (const part of parts) {
      const us = leastCpuOf(part, limit)
      assert.ok(us < limit, `${JSON.stringify(part)}: ${us} µs, prose: ${PROSE_US} µs`)
    }
  })

/** In microseconds. The tokenizer remembers runs that it has seen, so each round has another length. */
function cpuOf(part: string, round: number): number {
  const text = repeatedText(part, LENGTH - round)
  const start = process.cpuUsage()
  count(text)
  const { user, system } = process.cpuUsage(start)
  return user + system
}

/** Repeats what was too slow: garbage collection, late compilation or a busy machine only add to a time. */
function leastCpuOf(part: string, limit: number): number {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0, spent = 0; least >= limit && round < 50 && spent < 5_000_000; round++) {
    const us = cpuOf(part, round)
    least = Math.min(least, us)
    spent += us
  }
  return least
}
