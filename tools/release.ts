// `npm run release-version` turns the changesets into a version and its changelog: one version for the server and all clients.
// It changes files only; review and commit them, then sign the tag (docs/releases.md).

import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const levels = ['major', 'minor', 'patch'] as const
type Level = (typeof levels)[number]

export interface Changeset {
  id: string
  level: Level
  summary: string
}

/** Null if the file releases nothing. */
export function parseChangeset(id: string, text: string): Changeset | null {
  const [, head = '', summary = ''] = /^---\n([\s\S]*?)\n?---\n([\s\S]*)$/.exec(text) ?? []
  const level = levels.find((name) => new RegExp(`: ${name}$`, 'm').test(head))
  return level && summary.trim() !== '' ? { id, level, summary: summary.trim() } : null
}

/** Before 1.0.0, the second number rises with a change that breaks clients. */
export function nextVersion(version: string, changesets: readonly Changeset[]): string {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  const highest = levels.find((name) => changesets.some(({ level }) => level === name))
  if (highest === undefined) throw new Error('There are no changesets: nothing to release.')
  if (highest === 'major' && major > 0) return `${major + 1}.0.0`
  return highest === 'patch' ? `${major}.${minor}.${patch + 1}` : `${major}.${minor + 1}.0`
}

const titles: Record<Level, string> = { major: 'Breaking changes', minor: 'New', patch: 'Fixed' }

export function printRelease(version: string, date: string, changesets: readonly Changeset[]): string {
  const sections = levels.flatMap((name) => {
    const lines = changesets
      .filter(({ level }) => level === name)
      .map(({ summary }) => `- ${summary.replaceAll(/\n+/g, '\n  ')}`)
    return lines.length > 0 ? [`### ${titles[name]}\n\n${lines.join('\n')}\n`] : []
  })
  return `## ${version} (${date})\n\n${sections.join('\n')}`
}

/** The newest release comes first, below the introduction. */
export function addRelease(changelog: string, release: string): string {
  const at = changelog.search(/^## /m)
  const [head, older] = at < 0 ? [changelog, ''] : [changelog.slice(0, at), changelog.slice(at)]
  return [head.trimEnd(), release.trimEnd(), older.trimEnd()].filter(Boolean).join('\n\n').concat('\n')
}

/** In a manifest or a lockfile: the version of each of our packages, and of each dependency on one. */
export const replaceVersion = (text: string, from: string, to: string): string =>
  text
    .replaceAll(
      new RegExp(`("name": "@octavo/[\\w-]+",\\n\\s*"version": ")${RegExp.escape(from)}"`, 'g'),
      (_, before: string) => `${before}${to}"`,
    )
    .replaceAll(
      new RegExp(`("@octavo/[\\w-]+": ")${RegExp.escape(from)}"`, 'g'),
      (_, before: string) => `${before}${to}"`,
    )

const CHART = 'deploy/helm/octavo/Chart.yaml'

/** The version of the chart, and of the image that it installs. */
export const replaceChartVersion = (text: string, to: string): string =>
  text.replace(/^version: .*$/m, `version: ${to}`).replace(/^appVersion: .*$/m, `appVersion: '${to}'`)

function run(): void {
  const root = join(import.meta.dirname, '..')
  const read = (path: string): string => readFileSync(join(root, path), 'utf8')
  const paths = globSync('.changeset/*.md', { cwd: root }).toSorted()
  const changesets = paths.flatMap((path) => parseChangeset(basename(path, '.md'), read(path)) ?? [])
  const { version, workspaces } = {
    version: (JSON.parse(read('contract/package.json')) as { version: string }).version,
    workspaces: (JSON.parse(read('package.json')) as { workspaces: string[] }).workspaces,
  }
  const next = nextVersion(version, changesets)
  const release = printRelease(next, new Date().toISOString().slice(0, 10), changesets)
  writeFileSync(join(root, 'CHANGELOG.md'), addRelease(read('CHANGELOG.md'), release))
  for (const path of [...workspaces.map((name) => `${name}/package.json`), 'package-lock.json'])
    writeFileSync(join(root, path), replaceVersion(read(path), version, next))
  writeFileSync(join(root, CHART), replaceChartVersion(read(CHART), next))
  for (const path of paths) rmSync(join(root, path))
  execFileSync(process.execPath, [join(root, 'tools/openapi.ts')], { stdio: 'inherit' })
  console.log(`${next}: ${changesets.length} changes`)
}

if (import.meta.main) run()
