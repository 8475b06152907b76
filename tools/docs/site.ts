// `npm run docs` builds the documentation into site/dist, and installs what the site alone needs. A dead link fails the build.
// `npm run docs -- --serve` shows it then.

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findDeadLinks as findDeadInBuilt, listBuilt } from './built.ts'
import { findDeadLinks } from './links.ts'
import { ROOT } from './pages.ts'
import { serveFolder } from './serve.ts'

const SITE = join(ROOT, 'site')
export const BUILT = join(SITE, 'dist')
const PORT = 4321

function run(program: string, ...args: string[]): void {
  const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: '1', npm_config_update_notifier: 'false' }
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: SITE,
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0)
    throw new Error(
      `'${program} ${args.join(' ')}' failed:\n${[stdout, stderr, error?.message].filter(Boolean).join('\n')}`,
    )
}

/** Whether the site's packages are missing or older than its lock file. */
function needsInstall(): boolean {
  const installed = join(SITE, 'node_modules/.package-lock.json')
  return !existsSync(installed) || statSync(installed).mtimeMs < statSync(join(SITE, 'package-lock.json')).mtimeMs
}

function refuse(dead: readonly string[]): void {
  if (dead.length) throw new Error(`Dead links:\n${dead.join('\n')}`)
}

/** Says how much there is; throws where it cannot be built. */
export function buildSite(): string {
  const written = findDeadLinks()
  refuse(written.dead)
  if (needsInstall()) run('npm', 'ci', '--ignore-scripts')
  run('node', join('node_modules', astroEntry()), 'build')
  const built = findDeadInBuilt(BUILT, process.env['DOCS_BASE'] ?? '')
  refuse(built.dead)
  return `${listBuilt(BUILT).length} pages, ${built.links} links, none dead`
}

const astroEntry = (): string => {
  const { bin } = JSON.parse(readFileSync(join(SITE, 'node_modules/astro/package.json'), 'utf8')) as {
    bin: { astro: string }
  }
  return join('astro', bin.astro)
}

if (import.meta.main) {
  try {
    console.log(`site/dist: ${buildSite()}`)
    if (process.argv.includes('--serve')) console.log(`Shown at ${(await serveFolder(BUILT, PORT)).url}`)
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
}
