import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { plantText } from './lib/plant-text.ts'
import type { Proof } from './lib/proof.ts'

const root = join(import.meta.dirname, '..')

test('every fault of every proof still fits the source', async () => {
  const programs = globSync('proof/*.ts', { cwd: root }).filter((file) => !/(prove|\.test)\.ts$/.test(file))
  let count = 0
  for (const program of programs) {
    const { proof } = (await import(join(root, program))) as { proof: Proof }
    for (const { plants } of Object.values(proof.faults))
      for (const plant of plants) {
        count++
        plantText(readFileSync(join(root, plant.file), 'utf8'), plant)
      }
  }
  assert.ok(count > 100, `only ${count} faults were looked at`)
})

test('white space and trailing commas do not hide a fault, other text does', () => {
  const plant = { file: 'a.ts', find: 'put(key, { a: 1 }) || ', replace: 'x' }

  assert.equal(plantText('if (put(\n  key,\n  {\n    a: 1,\n  },\n) || b)', plant), 'if (x b)')
  assert.throws(() => plantText('if (put(keys, { a: 1 }) || b)', plant), /stale/)
  assert.throws(() => plantText('return1', { ...plant, find: 'return 1' }), /stale/)
})
