// Sends a hostile file as any client would, and waits for what becomes of it.

import { setTimeout as sleep } from 'node:timers/promises'
import { call, type ProofCaller, parse } from '../lib/call.ts'
import type { HostileFile } from './file.ts'

export interface HostileOutput {
  file: HostileFile
  bytes: Uint8Array
}

export interface HostileSendResult {
  file: HostileFile
  /** `read`, an error code, `refused with 4xx` at upload, or another outcome. */
  verdict: string
  /** From the first byte sent until the answer could be read. */
  seconds: number
  /** Problems with the result. */
  findings: string[]
}

interface HostileDocument {
  id: string
  status: string
  error: { code: string } | null
  page_count: number
  pages_ready: number
}

export const MAX_SECONDS = 60
const LOOK_MS = 200
/** Longer than the promise, so that a late result can be distinguished from one that never arrives. */
const PATIENCE_MS = 1.5 * MAX_SECONDS * 1000

const documentsOf = '/api/v1/documents'

/** Sends a file name that a form cannot carry unchanged as JSON. */
async function send(caller: ProofCaller, { file, bytes }: HostileOutput): Promise<{ status: number; text: string }> {
  if (file.group === 'names') {
    const source = {
      type: 'base64',
      media_type: file.media_type,
      file_name: file.file_name,
      data: Buffer.from(bytes).toString('base64'),
    }
    return call(caller, { method: 'POST', path: documentsOf, body: JSON.stringify({ title: file.name, source }) })
  }
  const form = new FormData()
  form.append('title', file.name)
  form.append('file', new Blob([Uint8Array.from(bytes)], { type: file.media_type }), file.file_name)
  const headers = { authorization: `Bearer ${caller.secret}` }
  const answer = await fetch(`${caller.url}${documentsOf}`, { method: 'POST', headers, body: form })
  return { status: answer.status, text: await answer.text() }
}

async function waitFor(caller: ProofCaller, id: string, deadline: number): Promise<HostileDocument | null> {
  for (;;) {
    const document = parse<HostileDocument>(await call(caller, { method: 'GET', path: `${documentsOf}/${id}` }))
    if (document.status !== 'processing') return document
    if (Date.now() > deadline) return null
    await sleep(LOOK_MS)
  }
}

const readDocumentText = async (caller: ProofCaller, id: string): Promise<string> => {
  const answer = await call(caller, { method: 'GET', path: `${documentsOf}/${id}/pages?limit=20` })
  return (parse<{ data?: { text: string | null }[] }>(answer).data ?? []).map(({ text }) => text ?? '').join('\n')
}

export async function sendAndWait(caller: ProofCaller, made: HostileOutput): Promise<HostileSendResult> {
  const { file } = made
  const began = Date.now()
  const result = (verdict: string, findings: string[]): HostileSendResult => {
    const seconds = (Date.now() - began) / 1000
    const late = seconds > MAX_SECONDS ? [`${file.name}: ${verdict} only after ${Math.round(seconds)} s`] : []
    return { file, verdict, seconds, findings: [...findings.map((finding) => `${file.name}: ${finding}`), ...late] }
  }
  const answer = await send(caller, made)
  if (answer.status !== 201) return result(`refused with ${answer.status}`, judgeDoor(file, answer))
  const { id } = JSON.parse(answer.text) as HostileDocument
  const document = await waitFor(caller, id, began + PATIENCE_MS)
  if (!document) return result('none', ['no verdict'])
  const settled = result(document.status === 'failed' ? (document.error?.code ?? 'no code') : 'read', [])
  return {
    ...settled,
    findings: [
      ...settled.findings,
      ...(await judge(caller, file, document)).map((finding) => `${file.name}: ${finding}`),
    ],
  }
}

/** Only names and empty files may be refused before they are read. */
function judgeDoor(file: HostileFile, { status, text }: { status: number; text: string }): string[] {
  if (status < 400 || status >= 500) return [`answered ${status}`]
  return file.group === 'names' || file.name === 'txt_empty'
    ? []
    : [`refused at the door with ${status}: ${text.slice(0, 200)}`]
}

async function judge(caller: ProofCaller, file: HostileFile, document: HostileDocument): Promise<string[]> {
  if (document.status === 'failed') {
    const code = document.error?.code ?? 'no code'
    if (file.expected === 'read') return [`refused with ${code}, though it can be read`]
    return file.codes.some((one) => one === code) ? [] : [`refused with ${code}, not ${file.codes.join(' or ')}`]
  }
  if (file.expected === 'refused')
    return [`read (${document.pages_ready} of ${document.page_count} pages), though it cannot be`]
  const text = await readDocumentText(caller, document.id)
  return [
    ...(file.is_cut && document.status !== 'partially_ready' ? [`${document.status}, though it must be cut`] : []),
    ...(file.shows && !text.includes(file.shows) ? [`does not show '${file.shows}'`] : []),
    ...(file.hides && text.includes(file.hides) ? [`shows '${file.hides}'`] : []),
  ]
}
