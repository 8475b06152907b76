import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type HostileProgram, hasCompiler, openHostileProgram } from '../../testing/hostile-program.ts'
import { detectLevel } from './detect.ts'
import { openSandbox } from './launch.ts'
import { buildFilter } from './seccomp.ts'

const { level, because } = detectLevel()
const skip = hasCompiler() ? false : 'no C compiler'
const skip_bubblewrap = skip || (level === 'bubblewrap' ? false : `bubblewrap does not run: ${because}`)

let hostile: HostileProgram
before(async () => {
  if (!skip) hostile = await openHostileProgram()
})
after(() => hostile?.close())

test('native code reaches nothing in bubblewrap', { skip: skip_bubblewrap }, async () => {
  assert.deepEqual(await hostile.run(openSandbox('bubblewrap')), [])
})

test('without bubblewrap, native code is limited in memory and file size only', { skip }, async () => {
  const reached = await hostile.run(openSandbox('process'))

  assert.ok(reached.includes('read a file of the host'))
  assert.ok(reached.includes('connect to a port of the host'))
  assert.ok(!reached.includes('write a file'))
  assert.ok(!reached.includes('take 1 GiB of memory'))
})

test('a CPU without a table of calls gets no filter', () => {
  assert.equal(buildFilter('riscv64'), null)
  assert.notDeepEqual(buildFilter('x64'), buildFilter('arm64'))
})
