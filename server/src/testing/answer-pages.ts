// Pages made of blocks, and a question to them without an embedding model.

import { textFromBlocks, textOfTable } from '@octavo/base/blocks.ts'
import type { Block } from '@octavo/contract'
import { answerFrom } from '../ai/built-in/answer.ts'
import type { Passage } from '../ai/built-in/answer-candidates.ts'

export function pageOf(...blocks: Block[]): Passage {
  const { text } = textFromBlocks(blocks)
  return { text, start: 0, title: '', headings: [], document: text, page: { text, language: 'en', blocks } }
}
export const paragraph = (text: string): Block => ({ type: 'paragraph', text })
export function tableOf(rows: string[][]): Block {
  const cells = rows.flatMap((row, i) =>
    row.map((text, j) => ({ row: i + 1, column: j + 1, row_span: 1, column_span: 1, text })),
  )
  const table = { rows: rows.length, columns: rows[0]?.length ?? 0, cells }
  return { type: 'table', text: textOfTable(table), table }
}
/** Two answers are joined by a slash. null: the question was refused. */
export async function askPages(question: string, ...passages: Passage[]): Promise<string | null> {
  const { is_answered, best, second } = await answerFrom(question, passages, { language: 'en', embed: null })
  const texts = [best, second].flatMap((one) => (one ? [one.text] : []))
  return is_answered && texts.length > 0 ? texts.join(' / ') : null
}
