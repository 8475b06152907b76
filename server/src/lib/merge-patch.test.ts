import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergePatch } from './merge-patch.ts'

// The table of RFC 7396, appendix A.
const TABLE: [original: string, patch: string, result: string][] = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
]

for (const [original, patch, result] of TABLE) {
  test(`${original} patched with ${patch} is ${result}`, () => {
    const target: unknown = JSON.parse(original)

    assert.deepEqual(mergePatch(target, JSON.parse(patch)), JSON.parse(result))
    assert.deepEqual(target, JSON.parse(original), 'the original was changed')
  })
}

test('keys named like inherited properties are ordinary keys', () => {
  assert.deepEqual(mergePatch({}, { constructor: 'x', toString: { a: 'y' } }), {
    constructor: 'x',
    toString: { a: 'y' },
  })
  assert.deepEqual(mergePatch({}, { hasOwnProperty: null }), {})
})
