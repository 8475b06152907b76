// Extracted values with their evidence, and how the values of several parts are merged.

import type { Citation, ExtractionAnalysis } from '@octavo/contract'

export type ExtractionValue = string | number | boolean | null
export interface Leaf {
  kind: 'leaf'
  value: ExtractionValue
  confidence: number
  citations: Citation[]
}
export type Node = Leaf | { kind: 'object'; members: Map<string, Node> } | { kind: 'list'; items: Node[] }

const MAX_CITATIONS = 10
const MAX_FIELDS = 10_000
/** Confidence of a value for which the parts of a document contradict each other. */
const CONTRADICTED = 0.5

const step = (path: string, name: string | number): string =>
  `${path}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`

/** `support` returns the evidence for a value. */
export function treeOf(
  value: unknown,
  support: (value: ExtractionValue, path: string) => Omit<Leaf, 'kind' | 'value'>,
  path = '',
): Node {
  if (Array.isArray(value))
    return { kind: 'list', items: value.map((item, at) => treeOf(item, support, step(path, at))) }
  if (value !== null && typeof value === 'object')
    return {
      kind: 'object',
      members: new Map(
        Object.entries(value).map(([name, member]) => [name, treeOf(member, support, step(path, name))]),
      ),
    }
  return { kind: 'leaf', value: value as ExtractionValue, ...support(value as ExtractionValue, path) }
}

export function dataOf(node: Node): unknown {
  if (node.kind === 'leaf') return node.value
  if (node.kind === 'list') return node.items.map(dataOf)
  return Object.fromEntries([...node.members].map(([name, member]) => [name, dataOf(member)]))
}

type ExtractionField = ExtractionAnalysis['fields'][number]

export function fieldsOf(node: Node): { fields: ExtractionField[]; is_cut: boolean } {
  const fields: ExtractionField[] = []
  let is_cut = false
  const walk = (one: Node, path: string): void => {
    if (one.kind === 'list') for (const [at, item] of one.items.entries()) walk(item, step(path, at))
    else if (one.kind === 'object') for (const [name, member] of one.members) walk(member, step(path, name))
    else if (fields.length < MAX_FIELDS)
      fields.push({ path, value: one.value, confidence: one.confidence, citations: one.citations })
    else is_cut = true
  }
  walk(node, '')
  return { fields, is_cut }
}

/** Equal for equal data, regardless of the order of its keys. */
function nodeKey(node: Node): string {
  if (node.kind === 'leaf')
    return typeof node.value === 'string' ? JSON.stringify(fold(node.value)) : String(node.value)
  if (node.kind === 'list') return `[${node.items.map(nodeKey).join()}]`
  const members = [...node.members].map(([name, member]) => `${JSON.stringify(name)}:${nodeKey(member)}`)
  return `{${members.sort().join()}}`
}
const fold = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()

/** Calls `tell` for values that contradict each other. */
export function mergeTrees(a: Node, b: Node, tell: (path: string) => void, path = ''): Node {
  if (a.kind === 'object' && b.kind === 'object') {
    const members = new Map(a.members)
    for (const [name, member] of b.members) {
      const known = members.get(name)
      members.set(name, known ? mergeTrees(known, member, tell, step(path, name)) : member)
    }
    return { kind: 'object', members }
  }
  if (a.kind === 'list' && b.kind === 'list') return { kind: 'list', items: joinItems([...a.items, ...b.items]) }
  if (a.kind === 'leaf' && a.value === null) return b
  if (b.kind === 'leaf' && b.value === null) return a
  if (a.kind !== 'leaf' || b.kind !== 'leaf') return a.kind === 'leaf' ? b : a
  if (nodeKey(a) === nodeKey(b)) return joinLeaves(a, b)
  tell(path)
  const best = b.confidence > a.confidence ? b : a
  return { ...best, confidence: Math.min(best.confidence, CONTRADICTED) }
}

/** One of each, where it came first. */
function joinItems(items: readonly Node[]): Node[] {
  const kept = new Map<string, Node>()
  for (const item of items) {
    const key = nodeKey(item)
    const known = kept.get(key)
    kept.set(key, known ? joinSame(known, item) : item)
  }
  return [...kept.values()]
}

const joinSame = (a: Node, b: Node): Node =>
  a.kind === 'leaf' && b.kind === 'leaf' ? joinLeaves(a, b) : mergeTrees(a, b, () => {})

function joinLeaves(a: Leaf, b: Leaf): Leaf {
  const citations = [...a.citations, ...b.citations].slice(0, MAX_CITATIONS)
  return { ...a, confidence: Math.max(a.confidence, b.confidence), citations }
}

/** Converts a path as models write it (`$.items[0].price`, `data.total`, `/total`) to a JSON Pointer. */
export function pointerOf(written: string): string {
  const text = written.trim()
  const plain = text.startsWith('/')
    ? text
    : `/${text
        .replace(/^\$\.?/, '')
        .replaceAll(/\[['"]?([^\]'"]*)['"]?\]/g, '.$1')
        .replace(/^\./, '')
        .replaceAll('.', '/')}`
  return plain === '/' ? '' : plain.replace(/\/$/, '')
}
