// One case through the API, until it has ended, and what is wrong with its end.

import { setTimeout as sleep } from 'node:timers/promises'
import { jobErrorCodes } from '@octavo/contract'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { findUuid } from '../../server/src/lib/ids.ts'
import { mismatchOf } from '../../server/src/testing/answers.ts'
import { asAdmin } from '../lib/admin.ts'
import { call, parse } from '../lib/call.ts'
import type { ApiProcess, World, WorldKey } from '../lib/world.ts'
import type { Case } from './cases.ts'
import type { ChatCall, ChatPassage } from './passage.ts'

export const WELL = 'chat'
export const SPOILED = 'spoiled'
/** The model may be slow; the system must come to an end. */
const DEADLINE_MS = 900_000
const LOOK_MS = 250

export interface ChatScene {
  world: World
  api: ApiProcess
  key: WorldKey
  passage: ChatPassage
}

interface ChatOutcome {
  id: string
  job_id: string | null
  status: string
  is_terminal: boolean
  error: { code: string } | null
  usage: { input_tokens: number; output_tokens: number; cost_micros: number } | null
  extraction?: { data: unknown } | null
}

export interface ChatEndState {
  name: string
  /** A status, or the code of a failure. */
  end: string
  calls: number
  findings: string[]
}

export async function askCase(scene: ChatScene, one: Case): Promise<ChatEndState> {
  const document_id = one.pages ? await addDocument(scene, one) : ''
  const written = JSON.stringify({
    ...one.body,
    model: one.is_spoiled ? SPOILED : WELL,
    cache: 'bypass',
    timeout_seconds: 900,
  })
  const body = written.replaceAll('{document}', document_id)
  const path = `/api/v1${one.path.replace('{document}', document_id)}`
  const findings: string[] = []
  const begun = one.is_streamed ? await stream(scene, path, body, findings) : await post(scene, path, body)
  const outcome = await waitFor(scene, `${path}/${begun.id}`, begun)
  const mismatch = mismatchOf(one.endpoint.answer as object, outcome)
  if (mismatch) findings.push(`is not what the contract says: ${mismatch}`)
  findings.push(...wrongEnd(one, outcome))
  const calls = scene.passage.calls.filter(
    ({ job_id }) => job_id === outcome.job_id || job_id === findUuid('job', outcome.job_id ?? ''),
  )
  if (outcome.job_id) findings.push(...(await wrongBill(scene, outcome, calls)))
  else findings.push('was made without a job')
  const end = outcome.status === 'failed' ? (outcome.error?.code ?? 'failed') : outcome.status
  return { name: one.name, end, calls: calls.length, findings: findings.map((finding) => `${one.name}: ${finding}`) }
}

const callerOf = ({ api, key }: ChatScene) => ({ url: api.url, secret: key.secret })

async function addDocument({ key, api }: ChatScene, { name, pages = [] }: Case): Promise<string> {
  const source = { type: 'pages' as const, pages: pages.map((text) => ({ text })) }
  const { id, status } = await key
    .client(api.url, { timeout_ms: 120_000 })
    .documents.createAndWait({ title: name, source })
  if (status !== 'ready') throw new Error(`the document of '${name}' is ${status}`)
  return id
}

async function post(scene: ChatScene, path: string, body: string): Promise<ChatOutcome> {
  const answer = await call(callerOf(scene), { method: 'POST', path, body, headers: { prefer: 'wait=0' } })
  if (answer.status !== 201 && answer.status !== 202)
    throw new Error(`${path} was answered with ${answer.status}: ${answer.text}`)
  return parse<ChatOutcome>(answer)
}

/** Its pieces must be the beginning of what it says in the end. */
async function stream(scene: ChatScene, path: string, body: string, findings: string[]): Promise<ChatOutcome> {
  const answer = await call(callerOf(scene), { method: 'POST', path, body, headers: { accept: 'text/event-stream' } })
  if (answer.status !== 201) throw new Error(`${path} was answered with ${answer.status}: ${answer.text}`)
  const events = [...answer.text.matchAll(/^event: (\S+)\ndata: (.*)$/gm)].map(([, name, data]) => ({
    name,
    data: JSON.parse(data!) as ChatOutcome & { text: string | null },
  }))
  const [first, last] = [events[0], events.at(-1)]
  if (first?.name !== 'answer.created') findings.push(`its stream begins with ${first?.name}`)
  if (last?.name !== 'answer.completed') findings.push(`its stream ends with ${last?.name}`)
  if (last?.name === 'answer.completed' && !last.data.is_terminal) findings.push('its stream ends before it has ended')
  return last?.data.id ? last.data : first!.data
}

async function waitFor(scene: ChatScene, path: string, begun: ChatOutcome): Promise<ChatOutcome> {
  let seen = begun
  for (const deadline = Date.now() + DEADLINE_MS; !seen.is_terminal && Date.now() < deadline; await sleep(LOOK_MS))
    seen = parse<ChatOutcome>(await call(callerOf(scene), { method: 'GET', path, headers: { prefer: 'wait=20' } }))
  return seen
}

const codes: readonly string[] = jobErrorCodes

function wrongEnd(
  { schema, is_spoiled }: Case,
  { status, is_terminal, error, extraction, usage }: ChatOutcome,
): string[] {
  if (!is_terminal) return [`hangs: it is ${status}`]
  if (is_spoiled) return error?.code === 'model_output_invalid' ? [] : [`was spoiled, and is ${status}: ${error?.code}`]
  if (status === 'failed') {
    // A caller cannot act on internal_error, so it does not count as a named error.
    const is_named = error !== null && codes.includes(error.code) && error.code !== 'internal_error'
    return is_named ? [] : [`failed without a name: ${error?.code}`]
  }
  if (status !== 'succeeded') return [`is ${status}`]
  const findings: string[] = []
  if (!usage || usage.input_tokens <= 0 || usage.output_tokens <= 0) findings.push('succeeded and has used nothing')
  if (schema && !new Ajv2020().validate(schema, extraction?.data))
    findings.push('what was extracted does not satisfy the schema')
  return findings
}

interface ChatBill {
  records: number
  input_tokens: number
  output_tokens: number
}
const BILL = `select count(*)::int as records, coalesce(sum(input_tokens), 0)::int as input_tokens, coalesce(sum(output_tokens), 0)::int as output_tokens
  from usage_records where job_id = $1 and input_tokens + output_tokens > 0`

/** One record for each question, with what all its answers have taken. */
async function wrongBill({ world }: ChatScene, outcome: ChatOutcome, calls: readonly ChatCall[]): Promise<string[]> {
  const bill = await asAdmin(
    world.database.name,
    async (client) => (await client.query<ChatBill>(BILL, [findUuid('job', outcome.job_id!)])).rows[0]!,
  )
  const answered = calls.filter(({ status }) => status === 200)
  const questions = new Set(answered.map(({ step }) => step.replace(/-again$/, ''))).size
  const findings: string[] = []
  if (bill.records !== questions) findings.push(`${bill.records} records in the ledger for ${questions} questions`)
  if (answered.every(({ input_tokens }) => input_tokens !== null)) {
    const sum = (of: 'input_tokens' | 'output_tokens'): number =>
      answered.reduce((total, one) => total + (one[of] ?? 0), 0)
    const [input, output] = [sum('input_tokens'), sum('output_tokens')]
    if (bill.input_tokens !== input || bill.output_tokens !== output)
      findings.push(
        `the ledger says ${bill.input_tokens} and ${bill.output_tokens} tokens, the model ${input} and ${output}`,
      )
  }
  return findings
}
