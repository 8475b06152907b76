// Adds to package-lock.json the optional packages of other platforms that the registry did not give to `npm install`.
// `npm ci` refuses a lockfile without them. Another lockfile can be named: `node tools/lockfile.ts site/package-lock.json`.
// Such an entry has no integrity until an `npm install` that finds the package; `--check` fails while there is one.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface LockfileEntry {
  version?: string
  integrity?: string
  link?: boolean
  dev?: boolean | undefined
  optionalDependencies?: Record<string, string>
}
interface Lockfile {
  packages: Record<string, LockfileEntry>
}

const systems = ['android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'win32']
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

/** `@biomejs/cli-linux-x64-musl` runs on linux, x64, musl; undefined if the name does not say. In npm's order of members. */
function platformOf(name: string): object | undefined {
  const words = name.replace('windows', 'win32').split(/[/-]/)
  const os = systems.find((word) => words.includes(word))
  const cpu = processors.find((word) => words.includes(word))
  if (!cpu || (!os && cpu !== 'wasm32')) return undefined
  const libc = words.some((word) => word.startsWith('musl'))
    ? 'musl'
    : words.some((word) => word.startsWith('gnu'))
      ? 'glibc'
      : undefined
  return { cpu: [cpu], dev: undefined, ...(libc && { libc: [libc] }), optional: true, ...(os && { os: [os] }) }
}

/** The lockfile with the missing entries, and their names. */
export function complete(lockfile: Lockfile): { lockfile: Lockfile; added: string[] } {
  const packages = { ...lockfile.packages }
  const added: string[] = []
  for (const [path, { dev, optionalDependencies = {} }] of Object.entries(lockfile.packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const platform = platformOf(name)
      const is_there = packages[`node_modules/${name}`] ?? packages[`${path}/node_modules/${name}`]
      if (is_there || !platform || !/^\d+\.\d+\.\d+$/.test(version)) continue
      packages[`node_modules/${name}`] = { version, ...platform, dev }
      added.push(`${name}@${version}`)
    }
  }
  const sorted = Object.entries(packages).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { lockfile: { ...lockfile, packages: Object.fromEntries(sorted) }, added }
}

/** npm verifies nothing of a package whose entry has no integrity. */
export const unverified = ({ packages }: Lockfile): string[] =>
  Object.entries(packages)
    .filter(([path, { integrity, link }]) => path.includes('node_modules/') && !integrity && !link)
    .map(([path]) => path)

if (import.meta.main) {
  const isCheck = process.argv.includes('--check')
  const name = process.argv.slice(2).find((word) => !word.startsWith('-')) ?? 'package-lock.json'
  const path = join(import.meta.dirname, '..', name)
  const { lockfile, added } = complete(JSON.parse(readFileSync(path, 'utf8')) as Lockfile)
  const missing = unverified(lockfile)
  if (isCheck) {
    for (const entry of missing) console.error(`${entry} has no integrity: run npm install where the registry has it`)
    process.exitCode = missing.length + added.length > 0 ? 1 : 0
  } else if (added.length) writeFileSync(path, `${JSON.stringify(lockfile, null, 2)}\n`)
  console.log(`${name}: ${added.length} packages missing, ${missing.length} without integrity`)
}
