// `npm run pack-sdk` packs the SDK; npm runs this script before and after packing. Plain `npm pack` skips it, because .npmrc
// turns lifecycle scripts off. Node does not run TypeScript below node_modules, so the package contains JavaScript and
// declarations. The workspace runs the sources without a build: package.json points to `dist` only while npm packs.

import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const sdk = join(root, 'sdk')
const manifest = join(sdk, 'package.json')
const saved = join(sdk, 'package.json.saved')
/** `main` and `types` are for tools that do not read `exports`. */
const ENTRY = {
  main: './dist/index.js',
  types: './dist/index.d.ts',
  exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' }, './package.json': './package.json' },
}

/** npm shows the provenance of a package only if the package names the repository that built it. */
function repositoryOf({ GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name }: NodeJS.ProcessEnv): object {
  return server && name ? { repository: { type: 'git', url: `git+${server}/${name}.git`, directory: 'sdk' } } : {}
}

/** Also cleans up after a build whose packing was interrupted. */
function clean(): void {
  if (existsSync(saved)) renameSync(saved, manifest)
  rmSync(join(sdk, 'dist'), { recursive: true, force: true })
  rmSync(join(sdk, 'LICENSE'), { force: true })
}

function build(): void {
  clean()
  const tsc = join(root, 'node_modules/.bin/tsc')
  const { status } = spawnSync(tsc, ['-p', 'tsconfig.build.json'], { cwd: sdk, stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error('tsc failed: the SDK was not built.')
  copyFileSync(join(root, 'LICENSE'), join(sdk, 'LICENSE'))
  const source = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, unknown>
  // `private` keeps npm from publishing the sources.
  const { scripts: _, private: __, ...published } = source
  renameSync(manifest, saved)
  writeFileSync(manifest, `${JSON.stringify({ ...published, ...repositoryOf(process.env), ...ENTRY }, null, 2)}\n`)
}

const [command] = process.argv.slice(2)
if (command === 'build') build()
else if (command === 'clean') clean()
else throw new Error('Usage: node tools/pack-sdk.ts build|clean')
