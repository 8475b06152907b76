// The retrievers for LangChain and LlamaIndex on the real server, with the released base packages.

import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { startApi } from '../server/src/testing/api.ts'
import { retrieverPages } from '../server/src/testing/guide-blocks.ts'
import { blocksOf, openDesk, runPython } from '../server/src/testing/guides.ts'
import { weightsDir } from '../server/src/testing/weights.ts'
import { findEnvironment } from './python/venv.ts'

const isComplete = process.env['OCTAVO_PYTHON'] === 'all'
// The packages that LlamaIndex needs take 400 MB.
const options = { timeout: 900_000, skip: isComplete ? false : 'set OCTAVO_PYTHON=all to run it' }

test('retrievers find passages, and their examples run', options, async (t) => {
  const environment = await findEnvironment(join(import.meta.dirname, 'retrievers-requirements.txt'))
  if ('skip' in environment) return t.skip(environment.skip)
  const { python } = environment
  const api = await startApi({ after }, { OCTAVO_MODELS_DIR: weightsDir() })
  const desk = openDesk()
  after(desk.close)

  for (const page of retrieverPages) {
    const folder = join(import.meta.dirname, '..', dirname(page))
    const env = {
      PYTHONPATH: [join(import.meta.dirname, 'python/src'), folder].join(':'),
      PYTHONDONTWRITEBYTECODE: '1',
    }
    const reader = { url: api.url, key: api.owner_key, cwd: folder, env }
    await runPython(python, ['-m', 'ruff', 'check', '--no-cache'], reader)
    await runPython(python, ['-m', 'ruff', 'format', '--check', '--no-cache'], reader)
    const printed = await runPython(python, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests'], reader)
    assert.match(printed, /2 passed/)
    const example = await runPython(python, ['-c', blocksOf(page, 'python').join('\n')], { ...reader, cwd: desk.cwd })
    assert.match(example, /^Lease 2 .*Rent is due on the third day/m)
  }
})
