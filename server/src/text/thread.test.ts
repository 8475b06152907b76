import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inThread, runInline } from './thread.ts'

const math = new URL(`data:text/javascript,
  export const add = (a, b) => a + b;
  export const fail = () => { throw new Error('no sum') };
  export const end = () => process.exit(1)`)

const add = inThread<(a: number, b: number) => number>(math, 'add')

test('a function of a module runs in the thread', async () => {
  assert.deepEqual(await Promise.all([add(1, 2), add(3, 4)]), [3, 7])
})

test('an error in the thread rejects its call only', async () => {
  const fail = inThread<() => void>(math, 'fail')

  await assert.rejects(fail(), /no sum/)
  assert.equal(await add(1, 2), 3)
})

test('after the thread has ended, the next call starts another one', async () => {
  const end = inThread<() => void>(math, 'end')

  await assert.rejects(end(), /ended/)
  assert.equal(await add(1, 2), 3)
})

test('a process that serves no requests calls the function in its main thread', async () => {
  const where = new URL(`data:text/javascript,
    import { isMainThread } from 'node:worker_threads';
    export const isMain = () => isMainThread`)
  const isMain = inThread<() => boolean>(where, 'isMain')

  const before = await isMain()
  runInline()

  assert.deepEqual([before, await isMain()], [false, true])
})
