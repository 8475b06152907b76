// The repository's own Markdown as Starlight's pages: the first heading is the title, and links between files lead between pages.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Loader } from 'astro/loaders'
import { replaceLinks, splitTitle } from '../../tools/docs/markdown.ts'
import { listPages, ROOT, resolveLink, siteTarget } from '../../tools/docs/pages.ts'
import { home } from './home.ts'

/** The first paragraph, as search engines and link previews show it. */
function descriptionOf(body: string): string {
  const paragraph = body.split(/\n\s*\n/).find((part) => /^[\p{L}`*[]/u.test(part.trim())) ?? ''
  const words = paragraph
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  return words.length <= 160 ? words : `${words.slice(0, 157).replace(/\s\S*$/, '')}…`
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** `[jobs.md](jobs.md)` names a file, which a reader of the site does not see: the page's title takes its place. */
function nameLinks(from: string, body: string, pages: ReadonlyMap<string, string>): string {
  return body.replace(/\[[\w./-]+\.md\](\(([^)\s]+)\))/g, (shown, target: string, address: string) => {
    const found = resolveLink(from, address)
    return found && pages.has(found.path) ? `[${splitTitle(read(found.path)).title}]${target}` : shown
  })
}

export function repositoryLoader(): Loader {
  return {
    name: 'octavo-repository',
    async load({ store, parseData, renderMarkdown, generateDigest, config }) {
      const pages = listPages()
      const base = config.base.replace(/\/$/, '')
      store.clear()
      for (const [path, id] of pages) {
        const file = join(ROOT, path)
        const { title, body } = splitTitle(read(path))
        const markdown = replaceLinks(nameLinks(path, body, pages), (target) => {
          const address = siteTarget(path, target, pages)
          return address.startsWith('/') ? base + address : address
        })
        const data = await parseData({
          id,
          data: { title, description: descriptionOf(body), ...(id === 'index' ? home(base) : {}) },
        })
        const rendered = await renderMarkdown(markdown, { fileURL: pathToFileURL(file) })
        // What scrolls must be reachable by keyboard.
        rendered.html = rendered.html
          .replaceAll('<table>', '<div class="table" role="region" aria-label="Table" tabindex="0"><table>')
          .replaceAll('</table>', '</table></div>')
          .replaceAll('<pre data-language', '<pre tabindex="0" data-language')
        store.set({ id, data, body: markdown, filePath: `../${path}`, digest: generateDigest(markdown), rendered })
      }
    },
  }
}
