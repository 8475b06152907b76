// Sentences with the numbers of their sources, and the sources beneath.

import type { Citation, CitedSentence, Octavo } from '@octavo/sdk'
import type { Terminal } from './terminal.ts'
import { clean, cut, wrap } from './width.ts'

export interface CliSource {
  number: number
  document_id: string | null
  page_number: number | null
  quote: string
}

const LONGEST_QUOTE = 300

/** The same place has one number, however often it is cited. */
export function numberSources(sentences: readonly CitedSentence[]): {
  lines: { text: string; numbers: number[] }[]
  sources: CliSource[]
} {
  const sources = new Map<string, CliSource>()
  const numberOf = ({ document_id, page_id, page_number, start, end, quote }: Citation): number => {
    const place = [document_id, page_id, start, end].join(' ')
    const known = sources.get(place) ?? { number: sources.size + 1, document_id, page_number, quote }
    sources.set(place, known)
    return known.number
  }
  const lines = sentences.map(({ text, citations }) => ({
    text: clean(text),
    numbers: [...new Set(citations.map(numberOf))],
  }))
  return { lines, sources: [...sources.values()] }
}

/** Titles by the id of their document. One that is gone, or that the key does not see, has none. */
export async function readTitles(
  client: Octavo,
  document_ids: Iterable<string | null>,
  signal?: AbortSignal,
): Promise<Map<string, string>> {
  const wanted = [...new Set(document_ids)].filter((id) => id !== null)
  const pairs = await Promise.all(
    wanted.map((id) =>
      client.documents.get(id, { fields: 'title' }, { signal, max_retries: 1 }).then(
        ({ title }) => [[id, clean(title)] as const],
        () => [],
      ),
    ),
  )
  signal?.throwIfAborted()
  return new Map(pairs.flat())
}

export const citationPlace = (
  { document_id, page_number }: Pick<CliSource, 'document_id' | 'page_number'>,
  titles: ReadonlyMap<string, string>,
): string =>
  [
    document_id === null ? 'the text' : (titles.get(document_id) ?? document_id),
    page_number === null ? null : `page ${page_number}`,
  ]
    .filter(Boolean)
    .join(', ')

interface CliCitedText {
  sentences: readonly CitedSentence[]
  /** Each sentence for itself, not as one paragraph. */
  is_list: boolean
  titles: ReadonlyMap<string, string>
}

export function showCited(terminal: Terminal, { sentences, is_list, titles }: CliCitedText): void {
  const { lines, sources } = numberSources(sentences)
  const columns = terminal.is_human ? terminal.textColumns : Number.POSITIVE_INFINITY
  const marked = lines.map(({ text, numbers }) => `${text}${numbers.map((number) => ` [${number}]`).join('')}`)
  const mark = (text: string): string => text.replace(/\[\d+\]/g, (number) => terminal.style('cyan', number))
  const shown =
    is_list && marked.length > 1 ? marked.flatMap((text) => hang('• ', text, columns)) : wrap(marked.join(' '), columns)
  for (const line of shown) terminal.line(mark(line))
  if (sources.length === 0) return
  terminal.line()
  for (const source of sources) {
    const number = `[${source.number}] `
    const lines = hang(
      number,
      `${citationPlace(source, titles)}: “${cut(clean(source.quote), LONGEST_QUOTE)}”`,
      columns,
    )
    for (const [i, line] of lines.entries())
      terminal.line(
        i === 0
          ? terminal.style('cyan', number) + terminal.style('dim', line.slice(number.length))
          : terminal.style('dim', line),
      )
  }
}

/** Wrapped, with everything after the mark standing under each other. */
export function hang(mark: string, text: string, columns: number): string[] {
  return wrap(text, columns - mark.length).map((line, i) => `${i === 0 ? mark : ' '.repeat(mark.length)}${line}`)
}
