// Untrusted XML: no document types, no entities, bounded depth and size. Names get the prefixes that the standards use,
// whatever prefixes the file declares.

import { SaxesParser } from 'saxes'
import { Unreadable } from '../types.ts'

const MAX_XML_DEPTH = 256
/** Limit for one piece that is held as a tree; longer parts are read piece by piece. */
const MAX_NODES = 1_500_000
const SLICE_BYTES = 64 * 1024

export interface Element {
  name: string
  attributes: Record<string, string>
  children: (Element | string)[]
}

export interface XmlHandler {
  open?(name: string, attributes: Record<string, string>): void
  text?(text: string): void
  close?(name: string): void
}

const PREFIXES = new Map(
  Object.entries({
    w: [
      'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
      'http://purl.oclc.org/ooxml/wordprocessingml/main',
    ],
    a: ['http://schemas.openxmlformats.org/drawingml/2006/main', 'http://purl.oclc.org/ooxml/drawingml/main'],
    p: ['http://schemas.openxmlformats.org/presentationml/2006/main', 'http://purl.oclc.org/ooxml/presentationml/main'],
    r: [
      'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
      'http://purl.oclc.org/ooxml/officeDocument/relationships',
    ],
    mc: ['http://schemas.openxmlformats.org/markup-compatibility/2006'],
    v: ['urn:schemas-microsoft-com:vml'],
    dc: ['http://purl.org/dc/elements/1.1/'],
    xlink: ['http://www.w3.org/1999/xlink'],
    '': [
      'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
      'http://purl.oclc.org/ooxml/spreadsheetml/main',
      'http://schemas.openxmlformats.org/package/2006/relationships',
      'http://www.idpf.org/2007/opf',
      'urn:oasis:names:tc:opendocument:xmlns:container',
    ],
    office: ['urn:oasis:names:tc:opendocument:xmlns:office:1.0'],
    text: ['urn:oasis:names:tc:opendocument:xmlns:text:1.0'],
    table: ['urn:oasis:names:tc:opendocument:xmlns:table:1.0'],
    draw: ['urn:oasis:names:tc:opendocument:xmlns:drawing:1.0'],
    style: ['urn:oasis:names:tc:opendocument:xmlns:style:1.0'],
    presentation: ['urn:oasis:names:tc:opendocument:xmlns:presentation:1.0'],
    fo: ['urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0'],
    svg: ['urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0'],
    manifest: ['urn:oasis:names:tc:opendocument:xmlns:manifest:1.0'],
  }).flatMap(([prefix, addresses]) => addresses.map((address) => [address, prefix])),
)

const damaged = () =>
  new Unreadable(
    'document_unreadable',
    'The file is damaged or incomplete. Open it in the program that created it, save it again and upload the new file.',
  )
const refused = (what: string) =>
  new Unreadable(
    'document_unreadable',
    `${what}, which no Office program writes. Save it again in the program that created it and upload the new file.`,
  )
const tooDetailed = () =>
  new Unreadable(
    'document_too_large',
    'One part of the file has too many elements. Split the file and upload the parts.',
  )

/** Yields after each slice, so that a caller can stop early and use little memory. */
export function* scanXmlSlices(bytes: Uint8Array, handler: XmlHandler, may_name_dtd = false): Generator<void> {
  const parser = makeParser(handler, may_name_dtd)
  const decoder = new TextDecoder(encodingOf(bytes))
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    parser.write(decoder.decode(bytes.subarray(at, at + SLICE_BYTES), { stream: true }))
    yield
  }
  parser.write(decoder.decode())
  parser.close()
  yield
}

export function scanXml(bytes: Uint8Array, handler: XmlHandler, may_name_dtd = false): void {
  for (const _ of scanXmlSlices(bytes, handler, may_name_dtd));
}

function encodingOf(bytes: Uint8Array): string {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0x3c && bytes[1] === 0)) return 'utf-16le'
  if ((bytes[0] === 0xfe && bytes[1] === 0xff) || (bytes[0] === 0 && bytes[1] === 0x3c)) return 'utf-16be'
  return 'utf-8'
}

