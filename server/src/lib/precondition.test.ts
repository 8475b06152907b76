import assert from 'node:assert/strict'
import { test } from 'node:test'
import { etagOf, isValidTagList, matchesTag, Precondition } from './precondition.ts'

const row = { id: 'doc_01h455vb4pex5vsknk084sn02q', version: 3 }
const tag = etagOf(row)
const refused = { code: 'precondition_failed' }

test('an ETag has the published format and differs for every version and resource', () => {
  assert.match(tag, /^"[\w-]{22}"$/)
  assert.equal(etagOf({ ...row }), tag)
  assert.notEqual(etagOf({ ...row, version: 4 }), tag)
  assert.notEqual(etagOf({ ...row, id: 'doc_01h455vb4pex5vsknk084sn02r' }), tag)
})

const LISTS: [header: string, is_valid: boolean, matches: boolean][] = [
  [tag, true, true],
  ['*', true, true],
  [' * ', true, true],
  [`W/${tag}`, true, true],
  [`"other", ${tag}`, true, true],
  [`"other" ,W/${tag} `, true, true],
  ['"other"', true, false],
  ['""', true, false],
  [tag.slice(1, -1), false, false],
  [`"other" ${tag}`, false, false],
  [`*, ${tag}`, false, true],
  ['', false, false],
  [`w/${tag}`, false, false],
]
for (const [header, is_valid, matches] of LISTS) {
  test(`${header || '(empty)'} is ${is_valid ? 'a' : 'no'} tag list${is_valid && matches ? ' that has ours' : ''}`, () => {
    assert.equal(isValidTagList(header), is_valid)
    if (is_valid) assert.equal(matchesTag(header, tag), matches)
  })
}

test('a tag weakened by a proxy matches the strong one', () => {
  assert.ok(matchesTag(tag, `W/${tag}`))
  new Precondition(`W/${tag}`).check(row)
})

test('If-Match refuses a write to another version', () => {
  new Precondition(tag).check(row)
  assert.throws(() => new Precondition(tag).check({ ...row, version: 4 }), refused)
  assert.throws(() => new Precondition('"other"').check(row), refused)
})

test('If-None-Match refuses a write to an excluded version', () => {
  new Precondition(null, '"other"').check(row)
  assert.throws(() => new Precondition(null, tag).check(row), refused)
  assert.throws(() => new Precondition(null, '*').check(row), refused)
})

test('a precondition records whether it was checked', () => {
  const precondition = new Precondition(null)
  assert.ok(!precondition.is_set && !precondition.is_checked)

  precondition.check(row)

  assert.ok(precondition.is_checked)
})
