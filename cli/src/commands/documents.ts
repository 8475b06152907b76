import type { Document, DocumentsListQuery } from '@octavo/sdk'
import { explain } from '../errors.ts'
import { exits, Refusal } from '../exits.ts'
import { findLogin } from '../login.ts'
import { askPerson } from '../question.ts'
import { SELF } from '../self.ts'
import { cleanLines } from '../width.ts'
import { ago, bytes, pageCountText, plural, spoken } from '../words.ts'
import { type ListOptions, pageSize, showList } from './lists.ts'
import type { Session } from './session.ts'

export interface DocumentsListOptions extends ListOptions {
  project?: string
  status?: DocumentsListQuery['status']
}

export const NO_DOCUMENTS = `You have no documents. Add one: ${SELF} documents add <file>`

/** Why text is missing or incomplete; null if it is complete. */
export function whyUnread({ status, error, latest_job_id }: Document): { why: string; hint: string | null } | null {
  if (status === 'ready') return null
  if (status === 'processing')
    return {
      why: 'It is still being processed.',
      hint: latest_job_id && `To follow it: ${SELF} jobs watch ${latest_job_id}`,
    }
  return { why: error?.message ?? 'No reason was given.', hint: null }
}

export async function listDocuments(
  { terminal, signal, client }: Session,
  options: DocumentsListOptions,
): Promise<number> {
  const { project, status } = options
  const query = { limit: pageSize(options), ...(project && { project_id: project }), ...(status && { status }) }
  return showList(terminal, client().documents.list(query, { signal }), options, {
    columns: [
      { title: 'DOCUMENT' },
      { title: 'STATUS' },
      { title: 'PAGES', is_right: true },
      { title: 'TITLE', shrinks_to: 12, tail: 8 },
      { title: 'ADDED' },
    ],
    cellsOf: (document) => [
      document.id,
      spoken(document.status),
      pageCountText(document),
      document.title,
      terminal.is_human ? ago(document.created_at) : document.created_at,
    ],
    none: NO_DOCUMENTS,
  })
}

export interface DocumentGetOptions {
  text?: boolean
  markdown?: boolean
}

export async function getDocument(
  session: Session,
  id: string,
  { text, markdown }: DocumentGetOptions,
): Promise<number> {
  const { terminal, signal } = session
  const client = session.client()
  if (text || markdown) return showPages(session, id, markdown ? 'markdown' : 'text')
  const document = await client.documents.get(id, {}, { signal })
  if (terminal.is_json) {
    terminal.json(document)
    return exits.fine
  }
  const { pages_ready, pages_failed, page_count, size_bytes, error } = document
  const failed = pages_failed > 0 ? `, ${pages_failed} failed` : ''
  terminal.facts({
    id: document.id,
    title: document.title,
    status: spoken(document.status),
    pages: page_count === pages_ready ? pageCountText(document) : `${pages_ready} of ${page_count} read${failed}`,
    language: document.language,
    type: document.media_type,
    size: size_bytes === null ? null : bytes(size_bytes),
    project: document.project_id,
    job: document.latest_job_id,
    added: document.created_at,
    expires: document.expires_at,
    error: error && error.message,
    warnings: document.warnings.join(' '),
  })
  return exits.fine
}

async function showPages(session: Session, id: string, form: 'text' | 'markdown'): Promise<number> {
  const { terminal, signal } = session
  const client = session.client()
  let count = 0
  for await (const page of client.pages.list(id, { limit: 100, sort: 'number' }, { signal })) {
    count += 1
    if (terminal.is_json) terminal.json(page)
    // A program gets the exact text; for a terminal, control characters of the file are removed.
    else terminal.line(terminal.is_human ? cleanLines(page[form]) : page[form])
  }
  const document = await client.documents.get(id, {}, { signal })
  const unread = whyUnread(document)
  if (unread) {
    const what =
      count > 0 ? `Only ${pageCountText(document)} pages of the document are ready` : 'The document is not ready'
    throw new Refusal(`${what}: ${unread.why}`, exits.failed, unread.hint)
  }
  if (count === 0) terminal.remark('The document has no pages.')
  return exits.fine
}

/** Asks only on a terminal, where a person can answer. */
async function isSure(count: string, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return true
  const question = `Delete ${count} and everything produced from it? [y/N] `
  return askPerson(process.stderr, signal, async (ask) => /^y(es)?$/i.test((await ask(question)).trim()))
}

export async function deleteDocuments(
  session: Session,
  ids: readonly string[],
  { yes }: { yes?: boolean },
): Promise<number> {
  const { signal } = session
  if (!yes && !(await isSure(plural(ids.length, 'document'), signal))) return exits.failed
  const client = session.client()
  return removeEach(session, ids, { remove: (id) => client.documents.remove(id, { signal }), done: 'deleted' })
}

/** Continues after a failure; the first failure sets the exit code. */
export async function removeEach(
  { terminal, signal }: Session,
  ids: readonly string[],
  { remove, done }: { remove: (id: string) => Promise<unknown>; done: string },
): Promise<number> {
  let exit: number = exits.fine
  for (const id of ids) {
    try {
      await remove(id)
      if (terminal.is_json) terminal.json({ id, status: done })
      else terminal.line(`${id}\t${done}`)
    } catch (error) {
      signal.throwIfAborted()
      const explained = explain(error, findLogin().url ?? '')
      terminal.complain(explained)
      exit ||= explained.exit
    }
  }
  return exit
}
