// The previous release from the history of the repository, with the packages of its lock file.

import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const git = (...words: string[]): string => execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim()
const run = promisify(execFile)

export interface Release {
  version: string
  root: string
}

/** The newest commit before this one that added a version to the changelog. Its files stay in the temporary directory. */
export async function openPreviousRelease(): Promise<Release> {
  const head = git('rev-parse', 'HEAD')
  const commits = git('log', '--format=%H', '-G^## [0-9]', '--', 'CHANGELOG.md').split('\n')
  const commit = commits.find((one) => one !== head && one !== '')
  if (commit === undefined) throw new Error('The history of this checkout has no release. Fetch all of it.')
  const [, version = ''] = /^## ([\d.]+)/m.exec(git('show', `${commit}:CHANGELOG.md`)) ?? []
  const root = join(tmpdir(), `octavo-release-${commit.slice(0, 7)}`)
  if (!existsSync(root)) await unpack(commit, root)
  return { version, root }
}

async function unpack(commit: string, root: string): Promise<void> {
  const parent = mkdtempSync(join(tmpdir(), 'octavo-release-'))
  const folder = join(parent, 'release')
  mkdirSync(folder)
  const archive = join(parent, 'release.tar')
  git('archive', '-o', archive, commit)
  await run('tar', ['-x', '-f', archive, '-C', folder])
  await run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
  renameSync(folder, root)
}

/** Runs a program of a release; throws if it fails. */
export async function runProgram(root: string, env: Record<string, string>, ...words: string[]): Promise<string> {
  const [program = '', ...args] = words
  const { stdout } = await run(process.execPath, [join(root, 'server/src/bin', program), ...args], {
    env: { ...process.env, ...env },
  })
  return stdout
}
