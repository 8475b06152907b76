// Results that the server makes from many rows: reports, searches and answers. The attacker asks for them, and reads
// those that a key of the whole tenant has asked for in the attacker's project.

import { api, reportTypes, searchModes } from '@octavo/contract'
import { newId } from '../../server/src/lib/ids.ts'
import { fillPath } from '../lib/belongings.ts'
import { type ProofAnswer, type ProofRequest, parse } from '../lib/call.ts'
import * as allow from './allow.ts'
import { cell, type IsolationCell, type IsolationScene } from './cell.ts'
import { GENERATOR } from './generator.ts'

const QUESTION = 'What is the rent of the lease, and when is it due?'
const EVENT_STREAM = { accept: 'text/event-stream' }
const WAIT = { prefer: 'wait=20' }
/** A stream that shows others' events may have no end. */
const STREAM_MS = 10_000

interface MadeRequest {
  what: string
  body: object
  headers?: Record<string, string>
}

export function* madeCells(scene: IsolationScene): Generator<IsolationCell> {
  const { endpoint } = scene.operation
  if (endpoint === api.reports.create) yield* each(scene, reports(), contentsOf)
  if (endpoint === api.searches.create) yield* each(scene, searches(), readAgain)
  if (endpoint === api.answers.create) yield* each(scene, answers(), readAgain)
}

const reports = (): MadeRequest[] =>
  reportTypes.map((type) => ({ what: `a report of ${type}`, body: { type, format: 'csv' } }))
const searches = (): MadeRequest[] =>
  searchModes.map((mode) => ({ what: `a ${mode} search`, body: { query: QUESTION, mode, limit: 100, neighbors: 3 } }))
const answers = (): MadeRequest[] => [
  { what: 'an extractive answer', body: { question: QUESTION, model: 'built_in_text' } },
  { what: 'a generative answer', body: { question: QUESTION, model: GENERATOR } },
  { what: 'a streamed answer', body: { question: QUESTION, model: GENERATOR }, headers: EVENT_STREAM },
]

function* each(
  scene: IsolationScene,
  requests: readonly MadeRequest[],
  follow: (scene: IsolationScene, answer: ProofAnswer) => ProofRequest | null,
): Generator<IsolationCell> {
  const { operation, attacker } = scene
  const { caller, colleague, project_id } = attacker
  const callers = caller === colleague ? [caller] : [caller, colleague]
  for (const by of callers) {
    for (const { what, body, headers = {} } of requests) {
      const request = {
        method: 'POST',
        path: fillPath(operation.endpoint, {}),
        headers: { ...WAIT, ...headers },
        body: JSON.stringify(project_id === null ? body : { ...body, project_id }),
      }
      const allows = ({ status }: ProofAnswer): boolean => status === operation.endpoint.status
      const made = cell(scene, 'made', `${what}${by === caller ? '' : ' by a colleague'}`, {
        request,
        absent: null,
        allows,
      })
      yield { ...made, caller: by, reader: caller, follow: (answer) => follow(scene, answer) }
    }
  }
}

function contentsOf(_: IsolationScene, answer: ProofAnswer): ProofRequest | null {
  const { file_id } = parse<{ file_id?: string | null }>(answer)
  return { method: 'GET', path: `/api/v1/files/${file_id}/contents` }
}

function readAgain({ operation }: IsolationScene, answer: ProofAnswer): ProofRequest | null {
  const [id] = /\b(?:ans|srch)_[0-9a-z]{26}\b/.exec(answer.text) ?? []
  return { method: 'GET', path: `${fillPath(operation.endpoint, {})}/${id}` }
}

/** Event streams: a stream of the victim's looks like an absent one, and the attacker's own shows nothing foreign. */
export function* streamCells(scene: IsolationScene): Generator<IsolationCell> {
  const { operation, attacker, victims } = scene
  const { endpoint } = operation
  if (!endpoint.is_stream) return
  if (endpoint.method === 'POST') {
    const body = JSON.stringify({ question: QUESTION, project_id: victims.ids.project_id })
    const request = { method: 'POST', path: fillPath(endpoint, {}), headers: EVENT_STREAM, body, most_ms: STREAM_MS }
    yield cell(scene, 'stream', 'of their project', { request, absent: null, allows: allow.refusedReference })
    return
  }
  const get = (job_id: string): ProofRequest => ({
    method: 'GET',
    path: fillPath(endpoint, { job_id }),
    headers: EVENT_STREAM,
    most_ms: STREAM_MS,
  })
  yield cell(scene, 'stream', 'of theirs', {
    request: get(victims.ids.job_id!),
    absent: get(newId('job')),
    allows: allow.refusal,
  })
  yield cell(scene, 'stream', "of one's own", {
    request: get(attacker.own.ids.job_id!),
    absent: null,
    allows: allow.success,
  })
}
