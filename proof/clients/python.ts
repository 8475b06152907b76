// Runs the stories of the Python packages: the client, blocking and with asyncio, and the retrievers.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { findEnvironment } from '../../clients/python/venv.ts'
import type { ClientRun, ClientServer, StoryResult } from './client.ts'

const FOLDER = join(import.meta.dirname, '../../clients')
const RESULT = /^(PASSED|FAILED|ERROR) (tests\/\S+?)::(\S+)(?: - (.*))?$/gm

interface PythonPackage {
  name: string
  folder: string
  /** Libraries and tools for the tests; the file of the Python client by default. */
  requirements?: string
}

const packages: readonly PythonPackage[] = [
  { name: 'octavo', folder: 'python' },
  ...['langchain-octavo', 'llama-index-retrievers-octavo'].map((name) => ({
    name,
    folder: name,
    requirements: join(FOLDER, 'retrievers-requirements.txt'),
  })),
]

/** Without Python 3.11 or newer there are no runs. */
export async function provePython(server: ClientServer): Promise<ClientRun[]> {
  const runs: ClientRun[] = []
  for (const one of packages) runs.push(...(await provePackage(one, server)))
  return runs
}

async function provePackage({ name, folder, requirements }: PythonPackage, server: ClientServer): Promise<ClientRun[]> {
  const environment = await findEnvironment(requirements)
  if ('skip' in environment) {
    server.say(`${name}: skipped, ${environment.skip}`)
    return []
  }
  const cwd = join(FOLDER, folder)
  const files = ['-k', 'test_stories or test_retrievers']
  const child = spawn(environment.python, ['-m', 'pytest', '-rA', '-p', 'no:cacheprovider', ...files, 'tests'], {
    cwd,
    env: {
      ...process.env,
      PYTHONPATH: [join(FOLDER, 'python/src'), cwd].join(':'),
      PYTHONDONTWRITEBYTECODE: '1',
      OCTAVO_URL: server.url,
      OCTAVO_API_KEY: await server.newKey(),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return readRuns(name, await text(child.stdout))
}

function readRuns(client: string, printed: string): ClientRun[] {
  const results = [...printed.matchAll(RESULT)].map(([, result, path = '', name = '', reason = '']) => ({
    runtime: path.includes('/_async/') ? 'Python with asyncio' : 'Python',
    story: [name, result === 'PASSED' ? null : reason] satisfies StoryResult,
  }))
  if (results.length === 0) throw new Error(`pytest ran no stories of ${client}:\n${printed}`)
  return [...Map.groupBy(results, ({ runtime }) => runtime)].map(([runtime, of]) => ({
    client,
    runtime,
    stories: of.map(({ story }): StoryResult => story),
  }))
}
