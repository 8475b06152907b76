import { type Answer, OctavoError } from '@octavo/sdk'
import { whileWaiting } from '../board.ts'
import { citationPlace, hang, readTitles, showCited } from '../citations.ts'
import { exits } from '../exits.ts'
import { exitOfStatus, isPartial, refuseFailed } from '../outcomes.ts'
import { clean, cut } from '../width.ts'
import { NO_DOCUMENTS, whyUnread } from './documents.ts'
import type { Session } from './session.ts'

export interface CliAskOptions {
  document?: string[]
  project?: string
  model?: string
  language?: string
}

const NEAREST = 3
const LONGEST_PASSAGE = 200

function createAnswer(
  session: Session,
  question: string,
  { document, project, model, language }: CliAskOptions,
): Promise<Answer> {
  const asked = {
    question,
    ...(document && { document_ids: document }),
    ...(project && { project_id: project }),
    ...(model && { model }),
    ...(language && { language }),
  }
  return session.client().answers.createAndWait(asked, { signal: session.signal, cancel_on_abort: true })
}

export async function ask(session: Session, question: string, options: CliAskOptions): Promise<number> {
  const { terminal } = session
  const answer = await whileWaiting('Asking', createAnswer(session, question, options))
  refuseFailed('The answer', answer)
  const exit = answer.is_answered ? exitOfStatus(answer.status) : exits.not_found
  if (terminal.is_json) {
    terminal.json(answer)
    return exit
  }
  await (answer.is_answered ? showAnswer(session, answer) : showNearest(session, answer, options))
  if (isPartial(answer)) terminal.remark('Note: the answer is incomplete because part of it failed.')
  for (const warning of answer.warnings) terminal.remark(`Note: ${clean(warning)}`)
  return exit
}

async function showAnswer({ terminal, client, signal }: Session, { sentences }: Answer): Promise<void> {
  const cited = sentences.flatMap(({ citations }) => citations.map(({ document_id }) => document_id))
  showCited(terminal, { sentences, is_list: false, titles: await readTitles(client(), cited, signal) })
}

/** Shows the closest passages, because they may still help the user. */
async function showNearest(session: Session, { passages }: Answer, options: CliAskOptions): Promise<void> {
  const { terminal, client, signal } = session
  const reasons = passages.length > 0 ? [] : await explainNoResult(session, options)
  for (const line of reasons) terminal.remark(line)
  if (reasons.length < (options.document?.length ?? 1)) terminal.remark('The documents do not say.')
  const nearest = passages.slice(0, NEAREST)
  if (nearest.length === 0 || !terminal.is_human) return
  const titles = await readTitles(
    client(),
    nearest.map(({ document_id }) => document_id),
    signal,
  )
  terminal.line('\nClosest passages:')
  for (const passage of nearest) {
    const text = `${citationPlace(passage, titles)}: “${cut(clean(passage.text), LONGEST_PASSAGE)}”`
    for (const line of hang('  ', text, terminal.textColumns)) terminal.line(terminal.style('dim', line))
  }
}

/** Why nothing was found: no documents, or documents that are not ready. Empty if the key may not see that. */
async function explainNoResult(
  { client: open, signal }: Session,
  { document: ids, project }: CliAskOptions,
): Promise<string[]> {
  const client = open()
  try {
    if (!ids) {
      const { data } = await client.documents.list({ limit: 1, ...(project && { project_id: project }) }, { signal })
      return data.length > 0 ? [] : [NO_DOCUMENTS]
    }
    const documents = await Promise.all(ids.map((id) => client.documents.get(id, {}, { signal })))
    return documents.flatMap((document) => {
      const unread = document.pages_ready > 0 ? null : whyUnread(document)
      return unread ? [`‘${clean(document.title)}’ is not ready: ${clean(unread.why)} ${unread.hint ?? ''}`.trim()] : []
    })
  } catch (error) {
    if (!(error instanceof OctavoError)) throw error
    return []
  }
}
