import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { findBreakingChanges } from './oasdiff.ts'

const text = { type: 'string', maxLength: 300 }
const stored = { title: text, note: text, status: { type: 'string', 'x-extensible-enum': ['processing', 'ready'] } }

/** A description of one resource; `required` says which members an answer always has. */
function describe(
  answer: Record<string, object>,
  request: Record<string, object>,
  required: string[] = ['title'],
): object {
  const body = (schema: object) => ({ content: { 'application/json': { schema } } })
  const created = { description: 'Created.', ...body({ type: 'object', required, properties: answer }) }
  const post = { requestBody: body({ type: 'object', properties: request }), responses: { 201: created } }
  return { openapi: '3.1.0', info: { title: 'Documents', version: '1' }, paths: { '/documents': { post } } }
}

function compare(t: TestContext, base: object, revision: object) {
  const folder = mkdtempSync(join(tmpdir(), 'oasdiff-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const [before, after] = [join(folder, 'before.json'), join(folder, 'after.json')]
  writeFileSync(before, JSON.stringify(base))
  writeFileSync(after, JSON.stringify(revision))
  return findBreakingChanges(before, after)
}

const base = describe(stored, { title: text, note: text })
const { note: _note, ...without_note } = stored
const { title: _title, ...without_title } = stored

test('an unchanged description is not breaking', (t) => {
  assert.equal(compare(t, base, base).is_breaking, false)
})

test('a new field or a new value of an open enum is not breaking', (t) => {
  const status = { type: 'string', 'x-extensible-enum': ['processing', 'ready', 'failed'] }

  assert.equal(
    compare(t, base, describe({ ...stored, status, pages: { type: 'integer' } }, { title: text, note: text }))
      .is_breaking,
    false,
  )
})

const breaking: [title: string, revision: object, expected: RegExp][] = [
  ['a removed member of an answer', describe(without_title, { title: text, note: text }, []), /title/],
  ['a removed optional member of an answer', describe(without_note, { title: text, note: text }), /note/],
  ['a removed member of a request', describe(stored, { title: text }), /note/],
  ['a shorter limit of a request', describe(stored, { title: { ...text, maxLength: 200 }, note: text }), /200/],
  ['a changed type', describe({ ...stored, title: { type: 'integer' } }, { title: text, note: text }), /title/],
]
for (const [title, revision, expected] of breaking) {
  test(`${title} fails`, (t) => {
    const { is_breaking, report } = compare(t, base, revision)

    assert.equal(is_breaking, true)
    assert.match(report, expected)
  })
}

test('a file that cannot be compared is an error, not a pass', (t) => {
  assert.throws(() => compare(t, base, { openapi: 3 }), /could not compare/)
})
