// docs/quality.md: the figures as they were measured. Rows that were not measured this time keep their section.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type EvalRow, isReached, type RowFigure, uncertaintyOf } from './row.ts'

const page = new URL('../../docs/quality.md', import.meta.url)

const HEAD = `# Quality of the built-in engine

\`npm run eval -- --record\` measures every figure on this page; \`npm run eval -- <row> --record\` measures one. Set \`OCTAVO_EVAL_DIR\` to the evaluation data and \`OCTAVO_MODELS_DIR\` to the weights. Half of each data set was used for tuning, and the other half is reported; a row says so where more of it was used. "±" is the bootstrap standard error. A goal is reached if the figure is at most one standard error below it. Alternatives marked "measured before" come from earlier trials on the same data. The data sets have their own terms and are not part of this repository. [formats.md](formats.md) has the quality of extraction: table cells and OCR character errors.
`

export function writeQualityPage(measured: ReadonlyMap<string, { row: EvalRow; figures: RowFigure[] }>): void {
  const sections = readSections()
  for (const [name, { row, figures }] of measured) sections.set(name, sectionOf(name, row, figures))
  const body = [...sections].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, section]) => section)
  writeFileSync(page, [HEAD, ...body].join('\n'))
}

function readSections(): Map<string, string> {
  const text = existsSync(page) ? readFileSync(page, 'utf8') : ''
  const parts = text.split(/^(?=## )/m).slice(1)
  return new Map(parts.map((part) => [/^## (\S+)/.exec(part)?.[1] ?? '', `${part.trimEnd()}\n`]))
}

function sectionOf(name: string, { about, weak }: EvalRow, figures: RowFigure[]): string {
  const date = new Date().toISOString().slice(0, 10)
  const rows = figures.map((figure) => {
    const { what, model, value, items, goal, baseline } = figure
    const error = uncertaintyOf(figure)
    const aim = goal === null ? 'none' : `${goal}${isReached(figure) ? '' : ' (not reached)'}`
    return `| ${what} | ${model} | ${value.toFixed(3)}${error} | ${aim} | ${items} | ${baseline} |`
  })
  return [
    `## ${name}`,
    '',
    `${about} Measured on ${date} by \`npm run eval -- ${name}\`.`,
    '',
    '| what | by | figure | goal | items | simple alternative |',
    '|---|---|---|---|---|---|',
    ...rows,
    ...(weak ? ['', `Weak: ${weak}`] : []),
    '',
  ].join('\n')
}
