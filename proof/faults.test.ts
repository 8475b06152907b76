import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { change, changes } from './lib/change.ts'
import { plantText } from './lib/plant-text.ts'

const root = join(import.meta.dirname, '..')

test('every fault of every proof still matches the source', async () => {
  const programs = globSync('proof/*.ts', { cwd: root }).filter((file) => !/(prove|\.test)\.ts$/.test(file))
  for (const program of programs) await import(join(root, program))
  for (const plant of changes) plantText(readFileSync(join(root, plant.file), 'utf8'), plant)
  assert.ok(changes.length > 200, `only ${changes.length} changes were looked at`)
})

test('finds a fault despite other white space and trailing commas, but not in other text', () => {
  const plant = { at: 'a.ts', find: 'put(key, { a: 1 }) || ', replace: 'x' }

  assert.equal(plantText('if (put(\n  key,\n  {\n    a: 1,\n  },\n) || b)', plant), 'if (x b)')
  assert.throws(() => plantText('if (put(keys, { a: 1 }) || b)', plant), /stale/)
  assert.throws(() => plantText('return1', { ...plant, find: 'return 1' }), /stale/)
})

test('a fault is planted in the declaration that it names, whichever file holds it', () => {
  const text = 'const first = 1\n\nclass Jobs {\n  start() {\n    go(1)\n  }\n\n  async stop() {\n    go(1)\n  }\n}\n'
  const planted = plantText(text, { at: 'stop', find: 'go(1)', replace: 'go(2)' })

  assert.equal(planted, text.replace(/go\(1\)(?![^]*go)/, 'go(2)'))
  assert.throws(() => plantText(text, { at: 'first', find: 'go(1)', replace: '' }), /stale/)
  assert.equal(change('openApp', 'export function openApp(', '').file.endsWith('app.ts'), true)
  assert.throws(() => change('no_such_name', 'go(1)', '').file, /stale/)
})
