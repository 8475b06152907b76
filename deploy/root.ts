// Builds a minimal root file system below the application: `node deploy/root.ts <folder> <application>` copies the
// programs that it needs, the libraries that they and native modules load, and their licenses. No shell, no packages.
// It also writes the SBOM, because only this step knows which files were copied.
// Node includes certificates and time zones, so neither is copied.

import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, globSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { billOf, type Component } from './sbom.ts'

/** The last two sandbox children that open untrusted files (extract/src/spawn.ts); `env` is for shebangs. */
const PROGRAMS = ['/usr/bin/env', '/usr/bin/prlimit', '/usr/bin/setpriv']
const NODE = '/usr/local/bin/node'
const USER = 10001

const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

/** Paths that the loader opens, as it names them. */
function librariesOf(file: string): string[] {
  return [...run('ldd', file).matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, path]) => path!)
}

/** The package of Debian that a file came with. It may be known by either of its names: /lib is a link to /usr/lib. */
function ownerOf(path: string): string | null {
  for (const name of [realpathSync(path), realpathSync(path).replace(/^\/usr/, ''), path]) {
    try {
      return run('dpkg', '-S', name).split(':')[0]!
    } catch {
      // Asked for by its other name next.
    }
  }
  return null
}

function copy(path: string, folder: string, as = path): void {
  const to = join(folder, as.replace(/^\/(lib|lib64)\//, '/usr/$1/'))
  mkdirSync(dirname(to), { recursive: true })
  cpSync(realpathSync(path), to)
}

function componentsOf(packages: readonly string[]): Component[] {
  const node = process.versions.node
  const debian = packages.map((name): Component => {
    const [version = '', cpu = ''] = run('dpkg-query', '-W', '-f', '${Version} ${Architecture}\n', name)
      .trim()
      .split(/\s/)
    const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${cpu}`
    return { type: 'library', 'bom-ref': purl, name, version, purl }
  })
  return [
    { type: 'platform', 'bom-ref': 'node', name: 'node', version: node, purl: `pkg:generic/node@${node}` },
    ...debian,
  ]
}

function collect(folder: string, module_folders: readonly string[]): string[] {
  const modules = module_folders.flatMap((from) => globSync('**/*.node', { cwd: from }).map((path) => join(from, path)))
  const inside = (path: string): boolean => module_folders.some((from) => path.startsWith(realpathSync(from)))
  const libraries = new Set(
    [NODE, ...PROGRAMS, ...modules].flatMap(librariesOf).filter((path) => !inside(realpathSync(path))),
  )
  for (const path of [NODE, ...PROGRAMS, ...libraries]) copy(path, folder)
  for (const name of ['lib', 'lib64'])
    if (existsSync(join(folder, 'usr', name))) symlinkSync(`usr/${name}`, join(folder, name))
  return [...new Set([...PROGRAMS, ...libraries].map(ownerOf).filter((name) => name !== null))].toSorted()
}

function describe(folder: string, packages: readonly string[]): void {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  write('etc/passwd', `root:x:0:0::/:/none\noctavo:x:${USER}:${USER}::/data:/none\n`)
  write('etc/group', `root:x:0:\noctavo:x:${USER}:\n`)
  write('etc/nsswitch.conf', 'passwd: files\ngroup: files\nhosts: files dns\n')
  copy('/etc/os-release', folder, '/usr/lib/os-release')
  symlinkSync('../usr/lib/os-release', join(folder, 'etc/os-release'))
  for (const name of packages) copy(`/usr/share/doc/${name}/copyright`, folder)
  if (existsSync('/usr/local/LICENSE')) copy('/usr/local/LICENSE', folder, '/usr/share/doc/node/copyright')
  mkdirSync(join(folder, 'tmp'))
  chmodSync(join(folder, 'tmp'), 0o1777)
  symlinkSync('/app/cli/src/main.ts', join(folder, 'usr/local/bin/octavo'))
}

if (import.meta.main) {
  const [folder, app] = process.argv.slice(2)
  if (!folder || !app) throw new Error('Usage: node deploy/root.ts <folder> <application>')
  const packages = collect(
    folder,
    globSync('{.,*}/node_modules', { cwd: app }).map((path) => join(app, path)),
  )
  describe(folder, packages)
  writeFileSync(join(app, 'sbom.json'), JSON.stringify(billOf(app, componentsOf(packages))))
  process.stdout.write(`${packages.join(' ')}\n`)
}
