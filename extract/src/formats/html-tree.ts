// Small questions to the tree of an HTML page. None of them recurses: a page may be as deep as it is long.

import type { DefaultTreeAdapterTypes } from 'parse5'

export type Node = DefaultTreeAdapterTypes.Node
export type Element = DefaultTreeAdapterTypes.Element

export const isElement = (node: Node): node is Element => 'tagName' in node
export const isText = (node: Node): node is DefaultTreeAdapterTypes.TextNode => node.nodeName === '#text'
export const childrenOf = (node: Node): Node[] => ('childNodes' in node ? node.childNodes : [])
export const findAttribute = (element: Element, name: string): string | undefined =>
  element.attrs.find((attribute) => attribute.name === name)?.value
export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

export const isHidden = (element: Element): boolean =>
  findAttribute(element, 'hidden') !== undefined || /display\s*:\s*none/i.test(findAttribute(element, 'style') ?? '')

const APART = new Set('br p div li tr td th h1 h2 h3 h4 h5 h6 dt dd ul ol table section article'.split(' '))

/** All text below a node. */
export function textWithin(node: Node): string {
  const parts: string[] = []
  const open: Node[] = [node]
  for (let one = open.pop(); one; one = open.pop()) {
    if (isText(one)) parts.push(one.value)
    if (isElement(one) && (one.tagName === 'script' || one.tagName === 'style' || isHidden(one))) continue
    if (isElement(one) && APART.has(one.tagName) && parts.length > 0) parts.push('\n')
    const children = childrenOf(one)
    for (const child of children.toReversed()) open.push(child)
  }
  return parts.join('')
}

/** Elements of some names below a node, in order, not looking inside those that `isClosed`. */
export function elementsWithin(
  node: Node,
  names: ReadonlySet<string>,
  isClosed: (element: Element) => boolean,
): Element[] {
  const found: Element[] = []
  const open = childrenOf(node).toReversed()
  for (let one = open.pop(); one; one = open.pop()) {
    if (!isElement(one)) continue
    if (names.has(one.tagName)) found.push(one)
    if (isClosed(one)) continue
    const children = childrenOf(one)
    for (const child of children.toReversed()) open.push(child)
  }
  return found
}
