// Cranfield: documents, questions, and who answers what.

import { readData } from './data.ts'

interface CranfieldQuestion {
  number: number
  text: string
}
/** A question's relevant documents, by their numbers. */
type Judgements = Map<number, Set<number>>

const tagOf = (text: string, tag: string): string =>
  new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(text)?.[1]?.trim() ?? ''
const partsOf = (file: string, tag: string): string[] =>
  [
    ...readData(file)
      .toString()
      .matchAll(new RegExp(`<${tag}>([^]*?)</${tag}>`, 'g')),
  ].map(([, text = '']) => text)

export function readCranfield(): {
  documents: { number: number; title: string; text: string }[]
  questions: CranfieldQuestion[]
  relevant: Judgements
} {
  const documents = partsOf('cran.all.1400.xml', 'doc').map((text) => ({
    number: Number(tagOf(text, 'docno')),
    title: tagOf(text, 'title').replace(/\s+/g, ' '),
    text: tagOf(text, 'text'),
  }))
  // The judgements number the questions from 1, in their order.
  const questions = partsOf('cran.qry.xml', 'top').map((text, i) => ({
    number: i + 1,
    text: tagOf(text, 'title').replace(/\s+/g, ' '),
  }))
  const relevant: Judgements = new Map()
  for (const line of readData('cranqrel.trec.txt').toString().trim().split('\n')) {
    const [question, , document, grade] = line.trim().split(/\s+/).map(Number) as [number, number, number, number]
    if (grade > 0) relevant.set(question, (relevant.get(question) ?? new Set()).add(document))
  }
  return { documents, questions, relevant }
}

const gainOf = (rank: number): number => 1 / Math.log2(rank + 2)

/** nDCG@10 of one question. */
export function ndcgOf(found: readonly number[], relevant: ReadonlySet<number>): number {
  let ideal = 0
  for (let rank = 0; rank < Math.min(10, relevant.size); rank++) ideal += gainOf(rank)
  const gained = found
    .slice(0, 10)
    .reduce((sum, document, rank) => sum + (relevant.has(document) ? gainOf(rank) : 0), 0)
  return ideal === 0 ? 0 : gained / ideal
}
