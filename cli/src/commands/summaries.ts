import type { NewSummary, Summary } from '@octavo/sdk'
import { whileWaiting } from '../board.ts'
import { readTitles, showCited } from '../citations.ts'
import { exits } from '../exits.ts'
import { exitOfStatus, isPartial } from '../outcomes.ts'
import { clean } from '../width.ts'
import type { Session } from './session.ts'

export interface CliSummaryOptions {
  style?: NewSummary['style']
  length?: NewSummary['length']
  focus?: string
  language?: string
  model?: string
}

export function createSummary(
  { client, signal }: Session,
  document_ids: string[],
  options: CliSummaryOptions,
): Promise<Summary> {
  const summary = client().summaries.createAndWait({ document_ids, ...options }, { signal, cancel_on_abort: true })
  return whileWaiting('Summarising', summary)
}

const isList = ({ style }: Summary): boolean => style === 'extractive' || style === 'bullets'

export async function showSummary({ terminal, signal, client }: Session, summary: Summary): Promise<number> {
  if (summary.status !== 'succeeded' && !isPartial(summary)) {
    terminal.remark(
      `The summary ${summary.status === 'cancelled' ? 'was canceled' : 'failed'}: ${clean(summary.error?.message ?? 'no reason was given.')}`,
    )
    return exits.failed
  }
  const cited = summary.sentences.flatMap(({ citations }) => citations.map(({ document_id }) => document_id))
  showCited(terminal, {
    sentences: summary.sentences,
    is_list: isList(summary),
    titles: await readTitles(client(), cited, signal),
  })
  if (isPartial(summary)) terminal.remark('Note: the summary is incomplete because part of it failed.')
  for (const warning of summary.warnings) terminal.remark(`Note: ${clean(warning)}`)
  return exitOfStatus(summary.status)
}

export async function summarise(session: Session, document_ids: string[], options: CliSummaryOptions): Promise<number> {
  const summary = await createSummary(session, document_ids, options)
  if (!session.terminal.is_json) return showSummary(session, summary)
  session.terminal.json(summary)
  return exitOfStatus(summary.status)
}
