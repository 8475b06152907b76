// The Python client on the real server. Without Python, or without its packages, these tests are skipped.

import assert from 'node:assert/strict'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startApi } from '../../server/src/testing/api.ts'
import { pythonPages } from '../../server/src/testing/guide-blocks.ts'
import { blocksOf, openDesk, runPython, runShell, type TestGuideReader } from '../../server/src/testing/guides.ts'
import { weightsDir } from '../../server/src/testing/weights.ts'
import { findEnvironment } from './venv.ts'

/** Longer than these tests ever need, also on a busy machine. */
const SLOW = { timeout: 600_000 }
const isComplete = process.env['OCTAVO_PYTHON'] === 'all'
/** Takes longer than all the others together. */
const PACKAGING = { ...SLOW, skip: isComplete ? false : 'set OCTAVO_PYTHON=all to run it' }

const environment = await findEnvironment()
if ('skip' in environment) test('the Python client', (t) => t.skip(environment.skip))
else testClient(environment.python)

/** Settings of this machine for pip: index, certificates, cache. */
function pipSettings(): Record<string, string> {
  const names = /^(?:PIP_|SSL_|REQUESTS_|XDG_|PATH$|HOME$)/
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (names.test(name) && value ? [[name, value]] : [])),
  )
}

function testClient(python: string): void {
  const desk = openDesk()
  after(desk.close)
  const here: TestGuideReader = {
    url: '',
    key: '',
    cwd: import.meta.dirname,
    env: {
      ...pipSettings(),
      PYTHONPATH: join(import.meta.dirname, 'src'),
      PYTHONDONTWRITEBYTECODE: '1',
      // pyright runs on Node; its cache must not be in the checkout.
      NODE_COMPILE_CACHE: join(desk.cwd, '.cache'),
    },
  }
  const run = (...args: string[]): Promise<string> => runPython(python, ['-m', ...args], here)

  test('stories on the real server', SLOW, async () => {
    const api = await startApi({ after }, { OCTAVO_MODELS_DIR: weightsDir() })
    const reader = { ...here, url: api.url, key: api.owner_key }

    const printed = await runPython(python, ['-m', 'pytest', '-k', 'test_stories'], reader)

    assert.match(printed, /\d\d passed/)
    assert.doesNotMatch(printed, /skipped/)
  })

  test('the guides on the real server', SLOW, async () => {
    const api = await startApi({ after }, { OCTAVO_MODELS_DIR: weightsDir() })
    const reader = { ...here, cwd: desk.cwd, url: api.url, key: api.owner_key }

    for (const path of pythonPages) {
      const printed = await runPython(python, ['-c', blocksOf(path, 'python').join('\n')], reader)
      assert.match(printed, /Rent is due on the third day/)
    }
  })

  test('the tests on a scripted server', SLOW, async () => {
    await run('pytest', '-k', 'not test_stories')
  })

  test('types and style', SLOW, async () => {
    await run('ruff', 'check', '--no-cache')
    await run('ruff', 'format', '--check', '--no-cache')
    await run('mypy', '--cache-dir', join(import.meta.dirname, '../../node_modules/.cache/mypy'))
  })

  test('types as pyright sees them', PACKAGING, async () => {
    await run('pyright', '--pythonpath', python)
  })

  test('the package is built and installed as the guide says', PACKAGING, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'octavo-wheel-'))
    after(() => rmSync(folder, { recursive: true }))
    const [install] = blocksOf('docs/python.md', 'sh')
    assert.ok(install)

    await run('build', '--no-isolation', '--outdir', folder)
    const files = globSync('*', { cwd: folder }).map((name) => join(folder, name))
    await run('twine', 'check', '--strict', ...files)
    const reader = { ...here, cwd: desk.cwd, env: pipSettings() }
    const printed = await runShell(`${install}python -c 'import octavo; print(octavo.__file__)'`, reader)

    assert.equal(files.length, 2)
    assert.match(printed, /\.venv\/lib\/.*\/site-packages\/octavo\/__init__\.py$/m)
  })
}
