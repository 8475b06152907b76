// TAT-QA (CC BY 4.0): questions over a table of a financial report and its paragraphs. Questions that need arithmetic have no
// answer that could be quoted.

import type { Block } from '@octavo/contract'
import { textFromBlocks, textOfTable } from '../../../base/src/blocks.ts'
import type { Passage } from '../../../server/src/ai/built-in/answer-candidates.ts'
import { readData } from '../data.ts'
import { type Pool, ranked } from './pool.ts'

interface Report {
  table: { uid: string; table: string[][] }
  paragraphs: { text: string }[]
  questions: { question: string; answer: unknown; answer_type: string }[]
}
const MAX_PASSAGE = 1_000
/** One of so many questions that need arithmetic is used. */
const ARITHMETIC_EVERY = 4

export function tatqaPools(isChosen: (question: number) => boolean): Pool[] {
  const reports = JSON.parse(readData('qa/tatqa-dev.json').toString()) as Report[]
  return reports.flatMap((report, r) => {
    const next = reports[(r + 1) % reports.length]!
    return report.questions.flatMap(({ question, answer, answer_type }, q): Pool[] => {
      if (!isChosen(q + r)) return []
      const base = { set: 'tatqa', group: `tatqa-${r}`, question, language: 'en' }
      const [value, ...more] = Array.isArray(answer) ? (answer as string[]).map(clean) : []
      if (answer_type === 'arithmetic' && q % ARITHMETIC_EVERY === 0)
        return [{ ...base, answers: [], is_answerable: false, passages: ranked(question, 'en', passagesOf(report)) }]
      if (answer_type !== 'span' || !value || more.length > 0) return []
      const read = (isLeftOut?: (text: string) => boolean): Passage[] =>
        ranked(question, 'en', [...passagesOf(report, isLeftOut), ...passagesOf(next, isLeftOut)])
      return [
        { ...base, answers: [value], is_answerable: true, passages: read() },
        { ...base, answers: [value], is_answerable: false, passages: read((text) => text.includes(value)) },
      ]
    })
  })
}

const clean = (text: string): string => text.replace(/\s+/g, ' ').trim()

function passagesOf({ table, paragraphs }: Report, isLeftOut: (text: string) => boolean = () => false): Passage[] {
  const rows = table.table.map((row) => row.map(clean)).filter((row, i) => i === 0 || !row.some(isLeftOut))
  const cells = rows.flatMap((row, i) =>
    row.map((text, j) => ({ row: i + 1, column: j + 1, row_span: 1, column_span: 1, text })),
  )
  const grid = { rows: rows.length, columns: rows[0]?.length ?? 0, cells }
  const texts = paragraphs.map(({ text }) => clean(text)).filter((text) => !isLeftOut(text))
  const blocks: Block[] = [
    ...texts.map((text): Block => ({ type: 'paragraph', text })),
    { type: 'table', text: textOfTable(grid), table: grid },
  ]
  const { text, spans } = textFromBlocks(blocks)
  const page = { text, language: 'en', blocks }
  return spans.map(({ start }, i) => ({
    text: blocks[i]!.text.slice(0, MAX_PASSAGE),
    start,
    title: '',
    headings: [],
    document: table.uid,
    page,
  }))
}
