// Installs the wheels of the Python packages, as an integrator does, and runs their stories: the client, blocking and
// with asyncio, and the retrievers.

import { execFile, spawn } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { findEnvironment } from '../../clients/python/venv.ts'
import type { ClientRun, ClientServer, StoryResult } from './client.ts'

const FOLDER = join(import.meta.dirname, '../../clients')
const execute = promisify(execFile)
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
  const folder = mkdtempSync(join(tmpdir(), 'octavo-python-'))
  try {
    const runs: ClientRun[] = []
    for (const one of packages) runs.push(...(await provePackage(one, folder, server)))
    return runs
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The wheels go to `site`. The tests are copied, so that they cannot import the source. */
async function provePackage(
  { name, folder, requirements }: PythonPackage,
  parent: string,
  server: ClientServer,
): Promise<ClientRun[]> {
  const environment = await findEnvironment(requirements)
  if ('skip' in environment) {
    server.say(`${name}: skipped, ${environment.skip}`)
    return []
  }
  const site = join(parent, 'site')
  await installWheel(environment.python, { source: join(FOLDER, folder), wheels: join(parent, `${name}-wheel`), site })
  const cwd = join(parent, name)
  for (const path of ['tests', 'pyproject.toml'])
    cpSync(join(FOLDER, folder, path), join(cwd, path), { recursive: true })
  const files = ['-k', 'test_stories or test_retrievers']
  const child = spawn(environment.python, ['-m', 'pytest', '-rA', '-p', 'no:cacheprovider', ...files, 'tests'], {
    cwd,
    env: {
      ...process.env,
      PYTHONPATH: site,
      PYTHONDONTWRITEBYTECODE: '1',
      OCTAVO_URL: server.url,
      OCTAVO_API_KEY: await server.newKey(),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return readRuns(name, await text(child.stdout))
}

async function installWheel(
  python: string,
  { source, wheels, site }: { source: string; wheels: string; site: string },
): Promise<void> {
  const pip = ['-m', 'pip', '--quiet', '--disable-pip-version-check']
  await execute(python, [...pip, 'wheel', '--no-deps', '--wheel-dir', wheels, source], { timeout: 300_000 })
  const built = globSync('*.whl', { cwd: wheels }).map((name) => join(wheels, name))
  await execute(python, [...pip, 'install', '--no-deps', '--target', site, ...built], { timeout: 300_000 })
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
