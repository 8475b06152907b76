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

test('a program without signal handlers exits on a signal, even as PID 1', async () => {
  // With a code: the system would have named the signal, and spared a first process.
  assert.deepEqual(
    [await endBy('SIGTERM', WAIT), await endBy('SIGINT', WAIT)],
    [
      [143, null],
      [130, null],
    ],
  )
})

test('a program with a signal handler decides its own exit', async () => {
  assert.deepEqual(await endBy('SIGTERM', `process.on('SIGTERM', () => process.exit(7)); ${WAIT}`), [7, null])
})
