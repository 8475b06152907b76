// Runs the stories of the Python client, blocking and with asyncio.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { findEnvironment } from '../../clients/python/venv.ts'
import type { ClientRun, ClientServer } from './client.ts'

const FOLDER = join(import.meta.dirname, '../../clients/python')
const RESULT = /^(PASSED|FAILED|ERROR) tests\/_(async|sync)\/test_stories\.py::(\S+)(?: - (.*))?$/gm

/** Without Python 3.11 or newer there are no runs. */
export async function provePython({ url, newKey, say }: ClientServer): Promise<ClientRun[]> {
  const environment = await findEnvironment()
  if ('skip' in environment) {
    say(`Python: skipped, ${environment.skip}`)
    return []
  }
  const child = spawn(environment.python, ['-m', 'pytest', '-rA', '-k', 'test_stories'], {
    cwd: FOLDER,
    env: {
      ...process.env,
      PYTHONPATH: join(FOLDER, 'src'),
      PYTHONDONTWRITEBYTECODE: '1',
      OCTAVO_URL: url,
      OCTAVO_API_KEY: await newKey(),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return readRuns(await text(child.stdout))
}

function readRuns(printed: string): ClientRun[] {
  const results = [...printed.matchAll(RESULT)].map(([, result, half = '', name = '', reason = '']) => ({
    runtime: half === 'async' ? 'Python with asyncio' : 'Python',
    story: [name, result === 'PASSED' ? null : reason] satisfies [string, string | null],
  }))
  if (results.length === 0) throw new Error(`pytest ran no stories:\n${printed}`)
  return [...Map.groupBy(results, ({ runtime }) => runtime)].map(([runtime, of]) => ({
    client: 'octavo',
    runtime,
    stories: of.map(({ story }): [string, string | null] => story),
  }))
}
