import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileBuilder } from './object-builder.ts'

test('builds an object of the named members, in their order', () => {
  const build = compileBuilder<string>([
    { name: 'count', key: 1, convert: Number },
    { name: 'title', key: 0, convert: null },
  ])

  assert.equal(JSON.stringify(build(['Lease', '2', 'other'])), '{"count":2,"title":"Lease"}')
})

test('does not convert null, and leaves out a member that the source does not have', () => {
  const build = compileBuilder<unknown>(
    ['title', 'error', 'note'].map((name) => ({ name, key: name, convert: (value) => `<${String(value)}>` })),
  )

  assert.equal(JSON.stringify(build({ title: 'Lease', error: null })), '{"title":"<Lease>","error":null}')
})

test('names and keys are data, not code', () => {
  const name = `a": 1, "b\\"] + (() => { throw 1 })() + [\``
  const build = compileBuilder<string>([{ name, key: name, convert: null }])

  assert.deepEqual(build({ [name]: 'x' }), { [name]: 'x' })
})
