// Links of the pages that lead nowhere: to no file, to no heading, or out of the repository's own text.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { anchorsOf, linksOf } from './markdown.ts'
import { listPages, pageOf, ROOT, resolveLink } from './pages.ts'

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** Describes each dead link of `text`, the content of the page `from`. */
export function deadLinksOf(from: string, text: string): string[] {
  return linksOf(text).flatMap(({ target, line }) => {
    const found = resolveLink(from, target)
    if (!found) return []
    // Where the README is read a folder is shown as well; the site shows none.
    const path = from === 'README.md' && target.endsWith('/') ? found.path : pageOf(found)
    if (!existsSync(join(ROOT, path))) return [`${from}:${line} links to '${target}', and there is no ${path}.`]
    if (!found.anchor || !path.endsWith('.md')) return []
    const headings = anchorsOf(path === from ? text : read(path))
    return headings.has(found.anchor) ? [] : [`${from}:${line} links to '${target}', and ${path} has no such heading.`]
  })
}

export function findDeadLinks(): { links: number; dead: string[] } {
  const texts = [...listPages().keys(), 'README.md'].map((path) => [path, read(path)] as const)
  return {
    links: texts.reduce((sum, [, text]) => sum + linksOf(text).length, 0),
    dead: texts.flatMap(([path, text]) => deadLinksOf(path, text)),
  }
}
