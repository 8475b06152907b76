// The image's SBOM as CycloneDX: packages that npm installed (from its lockfile), Node, Debian's files.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface SbomInstalledPackage {
  name?: string
  version?: string
  license?: string
  integrity?: string
  link?: boolean
  /** Target of a link. */
  resolved?: string
  peerDependencies?: Record<string, string>
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}
export interface Component {
  type: 'application' | 'library' | 'platform'
  'bom-ref': string
  name: string
  group?: string
  version: string
  purl: string
  licenses?: readonly ({ expression: string } | { license: { name: string } })[]
  hashes?: readonly { alg: 'SHA-512'; content: string }[]
}
export interface Bill {
  bomFormat: 'CycloneDX'
  specVersion: '1.6'
  version: 1
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

const EXPRESSION = /^[\w.+()-]+( (AND|OR|WITH) [\w.+()-]+)*$/

/** Resolves like Node, starting from the package's folder: its own node_modules first, then those of its parents. */
function resolve(from: string, name: string, installed: ReadonlyMap<string, SbomInstalledPackage>): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (installed.has(path)) return path
    if (folder === '') return undefined
  }
}

const packageName = (path: string, { name }: SbomInstalledPackage): string =>
  name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
/** The at sign of a scope is written as %40 in a purl. */
const purlOf = (name: string, version: string): string => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`

function componentOf(path: string, entry: SbomInstalledPackage): Component {
  const [, group, name] = /^(?:(@[^/]+)\/)?(.+)$/.exec(packageName(path, entry))!
  const version = entry.version ?? '0.0.0'
  const digest = /sha512-([^ ]+)/.exec(entry.integrity ?? '')?.[1]
  const { license } = entry
  return {
    type: 'library',
    'bom-ref': path,
    ...(group === undefined ? {} : { group }),
    name: name!,
    version,
    purl: purlOf(packageName(path, entry), version),
    ...(license === undefined
      ? {}
      : { licenses: [EXPRESSION.test(license) ? { expression: license } : { license: { name: license } }] }),
    ...(digest === undefined
      ? {}
      : { hashes: [{ alg: 'SHA-512' as const, content: Buffer.from(digest, 'base64').toString('hex') }] }),
  }
}

/** `folder` is the one with node_modules in it. */
export function billOf(folder: string, system: readonly Component[]): Bill {
  const note = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')) as {
    packages: Record<string, SbomInstalledPackage>
  }
  const installed = new Map(Object.entries(note.packages))
  const targetOf = (path: string): string => installed.get(path)?.resolved ?? path
  const packages = [...installed].filter(([, { link }]) => !link)
  const usesOf = (
    path: string,
    { dependencies, optionalDependencies, peerDependencies }: SbomInstalledPackage,
  ): string[] =>
    Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).flatMap((name) => {
      const found = resolve(path, name, installed)
      return found === undefined ? [] : [targetOf(found)]
    })
  const { version } = JSON.parse(readFileSync(join(folder, 'server/package.json'), 'utf8')) as { version: string }
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': 'octavo',
        name: 'octavo',
        version,
        purl: `pkg:generic/octavo@${version}`,
      },
    },
    components: [...packages.map(([path, entry]) => componentOf(path, entry)), ...system],
    dependencies: packages.map(([path, entry]) => ({ ref: path, dependsOn: usesOf(path, entry).toSorted() })),
  }
}
