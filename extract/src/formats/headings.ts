// Headings of formats that have six heading levels and no separate title.

import type { Block } from '@octavo/contract'

export function headingBlock(rank: number, text: string): Block {
  return { type: 'heading', level: rank, text }
}

/** The one heading of the first rank, before all others, is the title; the others move up by one. */
export function settleTitle(blocks: readonly Block[]): { blocks: Block[]; title: string | null } {
  const headings = blocks.filter(({ type }) => type === 'heading')
  const [first] = headings
  const is_titled = first?.level === 1 && headings.every((block) => block === first || (block.level ?? 1) > 1)
  if (!first || !is_titled) return { blocks: [...blocks], title: null }
  const settled = blocks.map((block): Block => {
    if (block === first) return { type: 'title', text: block.text }
    return block.type === 'heading' ? { ...block, level: Math.max(1, (block.level ?? 1) - 1) } : block
  })
  return { blocks: settled, title: first.text }
}
