import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { openExtract } from '../extract.ts'
import { type HostileProgram, hasCompiler, openHostileProgram } from '../testing/hostile-program.ts'
import { detectLevel } from './detect.ts'
import { openSandbox } from './launch.ts'
import { findWeakness, isBelow, isLocalLevel, sandboxLevels } from './levels.ts'
import { buildFilter } from './seccomp.ts'

const LIMITS = {
  max_read_bytes: 1e6,
  max_pages: 10,
  max_inflated_bytes: 1e6,
  max_pixels: 1e6,
  parser_heap_mb: 256,
  parser_resident_mb: 500,
  parser_open_seconds: 20,
  parser_page_seconds: 20,
}
const { level, because } = detectLevel()
const skip = hasCompiler() ? false : 'no C compiler'
const skip_bubblewrap = skip || (level === 'bubblewrap' ? false : `bubblewrap does not run: ${because}`)

let hostile: HostileProgram
before(async () => {
  if (!skip) hostile = await openHostileProgram()
})
after(() => hostile?.close())

test('native code cannot access anything in bubblewrap', { skip: skip_bubblewrap }, async () => {
  assert.deepEqual(await hostile.run(openSandbox('bubblewrap')), [])
})

test('native code cannot access anything with Landlock and seccomp', { skip }, async () => {
  assert.deepEqual(await hostile.run(openSandbox('landlock', hostile.confine)), [])
})

test('with seccomp alone, native code can only read files of its user', { skip }, async () => {
  assert.deepEqual(await hostile.run(openSandbox('seccomp', hostile.confine)), [
    'read a file of the host',
    'read /etc/passwd',
    'read the environment of the host',
    'read files through /proc of the host',
  ])
})

test('a parser reads a file at every sandbox level', { skip: skip_bubblewrap }, async (t) => {
  const bytes = Buffer.from('First paragraph.')
  const claims = { media_type: 'text/plain', file_name: 'a.txt', size_bytes: bytes.length }
  for (const level of sandboxLevels.filter(isLocalLevel)) {
    const launcher = level === 'bubblewrap' ? undefined : hostile.confine
    const extract = openExtract(LIMITS, undefined, openSandbox(level, launcher))
    t.after(() => extract.close())
    const { signal } = new AbortController()

    const reading = await extract.open(async () => Readable.from([bytes]), { ...claims, signal })

    assert.equal((await reading.page(1)).blocks[0]?.text, 'First paragraph.', level)
    await reading.close()
  }
})

test('without a launcher, only memory and file size of native code are limited', { skip }, async () => {
  const reached = await hostile.run(openSandbox('process'))

  assert.ok(reached.includes('read a file of the host'))
  assert.ok(reached.includes('connect to a port of the host'))
  assert.ok(!reached.includes('write a file'))
  assert.ok(!reached.includes('take 1 GiB of memory'))
})

test('a CPU without a syscall table gets no filter', () => {
  assert.equal(buildFilter('riscv64'), null)
  assert.notDeepEqual(buildFilter('x64'), buildFilter('arm64'))
})

test('sandbox levels are ordered', () => {
  assert.deepEqual(
    sandboxLevels.filter((one) => isBelow(one, 'landlock')),
    ['process', 'seccomp'],
  )
})

test('refuses a machine below SANDBOX_MINIMUM with the reason', () => {
  const because = 'it is not installed'

  assert.equal(findWeakness({ level: 'landlock', because }, 'landlock'), null)
  assert.equal(
    findWeakness({ level: 'process', because }, 'landlock'),
    "SANDBOX_MINIMUM is landlock, but this machine offers only 'process' (bubblewrap: it is not installed).",
  )
})
