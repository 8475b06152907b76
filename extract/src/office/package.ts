// Office Open XML packages: parts, and how they refer to each other.

import { type Archive, checkArchive, findEntry, readEntry } from '../archive.ts'
import { type Bounds, Unreadable } from '../types.ts'
import { type Element, elementsOf, readXml, textInside } from './xml.ts'

export interface Relation {
  type: string
  /** A part of the package; what is outside of it is never asked for. */
  target: string
}

const COMPOUND_FILE = [0xd0, 0xcf, 0x11, 0xe0]

/** Password protection wraps the whole package in the container of the old formats. */
export function openPackage(bytes: Uint8Array, bounds: Bounds): Archive {
  if (COMPOUND_FILE.every((byte, i) => bytes[i] === byte))
    throw new Unreadable(
      'document_unreadable',
      'The file is protected by a password or has a format from before 2007. Save it without a password in a current format and upload the new file.',
    )
  return checkArchive(bytes, bounds)
}

export const readPart = (archive: Archive, name: string): Element => readXml(readEntry(archive, name))

export function findPart(archive: Archive, name: string | null | undefined): Element | null {
  const bytes = name ? findEntry(archive, name) : null
  return bytes && readXml(bytes)
}

export function relationsOf(archive: Archive, part: string): Map<string, Relation> {
  const slash = part.lastIndexOf('/') + 1
  const folder = part.slice(0, slash)
  const root = findPart(archive, `${folder}_rels/${part.slice(slash)}.rels`)
  const relations = new Map<string, Relation>()
  for (const { attributes } of elementsOf(root)) {
    const { Id, Type, Target, TargetMode } = attributes
    if (!Id || !Target || TargetMode === 'External') continue
    relations.set(Id, { type: Type?.slice(Type.lastIndexOf('/') + 1) ?? '', target: resolvePart(folder, Target) })
  }
  return relations
}

export function resolvePart(folder: string, target: string): string {
  const path: string[] = []
  for (const step of (target.startsWith('/') ? target : `${folder}${target}`).split('/')) {
    if (step === '..') path.pop()
    else if (step !== '.' && step !== '') path.push(step)
  }
  return path.join('/')
}

export const findRelated = (relations: Map<string, Relation>, type: string): string | null =>
  [...relations.values()].find((relation) => relation.type === type)?.target ?? null

/** The part that the package is about; programs name it differently. */
export function mainPartOf(archive: Archive, usual: string): string {
  const target = findRelated(relationsOf(archive, ''), 'officeDocument')
  return target && archive.entries.has(target) ? target : usual
}

export function titleOf(archive: Archive): string | null {
  const core = findPart(archive, findRelated(relationsOf(archive, ''), 'core-properties') ?? 'docProps/core.xml')
  const title = textInside(elementsOf(core).find(({ name }) => name === 'dc:title')).trim()
  return title === '' ? null : title.slice(0, 1000)
}

export function macroWarnings(archive: Archive): string[] {
  const has_macros = [...archive.entries.keys()].some((name) => /vbaProject\.bin$|^Basic\/|^Scripts\//i.test(name))
  return has_macros ? ['It contains macros, which were ignored.'] : []
}
