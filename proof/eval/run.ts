// `npm run eval` measures the quality of the built-in engine on the held-out half of the evaluation data and exits 1
// when a figure is more than one standard error below its goal. `npm run eval -- <row>…` measures some rows. `--record`
// writes docs/quality.md.

import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { cachedEmbed, openEvalModels } from './embedder.ts'
import { writeQualityPage } from './quality-page.ts'
import { type EvalRow, isReached, type RowContext, type RowFigure, uncertaintyOf } from './row.ts'

const folder = new URL('./rows/', import.meta.url)
/** Rows may have helper files beside them. */
const isRow = (file: string): boolean => /^export const row\b/m.test(readFileSync(new URL(file, folder), 'utf8'))
const names = globSync('*.ts', { cwd: folder.pathname })
  .filter(isRow)
  .map((file) => basename(file, '.ts'))
  .toSorted()
const { values, positionals } = parseArgs({ allowPositionals: true, options: { record: { type: 'boolean' } } })
const unknown = positionals.find((name) => !names.includes(name))
const say = (line: string): void => void process.stdout.write(`${line}\n`)

if (unknown !== undefined) {
  say(`There is no row '${unknown}'. Rows: ${names.join(', ')}`)
  process.exitCode = 2
} else process.exitCode = await measureAll(positionals.length > 0 ? positionals : names)

async function measureAll(chosen: string[]): Promise<number> {
  const models = openEvalModels()
  const embeds = new Map<string, ReturnType<typeof cachedEmbed>>()
  const context: RowContext = { say, embed: (id) => embeds.getOrInsertComputed(id, () => cachedEmbed(models, id)) }
  const measured = new Map<string, { row: EvalRow; figures: RowFigure[] }>()
  try {
    for (const name of chosen) {
      const { row } = (await import(new URL(`${name}.ts`, folder).href)) as { row: EvalRow }
      const figures = await row.measure(context)
      // Figures that could not be measured here keep their recorded values.
      if (figures.length > 0) measured.set(name, { row, figures })
      for (const figure of figures) say(figureLine(name, figure))
    }
  } finally {
    await models.close()
  }
  if (values.record) writeQualityPage(measured)
  const short = [...measured.values()].flatMap(({ figures }) => figures).filter((figure) => !isReached(figure))
  say(
    short.length === 0
      ? 'every goal is reached'
      : `${short.length} below their goal: ${short.map(({ what }) => what).join('; ')}`,
  )
  return short.length === 0 ? 0 : 1
}

function figureLine(name: string, figure: RowFigure): string {
  const { what, model, value, items, goal } = figure
  const error = uncertaintyOf(figure)
  const aim = goal === null ? 'reported' : `goal ${goal}${isReached(figure) ? '' : ' BELOW'}`
  return `${name.padEnd(18)} ${value.toFixed(3)}${error}  ${aim}  (${what}; ${model}; ${items} items)`
}
