import type { NewSearch, SearchResult } from '@octavo/sdk'
import { citationPlace, readTitles } from '../citations.ts'
import { exits } from '../exits.ts'
import type { Terminal } from '../terminal.ts'
import { clean, wrap } from '../width.ts'
import type { Session } from './session.ts'

export interface SearchOptions {
  document?: string[]
  project?: string
  mode?: NewSearch['mode']
  limit?: number
}

const EXCERPT_LINES = 3

export async function search(
  session: Session,
  query: string,
  { document, project, mode, limit }: SearchOptions,
): Promise<number> {
  const { terminal, signal } = session
  const client = session.client()
  const asked = {
    query,
    ...(document && { document_ids: document }),
    ...(project && { project_id: project }),
    ...(mode && { mode }),
    ...(limit !== undefined && { limit }),
  }
  const { results, warnings } = await client.searches.create(asked, { signal })
  const titles = terminal.is_json
    ? new Map<string, string>()
    : await readTitles(
        client,
        results.map(({ document_id }) => document_id),
        signal,
      )
  for (const [i, result] of results.entries()) {
    if (terminal.is_json) terminal.json(result)
    else if (!terminal.is_human) terminal.table([], [resultRow(result, titles)])
    else showResult(terminal, result, { place: citationPlace(result, titles), is_first: i === 0 })
  }
  for (const warning of warnings) terminal.remark(`Note: ${clean(warning)}`)
  if (results.length === 0) terminal.remark('No passages found.')
  return results.length > 0 ? exits.fine : exits.not_found
}

const resultRow = (
  { document_id, page_number, score, text }: SearchResult,
  titles: ReadonlyMap<string, string>,
): string[] => [document_id, titles.get(document_id) ?? '', String(page_number), String(score), text]

const [OPEN, CLOSE] = ['\u0002', '\u0003']

/** Puts marks around highlighted words; the marks survive line wrapping. */
function marked({ text, highlights }: SearchResult): string {
  const points = [...text].map((point) => (point === OPEN || point === CLOSE ? ' ' : point))
  for (const { start, end } of highlights) {
    if (points[start] !== undefined && points[end - 1] !== undefined) {
      points[start] = OPEN + points[start]
      points[end - 1] += CLOSE
    }
  }
  return points.join('')
}

function showResult(
  terminal: Terminal,
  result: SearchResult,
  { place, is_first }: { place: string; is_first: boolean },
): void {
  if (!is_first) terminal.line()
  terminal.line(terminal.style('bold', place))
  const words = marked(result)
    .split(/\s+/)
    .map((word) => [...word].map((point) => (point === OPEN || point === CLOSE ? point : clean(point) || '')).join(''))
  const first = Math.max(0, words.findIndex((word) => word.includes(OPEN)) - 12)
  const lines = wrap(`${first > 0 ? '… ' : ''}${words.slice(first).join(' ')}`, terminal.textColumns - 4)
  const shown = lines.slice(0, EXCERPT_LINES)
  if (lines.length > EXCERPT_LINES) shown.push(`${shown.pop()} …`)
  for (const line of shown) {
    const bright = line.replace(new RegExp(`${OPEN}([^${CLOSE}]*)${CLOSE}?`, 'g'), (_, word: string) =>
      terminal.style(['bold', 'yellow'], word),
    )
    terminal.line(`  ${bright.replaceAll(CLOSE, '')}`)
  }
}
