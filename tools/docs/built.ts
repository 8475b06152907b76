// The built site as a reader meets it: its pages, and links in them that lead to no file and no anchor of it.

import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const attributesOf = (html: string, name: string): string[] =>
  [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value.replaceAll('&amp;', '&'))

/** The file that a server gives for an address, or null. */
export function builtFile(folder: string, address: string): string | null {
  const path = join(folder, decodeURIComponent(address))
  if (!path.startsWith(folder)) return null
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'index.html') : path
  return existsSync(file) ? file : null
}

/** Addresses of all pages, such as `/` and `/quickstart/`. */
export const listBuilt = (folder: string): string[] =>
  globSync('**/index.html', { cwd: folder })
    .map((file) => `/${file.replaceAll('\\', '/').slice(0, -'index.html'.length)}`)
    .toSorted()

/** `base` is the path that the site was built for, without a slash at its end. */
export function findDeadLinks(folder: string, base = ''): { links: number; dead: string[] } {
  const dead: string[] = []
  let links = 0
  for (const page of listBuilt(folder)) {
    const html = readFileSync(builtFile(folder, page)!, 'utf8')
    for (const target of [...attributesOf(html, 'href'), ...attributesOf(html, 'src')]) {
      const url = new URL(target, `http://site${base}${page}`)
      if (url.host !== 'site' || !/^https?:$/.test(url.protocol)) continue
      links++
      const file = url.pathname.startsWith(base) ? builtFile(folder, url.pathname.slice(base.length)) : null
      const anchor = decodeURIComponent(url.hash.slice(1))
      if (file === null) dead.push(`${page} links to '${target}', which is not there.`)
      else if (anchor && file.endsWith('.html') && !attributesOf(readFileSync(file, 'utf8'), 'id').includes(anchor))
        dead.push(`${page} links to '${target}', which has no such anchor.`)
    }
  }
  return { links, dead }
}
