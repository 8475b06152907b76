// Every path that leads to something of a document, found while it is there.

import { searchModes } from '@octavo/contract'
import type { Octavo } from '@octavo/sdk'
import { call, type ProofAnswer, type ProofCaller } from '../lib/call.ts'
import type { DeletionOutput } from './make.ts'
import { QUERY, TELLING, WORD } from './outcomes.ts'

export interface Path {
  what: string
  method: string
  /** Absolute for a signed link. */
  path: string
  headers?: Record<string, string>
  body?: string
  /** Whether it must lead nowhere afterwards, or may answer without a word of the document. */
  goal: 'gone' | 'silent'
}

const ROOT = '/api/v1'

async function listOf<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const row of rows) all.push(row)
  return all
}

/** Also says what is wrong with the document already: a proof about an empty one would show nothing. */
export async function pathsOf(
  client: Octavo,
  caller: ProofCaller,
  { origin, document, upload_id, outcomes }: DeletionOutput,
): Promise<{ paths: Path[]; wrong: string[] }> {
  const { id, file_id, latest_job_id, status } = document
  const pages = await listOf(client.pages.list(id))
  const files = [file_id, ...pages.map(({ image_file_id }) => image_file_id)].filter((one) => one !== null)
  const paths: Path[] = []
  const gone = (what: string, path: string, more: Partial<Path> = {}): void => {
    paths.push({
      what: `${origin}: ${what}`,
      method: 'GET',
      path: path.startsWith('http') ? path : ROOT + path,
      goal: 'gone',
      ...more,
    })
  }
  const silent = (what: string, path: string, more: Partial<Path> = {}): void =>
    gone(what, path, { goal: 'silent', ...more })
  gone('document', `/documents/${id}`)
  gone('pages', `/documents/${id}/pages`)
  gone('chunks', `/documents/${id}/chunks`)
  for (const page of pages) gone('page', `/documents/${id}/pages/${page.id}`)
  for (const file of files) {
    gone('file', `/files/${file}`)
    gone('bytes', `/files/${file}/contents`)
    gone('head of bytes', `/files/${file}/contents`, { method: 'HEAD' })
    gone('range of bytes', `/files/${file}/contents`, { headers: { range: 'bytes=0-9' } })
    gone('link', `/files/${file}/contents`, { headers: { accept: 'application/json' } })
    const link = await call(caller, {
      method: 'GET',
      path: `${ROOT}/files/${file}/contents`,
      headers: { accept: 'application/json' },
    })
    gone('signed link', (JSON.parse(link.text) as { url: string }).url)
  }
  for (const { what, path } of outcomes) gone(what, path)
  if (upload_id !== null) gone('upload', `/uploads/${upload_id}`)
  if (latest_job_id !== null) {
    silent('job', `/jobs/${latest_job_id}`)
    silent('events of the job', `/jobs/${latest_job_id}/events?limit=100`)
  }
  silent('documents', '/documents?limit=100')
  silent('uploads', '/uploads?limit=100')
  silent('events', '/events?limit=100')
  gone('analyses', `/documents/${id}/analysis`)
  for (const list of ['summaries', 'classifications', 'embeddings', 'searches', 'answers'])
    silent(list, `/${list}?limit=100`)
  for (const mode of searchModes)
    silent(`${mode} search`, '/searches', { method: 'POST', body: JSON.stringify({ query: QUERY, mode, limit: 100 }) })
  silent('answer', '/answers', { method: 'POST', body: JSON.stringify({ question: QUERY }) })
  const wrong = [
    status !== 'ready' && `it is ${status}`,
    !pages.some(({ text }) => text?.includes(WORD)) && 'no page has the word',
    origin !== 'text' && file_id === null && 'it has no file',
    (origin === 'form' || origin === 'upload') && files.length < 2 && 'it has no picture of its page',
    ...TELLING.map(
      (kind) => !outcomes.some(({ what, has_word }) => what === kind && has_word) && `its ${kind} has not the word`,
    ),
  ].filter((one) => one !== false)
  return { paths, wrong: wrong.map((one) => `${origin}: ${one}`) }
}

function follow(caller: ProofCaller, { method, path, headers, body }: Path): Promise<ProofAnswer> {
  const isAbsolute = path.startsWith('http')
  const from = isAbsolute ? { url: '', secret: null } : caller
  return call(from, { method, path, ...(headers ? { headers } : {}), ...(body === undefined ? {} : { body }) })
}

/** Says what can still be read. */
export async function listReadable(
  caller: ProofCaller,
  paths: readonly Path[],
  ids: readonly string[],
): Promise<string[]> {
  const readable: string[] = []
  for (const path of paths) {
    const { status, text } = await follow(caller, path)
    const isOpen = path.goal === 'gone' ? status !== 404 : text.includes(WORD)
    const isListed = /: (documents|uploads)$/.test(path.what) && ids.some((id) => text.includes(id))
    if (isOpen || isListed) readable.push(`${path.what} (${status})`)
  }
  return readable
}
