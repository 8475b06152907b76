// `docker compose` by podman-compose, with what that lacks here: images that are missing are built as the Dockerfile says, services
// start when what they depend on is as they ask, and health checks are run, which podman leaves to systemd.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { composeFolder, engineEnv, ensureStandIns, hasImage, podman, standIns } from './engine.ts'

interface ContainersService {
  image: string
  build?: unknown
  healthcheck?: unknown
  depends_on?: Record<string, { condition: string }> | string[]
}
type ContainersCondition = 'service_started' | 'service_healthy' | 'service_completed_successfully'

const PATIENCE_MS = 300_000
const env = { ...engineEnv(), BUILDAH_ISOLATION: 'chroot', BUILDAH_FORMAT: 'docker' }
const folder = composeFolder()
/** Podman's complaints about missing systemd; this script runs the health checks instead. */
const NOISE = /systemd connection|connect to syslog|^Error: executing .*systemd/

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  say((error as Error).message)
  return 1
})

async function main([word, ...args]: readonly string[]): Promise<number> {
  if (word !== 'compose') return spawnSync('podman', [word ?? '--help', ...args], { env, stdio: 'inherit' }).status ?? 1
  const { before, command, rest } = splitCommand(args)
  if (command === 'logs') return logs([...before, command, ...rest])
  if (command !== 'up') return compose([...before, command, ...rest])
  return up(before, rest)
}

/** Splits off the options before the command: files, the project name. */
function splitCommand(args: readonly string[]): { before: string[]; command: string; rest: string[] } {
  const at = args.findIndex(
    (word, i) => !word.startsWith('-') && !/^(-f|--file|-p|--project-name|--env-file)$/.test(args[i - 1] ?? ''),
  )
  return { before: args.slice(0, at), command: args[at] ?? 'help', rest: args.slice(at + 1) }
}

function compose(args: readonly string[], is_quiet = false): number {
  const own = fileURLToPath(new URL('./bin/podman-for-compose', import.meta.url))
  const { status, stderr } = spawnSync(join(folder, 'bin/podman-compose'), ['--podman-path', own, ...args], {
    env,
    encoding: 'utf8',
    stdio: ['inherit', is_quiet ? 'ignore' : 'inherit', 'pipe'],
  })
  const said = stderr.split('\n').filter((line) => line !== '' && !NOISE.test(line))
  if (said.length > 0) process.stderr.write(`${said.join('\n')}\n`)
  return status ?? 1
}

