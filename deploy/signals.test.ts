import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'

const WAIT = "setTimeout(() => {}, 30_000); console.log('up')"

async function endBy(signal: NodeJS.Signals, program: string): Promise<unknown[]> {
  const child = spawn(process.execPath, ['--import', new URL('signals.ts', import.meta.url).href, '-e', program])
  await once(child.stdout, 'data')
  child.kill(signal)
  return once(child, 'close')
}

test('a program that takes no signals ends by them, as the first process of a container too', async () => {
  // With a code: the system would have named the signal, and spared a first process.
  assert.deepEqual(
    [await endBy('SIGTERM', WAIT), await endBy('SIGINT', WAIT)],
    [
      [143, null],
      [130, null],
    ],
  )
})

test('a program that takes them decides itself', async () => {
  assert.deepEqual(await endBy('SIGTERM', `process.on('SIGTERM', () => process.exit(7)); ${WAIT}`), [7, null])
})