function makeParser(handler: XmlHandler, may_name_dtd: boolean) {
  const parser = new SaxesParser({ xmlns: false, position: false })
  const prefixes = new Map<string, string>()
  const known = new Map<string, string>()
  const nameOf = (name: string): string => {
    const found = known.get(name)
    if (found !== undefined) return found
    const colon = name.indexOf(':')
    const prefix = colon < 0 ? '' : name.slice(0, colon)
    const local = colon < 0 ? name : name.slice(colon + 1)
    const standard = prefixes.get(prefix) ?? prefix
    const result = standard === '' ? local : `${standard}:${local}`
    known.set(name, result)
    return result
  }
  const learn = (attribute: string, address: string): void => {
    const standard = PREFIXES.get(address)
    if (standard === undefined) return
    const prefix = attribute.slice('xmlns:'.length)
    if (prefixes.get(prefix) === standard) return
    prefixes.set(prefix, standard)
    known.clear()
  }
  // An attribute without a prefix has no namespace, whatever the default one is.
  const renamed = (attributes: Record<string, string>): Record<string, string> => {
    const own: Record<string, string> = {}
    for (const key in attributes)
      if (!key.startsWith('xmlns')) own[key.includes(':') ? nameOf(key) : key] = attributes[key] ?? ''
    return own
  }
  let depth = 0
  parser.on('error', () => {
    throw damaged()
  })
  parser.on('doctype', (doctype) => {
    if (!may_name_dtd || doctype.includes('[')) throw refused('The file defines its own XML document type')
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (++depth > MAX_XML_DEPTH) throw refused(`The file nests its content more than ${MAX_XML_DEPTH} levels deep`)
    let is_plain = true
    for (const key in attributes) {
      if (key.startsWith('xmlns')) learn(key, attributes[key] ?? '')
      if (key.includes(':') || key === 'xmlns') is_plain = false
    }
    const own = is_plain ? attributes : renamed(attributes)
    handler.open?.(nameOf(name), own)
  })
  parser.on('closetag', ({ name }) => {
    depth--
    handler.close?.(nameOf(name))
  })
  parser.on('text', (text) => handler.text?.(text))
  parser.on('cdata', (text) => handler.text?.(text))
  return parser
}

interface Pieces {
  isPiece: (name: string, around: readonly string[]) => boolean
  visit: (piece: Element, around: readonly string[]) => void
  /** Names of what is left out of a piece: looks, mostly, which would take most of its memory. */
  ignored?: ReadonlySet<string>
  may_name_dtd?: boolean
}

/** Calls `visit` with each whole element that `isPiece` picks by its name and the names of those around it. */
export function eachPiece(bytes: Uint8Array, { isPiece, visit, ignored, may_name_dtd = false }: Pieces): void {
  const around: string[] = []
  const build: Element[] = []
  let nodes = 0
  let skipped_depth = 0
  const count = () => {
    if (++nodes > MAX_NODES) throw tooDetailed()
  }
  scanXml(
    bytes,
    {
      open(name, attributes) {
        const parent = build.at(-1)
        if (skipped_depth > 0 || (parent && ignored?.has(name))) {
          skipped_depth++
          return
        }
        if (!parent && !isPiece(name, around)) {
          around.push(name)
          return
        }
        count()
        const element: Element = { name, attributes, children: [] }
        parent?.children.push(element)
        build.push(element)
      },
      text(text) {
        if (build.length === 0 || skipped_depth > 0) return
        count()
        build.at(-1)?.children.push(text)
      },
      close() {
        if (skipped_depth > 0) {
          skipped_depth--
          return
        }
        const done = build.pop()
        if (!done) around.pop()
        else if (build.length === 0) {
          nodes = 0
          visit(done, around)
        }
      },
    },
    may_name_dtd,
  )
}

/** A part that is small by its nature, as a whole. */
export function readXml(bytes: Uint8Array, may_name_dtd = false): Element {
  let root: Element | null = null
  eachPiece(bytes, {
    isPiece: () => true,
    may_name_dtd,
    visit(piece) {
      root = piece
    },
  })
  if (!root) throw damaged()
  return root
}

export const elementsOf = (element: Element | null | undefined): Element[] =>
  element?.children.filter((child) => typeof child !== 'string') ?? []

export function findChild(element: Element | null | undefined, name: string): Element | null {
  for (const child of element?.children ?? []) if (typeof child !== 'string' && child.name === name) return child
  return null
}

export const childrenNamed = (element: Element | null | undefined, name: string): Element[] =>
  elementsOf(element).filter((child) => child.name === name)

/** The first element of that name inside, at any depth. */
export function findInside(element: Element | null | undefined, name: string): Element | null {
  for (const child of elementsOf(element)) {
    const found = child.name === name ? child : findInside(child, name)
    if (found) return found
  }
  return null
}

export function* allInside(element: Element, name: string): Generator<Element> {
  for (const child of elementsOf(element)) {
    if (child.name === name) yield child
    else yield* allInside(child, name)
  }
}

export function textInside(element: Element | null | undefined): string {
  return element?.children.map((child) => (typeof child === 'string' ? child : textInside(child))).join('') ?? ''
}
