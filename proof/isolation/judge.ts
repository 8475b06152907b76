// Counts as a leak: a disallowed answer, an answer that distinguishes a foreign resource from a missing one, and an
// answer that contains a value of the victim's that the attacker did not send.

import { callPatiently as call, type ProofAnswer, type ProofRequest } from '../lib/call.ts'
import type { IsolationCell } from './cell.ts'

export interface Leak {
  operation: string
  what: string
}

/** Differ from one request to the next. */
const PASSING = new Set(['date', 'request-id', 'ratelimit', 'etag', 'connection', 'keep-alive', 'content-length'])

function appearance(answer: ProofAnswer): string {
  const headers = [...answer.headers].filter(([name]) => !PASSING.has(name)).map(([name, value]) => `${name}: ${value}`)
  return [answer.status, ...headers, answer.text.replace(/req_[0-9a-z]{26}/g, 'req')].join('\n')
}

const answerText = (answer: ProofAnswer): string =>
  [...answer.headers].map((pair) => pair.join(': ')).join('\n') + answer.text
const sentIn = (request: ProofRequest): string =>
  `${decodeURIComponent(request.path)}\n${Object.values(request.headers ?? {}).join('\n')}\n${request.body ?? ''}`

const show = (answer: ProofAnswer): string => `${answer.status} ${answer.text.slice(0, 150)}`

export async function judge(cell: IsolationCell, secrets: readonly string[]): Promise<Leak[]> {
  const answer = await call(cell.caller, cell.request)
  const absent = cell.absent && (await call(cell.caller, cell.absent))
  const where = `${cell.actor}: ${cell.operation}, ${cell.kind}: ${cell.what}`
  const leaks: Leak[] = []
  const tell = (what: string): void => void leaks.push({ operation: cell.operation, what: `${where}: ${what}` })
  if (!cell.allows(answer)) tell(`answered ${show(answer)}`)
  if (absent && appearance(absent) !== appearance(answer))
    tell(`not answered like what does not exist: ${show(answer)} / ${show(absent)}`)
  const [text, sent] = [`${answerText(answer)}\n${await readOn(cell, answer, tell)}`, sentIn(cell.request)]
  const found = secrets.find((secret) => text.includes(secret) && !sent.includes(secret))
  if (found !== undefined) tell(`'${found}' of the victim in the answer ${answer.status}`)
  return leaks
}

async function readOn(cell: IsolationCell, answer: ProofAnswer, tell: (what: string) => void): Promise<string> {
  const request = answer.status < 400 && cell.allows(answer) ? cell.follow?.(answer) : null
  if (!request) return ''
  const next = await call(cell.reader ?? cell.caller, request)
  if (next.status !== 200) tell(`${request.path} was answered ${show(next)}`)
  return answerText(next)
}
