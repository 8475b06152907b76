// Electronic books: an archive of HTML pages and the order to read them in.

import type { Block } from '@octavo/contract'
import { type Archive, checkArchive, findEntry, readEntry } from '../archive.ts'
import { decodeText } from '../decode.ts'
import { pageOf } from '../office/flow.ts'
import { resolvePart } from '../office/package.ts'
import { childrenNamed, type Element, findChild, findInside, readXml, scanXml, textInside } from '../office/xml.ts'
import { type Format, type OpenFormat, Unreadable } from '../types.ts'
import { blocksOfHtml } from './html.ts'
import { paginate } from './pages.ts'

export const epub: Format = {
  name: 'epub',
  media_types: ['application/epub+zip'],
  open(bytes, { bounds }): OpenFormat {
    const archive = checkArchive(bytes, bounds)
    const container = readXml(readEntry(archive, 'META-INF/container.xml'))
    const path = findInside(container, 'rootfile')?.attributes['full-path'] ?? ''
    // Old books name the document type of their package; it is not read.
    const book = readXml(readEntry(archive, path), true)
    const parts = spineOf(book, path)
    refuseProtected(archive, parts)
    const pages = parts.flatMap((part) => pagesOf(archive, part))
    if (pages.length === 0) throw new Unreadable('document_empty', 'The book has no pages.')
    const title = textInside(findChild(findChild(book, 'metadata'), 'dc:title')).trim()
    const missing = parts.filter((part) => !archive.entries.has(part)).length
    return {
      title: title === '' ? null : title.slice(0, 1000),
      page_count: pages.length,
      warnings: missing > 0 ? [`${missing} of its parts are missing in the file.`] : [],
      page: (number) => pageOf(pages[number - 1] ?? [], null),
    }
  },
}

function spineOf(book: Element, path: string): string[] {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const items = new Map(
    childrenNamed(findChild(book, 'manifest'), 'item').map(({ attributes }) => [attributes.id, attributes.href]),
  )
  return childrenNamed(findChild(book, 'spine'), 'itemref').flatMap(({ attributes }) => {
    const target = items.get(attributes.idref)
    return target ? [resolvePart(folder, decodedPath(target))] : []
  })
}

function decodedPath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Fonts may be scrambled in a book that anyone can read; its pages are only in one that is locked. */
function refuseProtected(archive: Archive, parts: readonly string[]): void {
  const bytes = findEntry(archive, 'META-INF/encryption.xml')
  if (!bytes) return
  scanXml(bytes, {
    open(name, { URI }) {
      if (name.endsWith('CipherReference') && parts.includes(decodedPath(URI ?? '')))
        throw new Unreadable('document_unreadable', 'The book has DRM protection. Upload a copy without it.')
    },
  })
}

function pagesOf(archive: Archive, part: string): Block[][] {
  const bytes = findEntry(archive, part)
  if (!bytes) return [[]]
  const text = decodeText(
    bytes,
    /^<\?xml[^>]+encoding\s*=\s*["']([\w.:-]+)/i.exec(bytes.toString('latin1', 0, 200))?.[1],
  )
  const { blocks } = blocksOfHtml(text)
  if (blocks.length === 0) return /<(img|image|svg)\b/i.test(text) ? [[{ type: 'figure', text: '' }]] : [[]]
  return paginate(chapterOf(blocks))
}

/** The first heading of a part names a chapter, not the book. */
function chapterOf(blocks: readonly Block[]): Block[] {
  if (!blocks.some(({ type }) => type === 'title')) return [...blocks]
  return blocks.map((block): Block => {
    if (block.type === 'title') return { ...block, type: 'heading', level: 1 }
    return block.type === 'heading' ? { ...block, level: Math.min(9, (block.level ?? 1) + 1) } : block
  })
}
