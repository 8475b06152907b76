// Which files of the repository are pages of the site, and where a link between them leads there.

import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { linksOf } from './markdown.ts'

/** Searches upwards, because the site's build moves this code into a separate folder. */
function findRoot(folder: string): string {
  return existsSync(join(folder, 'openapi.json')) ? folder : findRoot(dirname(folder))
}
export const ROOT = findRoot(import.meta.dirname)

/** Pages outside docs/, and their names on the site. */
const others: Readonly<Record<string, string>> = {
  'sdk/README.md': 'sdk',
  'ARCHITECTURE.md': 'project/architecture',
  'CONTRIBUTING.md': 'project/contributing',
  'SECURITY.md': 'project/security',
}

const idOfDocs = (path: string): string => {
  const id = path.slice('docs/'.length, -'.md'.length)
  return /(^|\/)README$/.test(id) ? id.replace(/\/?README$/, '') || 'index' : id
}

/** The path of each page from the root of the repository → its name on the site. */
export function listPages(): Map<string, string> {
  const docs = globSync('docs/**/*.md', { cwd: ROOT }).map((path) => path.replaceAll('\\', '/'))
  return new Map([...docs.toSorted().map((path) => [path, idOfDocs(path)] as const), ...Object.entries(others)])
}

const addressOf = (id: string): string => (id === 'index' ? '/' : `/${id}/`)

/** Files that are no pages are shown as they are. `.txt` lets a browser show them, whatever they are. */
export const rawAddressOf = (path: string): string => {
  if (path === 'openapi.json') return '/openapi.json'
  return `/repository/${path}${/\.(json|svg|png)$/.test(path) ? '' : '.txt'}`
}

export interface PagesTarget {
  /** From the root of the repository. */
  path: string
  anchor: string
}

/** Target of a link, or null if it is outside the repository. */
export function resolveLink(from: string, target: string): PagesTarget | null {
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return null
  const [path = '', anchor = ''] = target.split('#')
  return { path: path === '' ? from : posix.join(posix.dirname(from), decodeURI(path)).replace(/\/$/, ''), anchor }
}

/** A folder is its README. */
export function pageOf({ path }: PagesTarget): string {
  const full = join(ROOT, path)
  return existsSync(full) && statSync(full).isDirectory() ? posix.join(path, 'README.md') : path
}

/** Where a link of a page leads on the site. */
export function siteTarget(from: string, target: string, pages: ReadonlyMap<string, string>): string {
  const found = resolveLink(from, target)
  if (!found || target.startsWith('#')) return target
  const path = pageOf(found)
  const id = pages.get(path)
  const address = id === undefined ? rawAddressOf(path) : addressOf(id)
  return found.anchor ? `${address}#${found.anchor}` : address
}

/** Linked files that are not pages. */
export function listRawFiles(): string[] {
  const pages = listPages()
  const targets = [...pages.keys()].flatMap((from) =>
    linksOf(readFileSync(join(ROOT, from), 'utf8')).flatMap(({ target }) => resolveLink(from, target) ?? []),
  )
  return [...new Set(targets.map(pageOf))].filter((path) => !pages.has(path) && existsSync(join(ROOT, path))).toSorted()
}
