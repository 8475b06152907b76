// The last figures, kept where readers look for them: docs/proofs.md.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Proof } from './proof.ts'

const FILE = new URL('../../docs/proofs.md', import.meta.url)
const HEAD = `# Guarantees and their latest results

Each guarantee is a program under \`proof/\`. \`npm run prove -- <name>\` measures it and exits with 1 if it misses its goal. CI runs \`--short\`; \`npm test\` includes contract and pagination.
With \`--planted\`, the program adds faults to the server and checks that it detects them. \`npm run prove -- <name> --record\` writes this table.

One machine with two shared cores ran everything (API, PostgreSQL, Valkey, load), so compare the ratios, not the rates. "Short run" marks results of the smaller size that CI uses. \`npm run prove\` lists all guarantees, including those without a result.

`
const COLUMNS = '| guarantee | goal | result | measured |\n|---|---|---|---|\n'

export interface FiguresRecord {
  /** Promise and goal when it was measured; absent: those of today. */
  about?: string
  figure: string
  date: string
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

export function readFigures(): Map<string, FiguresRecord> {
  const rows = existsSync(FILE)
    ? [...readFileSync(FILE, 'utf8').matchAll(/^\| (\*\*([\w-]+)\*\*: .* \| .*) \| (.*) \| (.*) \|$/gm)]
    : []
  return new Map(rows.map(([, about = '', name = '', figure = '', date = '']) => [name, { about, figure, date }]))
}

/** A guarantee that was never measured has no row. */
export function figuresTable(
  proofs: ReadonlyMap<string, Pick<Proof, 'promise' | 'goal'>>,
  known: ReadonlyMap<string, FiguresRecord>,
): string {
  const rows = [...proofs].flatMap(([name, { promise, goal }]) => {
    const measured = known.get(name)
    if (!measured) return []
    const { about = `**${name}**: ${cell(promise)} | ${cell(goal)}`, figure, date } = measured
    return [`| ${about} | ${figure} | ${date} |\n`]
  })
  return COLUMNS + rows.join('')
}

export function writeFigures(proofs: ReadonlyMap<string, Proof>, fresh: ReadonlyMap<string, string>): void {
  const known = readFigures()
  const date = new Date().toISOString().slice(0, 10)
  for (const [name, figure] of fresh) known.set(name, { figure: cell(figure), date })
  writeFileSync(FILE, HEAD + figuresTable(proofs, known))
}
