// The Python client on the real server. Without Python, or without its packages, these tests are skipped.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, type TestContext, test } from 'node:test'
import { startApi } from '../../server/src/testing/api.ts'
import { weightsDir } from '../../server/src/testing/weights.ts'
import { findEnvironment } from './venv.ts'

const environment = await findEnvironment()

/** Runs a Python module in the folder of the client; returns its output. */
async function runModule(t: TestContext, args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  if ('skip' in environment) {
    t.skip(environment.skip)
    return ''
  }
  const child = spawn(environment.python, ['-m', ...args], {
    cwd: import.meta.dirname,
    env: {
      ...process.env,
      PYTHONPATH: join(import.meta.dirname, 'src'),
      PYTHONDONTWRITEBYTECODE: '1',
      PYRIGHT_PYTHON_IGNORE_WARNINGS: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const [code, out, error] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  assert.equal(code, 0, `${args.join(' ')} failed:\n${out}\n${error}`)
  return out
}

test('the stories on the real server', async (t) => {
  if ('skip' in environment) return t.skip(environment.skip)
  const api = await startApi({ after }, { OCTAVO_MODELS_DIR: weightsDir() })

  const printed = await runModule(t, ['pytest', '-k', 'test_stories'], {
    OCTAVO_URL: api.url,
    OCTAVO_API_KEY: api.owner_key,
  })

  assert.match(printed, /\d\d passed/)
  assert.doesNotMatch(printed, /skipped/)
})

test('the tests on a scripted server', async (t) => {
  await runModule(t, ['pytest', '-k', 'not test_stories'])
})

test('types and style', async (t) => {
  const cache = join(import.meta.dirname, '../../node_modules/.cache')
  await runModule(t, ['ruff', 'check', '--no-cache'])
  await runModule(t, ['ruff', 'format', '--check', '--no-cache'])
  await runModule(t, ['mypy', '--cache-dir', join(cache, 'mypy')])
})
