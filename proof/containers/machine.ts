// A machine with git, a shell and `docker` but without Octavo: a separate home directory and a repository to clone.

import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../server/src/testing/port.ts'
import { plantText } from '../lib/plant-text.ts'
import type { Plant } from '../lib/proof.ts'
import { CACHE, podman } from './engine.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SHIMS = fileURLToPath(new URL('./bin/', import.meta.url))

export interface Spoken {
  code: number
  /** Standard output and standard error together. */
  text: string
  seconds: number
}

export interface Machine {
  home: string
  /** Repository to clone: the files of this checkout as one commit. */
  repository: string
  /** Where the stack answers. */
  url: string
  project: string
  env: Record<string, string>
  /** One command line in a shell, in this folder. */
  run(command: string, folder: string, timeout_ms?: number): Promise<Spoken>
  container(service: string, number?: number): string
  close(): void
}

/** A separate name, so that an image with a planted fault is never mistaken for the real one. */
export const imageOf = (plants: readonly Plant[]): string => (plants.length > 0 ? 'octavo-planted' : 'octavo-proof')

/** Ports and the name of the project are its own, so that a stack that runs here already is left alone. */
export async function openMachine(plants: readonly Plant[] = [], more: Record<string, string> = {}): Promise<Machine> {
  const home = mkdtempSync(join(tmpdir(), 'octavo-machine-'))
  const repository = join(home, 'repository')
  makeRepository(repository, plants)
  const port = await freePort()
  const url = `http://localhost:${port}`
  const project = `octavo-proof-${randomUUID().slice(0, 8)}`
  const env = {
    HOME: home,
    PATH: `${SHIMS}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`,
    LANG: 'C.UTF-8',
    PORT: String(port),
    BASE_URL: url,
    COMPOSE_PROJECT_NAME: project,
    OCTAVO_IMAGE: imageOf(plants),
    // For what stands in for `docker`.
    OCTAVO_PROOF_NODE: process.execPath,
    OCTAVO_CONTAINERS_DIR: CACHE,
    ...more,
  }
  const machine: Machine = {
    home,
    repository,
    url,
    project,
    env,
    run: (command, folder, timeout_ms = 900_000) => runCommand(command, { cwd: folder, env, timeout_ms }),
    container: (service, number = 1) => `${project}_${service}_${number}`,
    close() {
      const ids = podman('ps', '-aq', '--filter', `label=io.podman.compose.project=${project}`)
        .split('\n')
        .filter(Boolean)
      if (ids.length > 0) podman('rm', '-f', '-v', '-t', '2', ...ids)
      for (const name of podman('volume', 'ls', '-q').split('\n'))
        if (name.startsWith(project)) podman('volume', 'rm', '-f', name)
      for (const name of podman('network', 'ls', '--format', '{{.Name}}').split('\n'))
        if (name.startsWith(project)) podman('network', 'rm', '-f', name)
      rmSync(home, { recursive: true, force: true })
    },
  }
  // An interrupted proof must still remove them.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      machine.close()
      process.exit(1)
    })
  return machine
}

function git(folder: string, ...args: string[]): string {
  const own = ['-c', 'user.name=proof', '-c', 'user.email=proof@localhost', '-c', 'init.defaultBranch=main']
  const { status, stdout, stderr } = spawnSync('git', [...own, ...args], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`)
  return stdout
}

function makeRepository(folder: string, plants: readonly Plant[]): void {
  for (const path of git(ROOT, 'ls-files', '-co', '--exclude-standard', '-z').split('\0')) {
    if (path === '' || !existsSync(join(ROOT, path))) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(ROOT, path), join(folder, path))
  }
  for (const plant of plants) {
    const path = join(folder, plant.file)
    writeFileSync(path, plantText(readFileSync(path, 'utf8'), plant))
  }
  git(folder, 'init', '-q')
  git(folder, 'add', '-A')
  git(folder, 'commit', '-q', '-m', 'Octavo')
}

function runCommand(
  command: string,
  { cwd, env, timeout_ms }: { cwd: string; env: Record<string, string>; timeout_ms: number },
): Promise<Spoken> {
  const started = performance.now()
  const child = spawn('sh', ['-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: timeout_ms })
  let text = ''
  child.stdout.on('data', (part: Buffer) => (text += part.toString()))
  child.stderr.on('data', (part: Buffer) => (text += part.toString()))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code: code ?? 1, text, seconds: (performance.now() - started) / 1000 }))
  })
}

/** The lines of the first block of code under a heading of a page of this checkout. */
export function readCommands(page: string, heading: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8')
  const [, block] = new RegExp(`^#+ ${heading}$[^]*?^\`\`\`sh\\n([^]*?)^\`\`\``, 'm').exec(text) ?? []
  if (block === undefined) throw new Error(`${page} has no commands under '${heading}'.`)
  return block.split('\n').filter((line) => line !== '')
}
