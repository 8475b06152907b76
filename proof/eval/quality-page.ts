// docs/quality.md: the figures as they were measured. Rows that were not measured this time keep their section.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type EvalRow, isReached, type RowFigure } from './row.ts'

const page = new URL('../../docs/quality.md', import.meta.url)

const HEAD = `# What the built-in engine is worth

Every figure here comes out of \`npm run eval -- --record\` (one row: \`npm run eval -- <row> --record\`), with \`OCTAVO_EVAL_DIR\` naming the
evaluation data and \`OCTAVO_MODELS_DIR\` the weights. Of each set one half was for tuning and the other is reported; where more
of it was seen, the row says so. "±" is the bootstrap standard error; a goal is reached when the figure is not more than one of it below. Simple alternatives
marked "measured before" come from earlier trials on the same data, not from this command. The data sets have their own terms and are not part of this repository.
What is read out of files, the cells of tables and the character error of OCR among it, stands in [formats.md](formats.md).
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
    const { what, model, value, standard_error, items, goal, baseline } = figure
    const error = standard_error === null ? '' : ` ± ${standard_error.toFixed(3)}`
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
