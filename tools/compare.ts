// Compares Octavo with other programs on your files: `npm run compare -- DIRECTORY`. See docs/comparison.md.

import { readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { agreedCounts, countsOf, sameOrder, shares, wordsOf } from './compare/measures.ts'
import { findExpected, findPrograms, type Program, runProgram } from './compare/programs.ts'

interface Result {
  file: string
  program: string
  recall: number
  precision: number
  order: number | null
  cpu_seconds: number
}

const [, , directory] = process.argv
if (!directory) {
  console.error('Usage: npm run compare -- DIRECTORY')
  process.exit(2)
}
const programs = findPrograms()
const files = readdirSync(directory).filter((name) => extname(name) !== '' && !name.endsWith('.txt'))
const results = files.toSorted().flatMap((file) => compareFile(directory, file))
console.log(summary(results))
console.log(`\n${losses(results)}`)

function compareFile(folder: string, file: string): Result[] {
  const path = join(folder, file)
  const ending = extname(file).slice(1).toLowerCase()
  const able = programs.filter(({ extensions }) => extensions === null || extensions.includes(ending))
  const runs = able.flatMap(({ name }, i) => {
    const run = runProgram(able[i] as Program, path)
    console.error(`${file} ${name} ${run ? `${run.cpu_seconds.toFixed(2)} s` : 'failed'}`)
    return [{ name, words: wordsOf(run?.text ?? ''), cpu_seconds: run?.cpu_seconds ?? 0 }]
  })
  const expected = findExpected(path)
  return runs.map(({ name, words, cpu_seconds }) => {
    // A program is judged by what the others agree on, never by its own text.
    const others = runs.filter((run) => run.name !== name && run.words.length > 0).map((run) => run.words)
    const texts = expected === null ? others : [wordsOf(expected)]
    const orders = texts.flatMap((text) => sameOrder(words, text) ?? [])
    const order = orders.length === 0 ? null : mean(orders)
    return { file, program: name, ...shares(countsOf(words), agreedCounts(texts)), order, cpu_seconds }
  })
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

function summary(all: readonly Result[]): string {
  const lines = programs.map(({ name }) => {
    const own = all.filter(({ program }) => program === name)
    const orders = own.flatMap(({ order }) => order ?? [])
    const shown = [mean(own.map(({ recall }) => recall)), mean(own.map(({ precision }) => precision)), mean(orders)]
    const cpu = name === 'tika' ? 'in its server' : mean(own.map(({ cpu_seconds }) => cpu_seconds)).toFixed(2)
    return `| ${name} | ${own.length} | ${shown.map((value) => value.toFixed(3)).join(' | ')} | ${cpu} |`
  })
  return [
    '| program | files | recall | precision | order | CPU-s a file |',
    '|---|---|---|---|---|---|',
    ...lines,
  ].join('\n')
}

/** Files on which another program has more of the words, or a better order. */
function losses(all: readonly Result[]): string {
  const MARGIN = 0.02
  const lines = all
    .filter(({ program }) => program === 'octavo')
    .flatMap((own) => {
      const others = all.filter(({ file, program }) => file === own.file && program !== 'octavo')
      return (['recall', 'precision', 'order'] as const).flatMap((measure) => {
        const best = others.toSorted((a, b) => (b[measure] ?? 0) - (a[measure] ?? 0))[0]
        const [mine, theirs] = [own[measure] ?? 1, best?.[measure] ?? 0]
        if (!best || theirs - mine < MARGIN) return []
        return [`| ${own.file} | ${measure} | ${mine.toFixed(3)} | ${best.program} ${theirs.toFixed(3)} |`]
      })
    })
  return ['| file | measure | octavo | best |', '|---|---|---|---|', ...lines].join('\n')
}
