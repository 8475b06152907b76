// Inspects an image from outside.

import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { podman } from '../containers/engine.ts'

export interface ImageLook {
  /** Size of the file system without the models. */
  megabytes: number
  user: string
  /** npm packages in the image. */
  packages: string[]
  /** Those that the bill of materials does not name. */
  unlisted: string[]
  /** Programs that interpret commands or install something. */
  shells: string[]
}

const SHELLS = [
  'sh',
  'ash',
  'bash',
  'dash',
  'zsh',
  'busybox',
  'toybox',
  'perl',
  'python3',
  'npm',
  'npx',
  'apt',
  'apt-get',
  'dpkg',
  'apk',
]

const kilobytes = (path: string): number =>
  Number(execFileSync('du', ['-sk', path], { encoding: 'utf8' }).split('\t')[0])

export function lookInto(image: string): ImageLook {
  const root = podman('image', 'mount', image)
  try {
    const models = join(root, 'models')
    const packages = listPackages(join(root, 'app'))
    const listed = new Set(readBill(join(root, 'app/sbom.json')))
    const programs = globSync(['bin/*', 'sbin/*', 'usr/bin/*', 'usr/sbin/*', 'usr/local/bin/*'], { cwd: root })
    return {
      megabytes: Math.round(((kilobytes(root) - (existsSync(models) ? kilobytes(models) : 0)) * 1024) / 1e6),
      user: podman('image', 'inspect', '--format', '{{.Config.User}}', image),
      packages,
      unlisted: packages.filter((one) => !listed.has(one)),
      shells: programs.filter((path) => SHELLS.includes(basename(path))),
    }
  } finally {
    podman('image', 'umount', image)
  }
}

/** `name@version` of each. A package.json elsewhere only says of what kind the modules beside it are. */
function listPackages(folder: string): string[] {
  const found = globSync('**/node_modules/{*,@*/*}/package.json', { cwd: folder }).map((path) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, path), 'utf8')) as {
      name?: string
      version?: string
    }
    return { name: name ?? basename(dirname(path)), version }
  })
  return [
    ...new Set(
      found.filter(({ name }) => !name.startsWith('@octavo/')).map(({ name, version }) => `${name}@${version}`),
    ),
  ].toSorted()
}

function readBill(file: string): string[] {
  if (!existsSync(file)) return []
  const { components = [] } = JSON.parse(readFileSync(file, 'utf8')) as { components?: { purl: string }[] }
  return components.map(({ purl }) => decodeURIComponent(purl.replace(/^pkg:npm\//, '')))
}
