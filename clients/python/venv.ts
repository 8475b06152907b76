// Virtual environments for the tests of the Python packages, kept in the cache directory of the user.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const CLIENT = join(import.meta.dirname, 'requirements-dev.txt')
const NEWEST_UNSUPPORTED = '3.10'

export type PythonEnvironment = { python: string } | { skip: string }

/** The interpreter of an environment with these packages, or why the tests cannot run here. */
export async function findEnvironment(requirements: string = CLIENT): Promise<PythonEnvironment> {
  let version: string
  try {
    const { stdout } = await run('python3', [
      '-c',
      'import sys, venv, ensurepip; print("%d.%d" % sys.version_info[:2])',
    ])
    version = stdout.trim()
  } catch {
    return { skip: 'needs python3 with venv' }
  }
  if (Number(version.split('.')[1]) <= Number(NEWEST_UNSUPPORTED.split('.')[1]))
    return { skip: `needs Python 3.11 or newer, not ${version}` }
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'octavo-python')
  const key = createHash('sha256').update(version).update(readFileSync(requirements)).digest('hex').slice(0, 16)
  const folder = join(cache, key)
  const python = join(folder, 'bin/python')
  if (existsSync(python)) return { python }
  try {
    await createEnvironment(requirements, folder)
  } catch (error) {
    return { skip: `cannot install the packages: ${String(error).slice(0, 500)}` }
  }
  return { python }
}

/** Created elsewhere and moved, so that two test runs cannot disturb each other. Programs run as `python -m`. */
async function createEnvironment(requirements: string, folder: string): Promise<void> {
  const draft = `${folder}-${process.pid}`
  mkdirSync(dirname(folder), { recursive: true })
  try {
    await run('python3', ['-m', 'venv', draft])
    const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements]
    await run(join(draft, 'bin/python'), install, { timeout: 600_000 })
    // pyright downloads its program when it first runs.
    if (requirements === CLIENT)
      await run(join(draft, 'bin/python'), ['-m', 'pyright', '--version'], { timeout: 100_000 })
    if (!existsSync(folder)) renameSync(draft, folder)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}
