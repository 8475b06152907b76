// Podman where there is no Docker engine and no systemd, and where its images come from: stand-ins for those of a registry, made
// of Debian's packages and of this machine's programs (stand-ins/). They show that our files work, not that the real images do.

import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const CACHE =
  process.env.OCTAVO_CONTAINERS_DIR ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'octavo-containers')
const STAND_INS = fileURLToPath(new URL('./stand-ins/', import.meta.url))
const CONF = join(CACHE, 'containers.conf')
const COMPOSE_VERSION = '1.6.0'

/** Hybrid cgroups and tight limits refuse podman's own defaults; elsewhere these are as good. */
const SETTINGS = `[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
`

export function engineEnv(): NodeJS.ProcessEnv {
  mkdirSync(CACHE, { recursive: true })
  if (!existsSync(CONF)) writeFileSync(CONF, SETTINGS)
  return { ...process.env, CONTAINERS_CONF: CONF }
}

/** Returns the output; throws with the error output on failure. */
export function podman(...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync('podman', args, {
    env: engineEnv(),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (error) throw new Error(`podman cannot be started: ${error.message}`)
  if (status !== 0) throw new Error(`podman ${args.slice(0, 3).join(' ')}: ${stderr.trim() || `ended with ${status}`}`)
  return stdout.trim()
}

export const hasImage = (name: string): boolean =>
  spawnSync('podman', ['image', 'exists', name], { env: engineEnv() }).status === 0

/** Programs that put themselves into the cache, once. */
export function composeFolder(): string {
  const folder = join(CACHE, `compose-${COMPOSE_VERSION}`)
  if (existsSync(join(folder, 'bin/podman-compose'))) return folder
  execFileSync('python3', ['-m', 'venv', folder], { stdio: 'ignore' })
  execFileSync(join(folder, 'bin/pip'), ['install', '-q', `podman-compose==${COMPOSE_VERSION}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return folder
}

interface StandIn {
  /** As the Dockerfile and the compose files name it. */
  image: string
  file: string
  /** Puts what the file copies into this folder. */
  fill?: (folder: string) => void
}

function which(program: string): string {
  return realpathSync(execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim())
}

const copyFrom = (from: string, to: string): void =>
  cpSync(from, to, { recursive: true, dereference: true, filter: (path) => existsSync(path) })

function fillNode(folder: string): void {
  copyFrom(process.execPath, join(folder, 'node'))
  copyFrom(dirname(dirname(which('npm'))), join(folder, 'npm'))
  const own = process.env.NODE_EXTRA_CA_CERTS
  writeFileSync(join(folder, 'ca.crt'), own ? readFileSync(own) : '')
}

function fillMaven(folder: string): void {
  copyFrom(dirname(dirname(which('java'))), join(folder, 'java'))
  copyFrom(dirname(dirname(which('mvn'))), join(folder, 'maven'))
}

const fillS3 = (folder: string): void => {
  const services =
    process.env.OCTAVO_SERVICES_DIR ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'octavo-services')
  copyFrom(join(services, 'bin/versitygw'), join(folder, 'versitygw'))
}

export const standIns = {
  node: { image: 'docker.io/library/node:26.10.0-bookworm-slim', file: 'node', fill: fillNode },
  maven: { image: 'docker.io/library/maven:3-eclipse-temurin-21', file: 'maven', fill: fillMaven },
  postgres: { image: 'docker.io/pgvector/pgvector:pg17', file: 'postgres' },
  valkey: { image: 'docker.io/valkey/valkey:8', file: 'valkey' },
  s3: { image: 'docker.io/versity/versitygw:v1.8.0', file: 's3', fill: fillS3 },
  pgbouncer: { image: 'docker.io/edoburu/pgbouncer:v1.24.1-p1', file: 'pgbouncer' },
  haproxy: { image: 'docker.io/library/haproxy:3.2', file: 'haproxy' },
} satisfies Record<string, StandIn>

/** A Debian without anything. */
function ensureDebian(suite: string, say: (line: string) => void): void {
  const image = `octavo-stand-in/${suite}`
  if (hasImage(image)) return
  const root = join(CACHE, suite)
  if (!existsSync(join(root, 'etc/debian_version'))) {
    say(`stand-in: debootstrap ${suite}`)
    execFileSync('debootstrap', ['--variant=minbase', suite, root], { stdio: ['ignore', 'ignore', 'inherit'] })
  }
  execFileSync('sh', ['-c', 'tar -C "$0" -c . | podman import -q - "$1"', root, image], {
    env: engineEnv(),
    stdio: 'ignore',
  })
}

export function ensureStandIns(names: readonly (keyof typeof standIns)[], say: (line: string) => void): void {
  for (const name of names) {
    const { image, file, fill }: StandIn = standIns[name]
    if (hasImage(image)) continue
    const text = readFileSync(join(STAND_INS, `${file}.Containerfile`), 'utf8')
    ensureDebian(/^FROM octavo-stand-in\/(\w+)/m.exec(text)![1]!, say)
    say(`stand-in: ${image}`)
    const context = join(CACHE, `context-${name}`)
    rmSync(context, { recursive: true, force: true })
    cpSync(STAND_INS, context, { recursive: true })
    fill?.(context)
    build({ file: join(context, `${file}.Containerfile`), context, image })
    rmSync(context, { recursive: true })
  }
}

interface Build {
  file: string
  context: string
  image: string
  target?: string
  /** Steps of an earlier build are taken over; true if absent. */
  is_cached?: boolean
}

/** Returns the build log. Docker's image format, because OCI has no health check. */
export function build({ file, context, image, target, is_cached = true }: Build): string {
  const flags = [
    '--isolation',
    'chroot',
    '--format',
    'docker',
    '--layers',
    ...(is_cached ? [] : ['--no-cache']),
    '-f',
    file,
    '-t',
    image,
    ...(target ? ['--target', target] : []),
  ]
  const { status, stdout, stderr } = spawnSync('buildah', ['bud', ...flags, context], {
    env: engineEnv(),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (status !== 0)
    throw new Error(`The image ${image} cannot be built:\n${(stdout + stderr).split('\n').slice(-40).join('\n')}`)
  return stdout + stderr
}
