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

test('a chunk of any script is counted in a moment', () => {
  for (const part of ['x', 'あ', '😀', ' ', '=-', '\u{20000}']) {
    const text = part.repeat(1_000)
    const start = performance.now()
    count(text)
    const ms = performance.now() - start
    assert.ok(ms < 500, `${part}: ${Math.round(ms)} ms`)
  }
})