function readServices(before: readonly string[]): Map<string, ContainersService> {
  const { status, stdout, stderr } = spawnSync(join(folder, 'bin/podman-compose'), [...before, 'config'], {
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  const program = 'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)'
  const { stdout: json } = spawnSync(join(folder, 'bin/python'), ['-c', program], { input: stdout, encoding: 'utf8' })
  return new Map(Object.entries((JSON.parse(json) as { services: Record<string, ContainersService> }).services))
}

function dependenciesOf({ depends_on = {} }: ContainersService): [string, ContainersCondition][] {
  if (Array.isArray(depends_on)) return depends_on.map((name) => [name, 'service_started'])
  return Object.entries(depends_on).map(([name, { condition }]) => [name, condition as ContainersCondition])
}

/** Prints logs without color, as Docker does when the output is not a terminal. */
function logs(args: readonly string[]): number {
  const { status, stdout } = spawnSync(join(folder, 'bin/podman-compose'), args, {
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  process.stdout.write(stripVTControlCharacters(stdout).replaceAll(/^\[(.+?)\] \|/gm, '$1-1  |'))
  return status ?? 1
}

async function up(before: readonly string[], rest: readonly string[]): Promise<number> {
  const services = readServices(before)
  const named = rest.filter((word) => !word.startsWith('-'))
  makeImages(before, services, rest.includes('--build'))
  const started = new Set<string>()
  const start = async (name: string): Promise<void> => {
    if (started.has(name)) return
    started.add(name)
    const dependencies = dependenciesOf(services.get(name)!)
    for (const [other] of dependencies) await start(other)
    for (const [other, condition] of dependencies) await waitFor(before, other, condition)
    if (compose([...before, 'up', '-d', '--no-deps', '--no-build', name], true) !== 0)
      throw new Error(`'${name}' does not start.`)
  }
  for (const name of named.length > 0 ? named : services.keys()) await start(name)
  if (!rest.includes('--wait')) return 0
  // As compose does: who is waited for to end is not waited for to be healthy.
  const ends = new Set(
    [...services.values()]
      .flatMap(dependenciesOf)
      .flatMap(([name, condition]) => (condition.includes('completed') ? [name] : [])),
  )
  for (const name of started)
    await waitFor(before, name, ends.has(name) ? 'service_completed_successfully' : 'service_healthy')
  return 0
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

function makeImages(
  before: readonly string[],
  services: ReadonlyMap<string, ContainersService>,
  is_forced: boolean,
): void {
  const built = new Set<string>()
  for (const [name, { image, build }] of services) {
    const known = Object.entries(standIns).find(([, one]) => one.image.endsWith(`/${image}`))
    if (known) ensureStandIns([known[0] as keyof typeof standIns], say)
    if (!build || built.has(image) || (!is_forced && hasImage(image))) continue
    ensureStandIns(['node', 'maven'], say)
    built.add(image)
    const started = performance.now()
    const cold = process.env.OCTAVO_PROOF_COLD ? ['--no-cache'] : []
    if (compose([...before, 'build', ...cold, name]) !== 0) throw new Error(`The image of '${name}' cannot be built.`)
    say(`${image} was built in ${Math.round((performance.now() - started) / 1000)} s`)
  }
}

function containersOf(
  before: readonly string[],
  service: string,
): { name: string; state: string; code: number; has_check: boolean }[] {
  const { stdout } = spawnSync(join(folder, 'bin/podman-compose'), [...before, 'ps', '-q'], { env, encoding: 'utf8' })
  const ids = stdout.split('\n').filter((line) => /^[0-9a-f]{12,}$/.test(line))
  if (ids.length === 0) return []
  const all = JSON.parse(podman('inspect', ...ids)) as {
    Name: string
    State: { Status: string; ExitCode: number }
    Config: { Labels: Record<string, string>; Healthcheck?: { Test: string[] } }
  }[]
  return all
    .filter(({ Config }) => Config.Labels['com.docker.compose.service'] === service)
    .map(({ Name, State, Config }) => ({
      name: Name,
      state: State.Status,
      code: State.ExitCode,
      has_check: Config.Healthcheck !== undefined && Config.Healthcheck.Test[0] !== 'NONE',
    }))
}

function logsOf(container: string): string {
  const { stdout, stderr } = spawnSync('podman', ['logs', '--tail', '10', container], { env, encoding: 'utf8' })
  return stdout + stderr
}

async function waitFor(before: readonly string[], service: string, condition: ContainersCondition): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(500)) {
    const containers = containersOf(before, service)
    if (condition === 'service_completed_successfully') {
      const failed = containers.find(({ state, code }) => state === 'exited' && code !== 0)
      if (failed) throw new Error(`${logsOf(failed.name)}${failed.name} ended with ${failed.code}.`)
      if (containers.length > 0 && containers.every(({ state }) => state === 'exited')) return
      continue
    }
    const isThere = ({ name, state, has_check }: (typeof containers)[number]): boolean =>
      state === 'running' &&
      (condition === 'service_started' ||
        !has_check ||
        spawnSync('podman', ['healthcheck', 'run', name], { env }).status === 0)
    if (containers.length > 0 && containers.every(isThere)) return
  }
  throw new Error(`'${service}' is not as it should be (${condition}) after ${PATIENCE_MS / 1000} s.`)
}
