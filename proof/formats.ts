import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { faults } from './corpus/faults.ts'
import { generate } from './corpus/generate.ts'
import type { CorpusSpecimen } from './corpus/model.ts'
import { ONE_OF_EACH } from './corpus/one-of-each.ts'
import { type CorpusReader, openReader, type ReadFile } from './corpus/read.ts'
import { figureOf, findShortfalls, goals, writeReport } from './corpus/report.ts'
import { type Score, score } from './corpus/score.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'

const PARALLEL = 2
const DOCUMENT = new URL('../docs/formats.md', import.meta.url)
/** Written by hand. */
const JUDGED = new URL('./corpus/judged.md', import.meta.url)
const INTRODUCTION = `# Extraction quality by format

\`npm run prove -- formats --record\` writes this page. \`proof/corpus/\` generates the test files from our texts, with Typst, LibreOffice, pandoc
and a few lines of code, so their correct content is known.

- *word recall*: the share of the words that were extracted, for the worst file. *in order*: the share that was extracted in reading order.
- *other words*: extracted words that are not in the text, per word of the text: sheet names, email headers, title pages.
- *blocks whole*: the share of paragraphs, headings and list items that were extracted as one block of the correct kind.
- *cells F1*: a cell is correct if its row, column, spans and text are correct. Cells without text are not counted. \`rows\`: lines between rows only;
  \`header\`: lines above and below the header and at the end only. Without a line between rows, a cell that spans two rows looks like a cell above an empty one.
- *character error*: edits per character; different shapes of quotes and dashes count as equal.

`

/** Covers every way to create and to read a file; without LibreOffice and pandoc, ten remain. */
const SHORT = [
  'pdf/typst-ar.pdf',
  'pdf/typst-columns-hyphens-de.pdf',
  'pdf/typst-tables-unruled-en.pdf',
  ...ONE_OF_EACH,
]

export const proof: Proof = {
  promise: 'Text, tables, reading order and pages are extracted correctly from every format and language.',
  goal:
    `≥ ${goals.files} files of all formats, ≥ ${goals.languages} languages: word recall ≥ ${goals.recall}, two columns in order ≥ ${goals.order_of_columns}, ` +
    `page counts exact, boxes on the page; character error of Latin scans ≤ ${goals.clean_error} clean at 150 dpi, ≤ ${goals.worn_error} tilted, noisy, 100 dpi; ` +
    `cells F1 of ≥ ${goals.tables} tables ≥ ${goals.ruled_f1} ruled, ≥ ${goals.other_f1} with fewer lines or none, ≥ ${goals.told_f1} in formats that have cells`,
  faults,
  run: proveFormats,
}

const writeRecord = (report: string): void =>
  writeFileSync(DOCUMENT, `${INTRODUCTION}${report}\n\n${readFileSync(JUDGED, 'utf8')}`)

async function proveFormats(run: ProofRun): Promise<ProofOutcome> {
  const is_short = run.length === 'short' || run.fault !== null
  const { folder, specimens, missing } = await generate(
    join(tmpdir(), 'octavo-corpus'),
    is_short ? SHORT : null,
    run.say,
  )
  if (missing.length > 0 && !is_short)
    throw new Error(`Programs that make files of the corpus are missing:\n${missing.join('\n')}`)
  for (const text of missing) run.say(`left out: files made by ${text}`)

  const scores = await readAll(run, folder, specimens)
  run.say(writeReport(scores))
  const short = [...findShortfalls(scores), ...(is_short ? [] : findGaps(scores))]
  for (const text of short) run.say(`short: ${text}`)
  if (run.is_recorded && !is_short) writeRecord(writeReport(scores))
  return {
    figure: run.fault === null ? figureOf(scores) : (short[0] ?? 'nothing was found'),
    is_met: short.length === 0,
  }
}

async function readAll(run: ProofRun, folder: string, specimens: readonly CorpusSpecimen[]): Promise<Score[]> {
  const scores = new Map<string, Score>()
  const queue = [...specimens]
  const readers = await Promise.all(Array.from({ length: PARALLEL }, () => openReader(run.plants)))
  try {
    await Promise.all(
      readers.map(async (reader) => {
        for (let specimen = queue.shift(); specimen; specimen = queue.shift())
          scores.set(specimen.path, await readOne(reader, join(folder, specimen.path), specimen, run.fault !== null))
      }),
    )
  } finally {
    await Promise.all(readers.map((reader) => reader.close()))
  }
  return specimens.map(({ path }) => scores.get(path)!)
}

async function readOne(
  reader: CorpusReader,
  path: string,
  specimen: CorpusSpecimen,
  has_fault: boolean,
): Promise<Score> {
  const started = performance.now()
  let file: ReadFile | null = null
  let error: string | null = null
  try {
    file = await reader.read({ path, languages: [] })
  } catch (thrown) {
    error = (thrown as Error).message
    // No fault makes a file unreadable: whatever broke here has shown nothing.
    if (has_fault) throw thrown
  }
  return score(specimen, file, error, (performance.now() - started) / 1000)
}

function findGaps(scores: readonly Score[]): string[] {
  const counts = {
    files: scores.length,
    languages: new Set(scores.map(({ language }) => language)).size,
    tables: scores.flatMap(({ tables }) => tables).length,
  }
  return (Object.keys(counts) as (keyof typeof counts)[])
    .filter((name) => counts[name] < goals[name])
    .map((name) => `only ${counts[name]} ${name}`)
}
