// `node proof/eval/generate/write.ts <folder>`: the generated papers as files, to look at or to load elsewhere.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePaperPdf } from './paper-pdf.ts'
import { makePapers } from './papers.ts'

/** One of so many is a PDF too. */
const PDF_EVERY = 10

const asLines = (items: readonly object[]): string => items.map((item) => `${JSON.stringify(item)}\n`).join('')

export function writeGenerated(folder: string): { papers: number; pdfs: number } {
  mkdirSync(folder, { recursive: true })
  const papers = makePapers()
  const as_pdf = papers.filter((_, at) => at % PDF_EVERY === 0)
  writeFileSync(join(folder, 'papers.jsonl'), asLines(papers))
  for (const paper of as_pdf) writeFileSync(join(folder, `${paper.id}.pdf`), makePaperPdf(paper))
  return { papers: papers.length, pdfs: as_pdf.length }
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2)
  if (!folder) throw new Error('Name the folder to write to.')
  console.log(JSON.stringify(writeGenerated(folder)))
}
