// OpenDocument: the package, and what its styles say about breaks, sizes and kinds of paragraphs.

import { type Archive, checkArchive, findEntry, readEntry } from '../archive.ts'
import { type Bounds, Unreadable } from '../types.ts'
import { OdfLists } from './odf-lists.ts'
import { type Element, eachPiece, findChild, readXml, scanXml, textInside } from './xml.ts'

export interface OdfStyle {
  parent: string | null
  breaks_before: boolean | null
  breaks_after: boolean | null
  /** A paragraph that names a master page begins a page. */
  master_page: string | null
  is_hidden: boolean
}

export interface OdfPackage {
  archive: Archive
  content: Buffer
  title: string | null
  styles: OdfStyles
}

export class OdfStyles {
  readonly #styles = new Map<string, OdfStyle>()
  readonly lists = new OdfLists()
  readonly layouts = new Map<string, { width: number; height: number }>()
  readonly masters = new Map<string, Element>()

  read(bytes: Uint8Array): void {
    eachPiece(bytes, {
      isPiece: (name) =>
        name === 'style:style' ||
        name === 'style:page-layout' ||
        name === 'text:list-style' ||
        name === 'style:master-page',
      visit: (piece) => {
        const name = piece.attributes['style:name'] ?? ''
        if (piece.name === 'text:list-style') this.lists.learn(piece)
        else if (piece.name === 'style:master-page') this.masters.set(name, piece)
        else if (piece.name === 'style:style')
          this.#styles.set(`${piece.attributes['style:family']} ${name}`, styleOf(piece))
        else {
          const look = findChild(piece, 'style:page-layout-properties')?.attributes
          const size = {
            width: pointsOf(look?.['fo:page-width']) ?? 0,
            height: pointsOf(look?.['fo:page-height']) ?? 0,
          }
          if (size.width > 0 && size.height > 0) this.layouts.set(name, size)
        }
      },
    })
  }

  /** From the style itself up to its root style. */
  *chain(family: string, name: string | undefined): Generator<[name: string, style: OdfStyle]> {
    const seen = new Set<string>()
    for (let at: string | null | undefined = name; at && !seen.has(at); ) {
      seen.add(at)
      const style: OdfStyle | undefined = this.#styles.get(`${family} ${at}`)
      if (!style) {
        yield [at, NO_STYLE]
        return
      }
      yield [at, style]
      at = style.parent
    }
  }

  find<Key extends keyof OdfStyle>(family: string, name: string | undefined, key: Key): OdfStyle[Key] | null {
    for (const [, style] of this.chain(family, name)) if (style[key] !== null && style[key] !== false) return style[key]
    return null
  }

  sizeOf(master_page: string | null): { width: number; height: number } | null {
    const master = this.masters.get(master_page ?? 'Standard') ?? [...this.masters.values()][0]
    return this.layouts.get(master?.attributes['style:page-layout-name'] ?? '') ?? null
  }
}

const NO_STYLE: OdfStyle = {
  parent: null,
  breaks_before: null,
  breaks_after: null,
  master_page: null,
  is_hidden: false,
}

const breaks = (value: string | undefined) => (value === undefined ? null : value === 'page' || value.endsWith('-page'))

function styleOf(style: Element): OdfStyle {
  const look =
    (findChild(style, 'style:paragraph-properties') ?? findChild(style, 'style:table-properties'))?.attributes ?? {}
  const page = findChild(style, 'style:drawing-page-properties')?.attributes ?? {}
  return {
    parent: style.attributes['style:parent-style-name'] ?? null,
    breaks_before: breaks(look['fo:break-before']),
    breaks_after: breaks(look['fo:break-after']),
    master_page: style.attributes['style:master-page-name'] ?? null,
    is_hidden: look['table:display'] === 'false' || page['presentation:visibility'] === 'hidden',
  }
}

const UNITS: Record<string, number> = { cm: 72 / 2.54, mm: 72 / 25.4, in: 72, pt: 1, pc: 12, px: 0.75 }

export function pointsOf(length: string | undefined): number | null {
  const [, number, unit] = /^(-?[\d.]+)(cm|mm|in|pt|pc|px)$/.exec(length?.trim() ?? '') ?? []
  const points = Number(number) * (UNITS[unit ?? ''] ?? Number.NaN)
  return Number.isFinite(points) ? points : null
}

export function openOdf(bytes: Uint8Array, bounds: Bounds): OdfPackage {
  const archive = checkArchive(bytes, bounds)
  const manifest = findEntry(archive, 'META-INF/manifest.xml')
  if (manifest)
    // Programs of some years write a document type into it that names no entities.
    scanXml(
      manifest,
      {
        open(name) {
          if (name === 'manifest:encryption-data')
            throw new Unreadable(
              'document_unreadable',
              'The file is protected by a password. Remove the protection and upload it again.',
            )
        },
      },
      true,
    )
  const content = readEntry(archive, 'content.xml')
  const styles = new OdfStyles()
  const common = findEntry(archive, 'styles.xml')
  if (common) styles.read(common)
  styles.read(content)
  return { archive, content, title: titleOf(archive), styles }
}

function titleOf(archive: Archive): string | null {
  const meta = findEntry(archive, 'meta.xml')
  if (!meta) return null
  const title = textInside(findChild(findChild(readXml(meta), 'office:meta'), 'dc:title')).trim()
  return title === '' ? null : title.slice(0, 1000)
}
