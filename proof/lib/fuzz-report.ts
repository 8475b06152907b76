// Parses the report of a schemathesis run: every case with its answer and its checks, one scenario per line.

import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface FuzzReportFindings {
  /** Requests that were sent. */
  cases: number
  server_errors: number
  schema: number
  statuses: number
  others: number
  /** Operations that have not answered with 2xx yet. */
  idle: Set<string>
  examples: string[]
}

interface FuzzReportCheck {
  name: string
  status: string
  failure?: { message?: string; title?: string }
}
interface Interaction {
  request: { method: string; uri?: string; headers?: object; body?: object | null }
  response: { status_code: number } | null
}
interface Recorder {
  cases?: Record<string, { value: { method: string; path: string } }>
  interactions?: Record<string, Interaction>
  checks?: Record<string, FuzzReportCheck[]>
}

const MAX_EXAMPLES = 20
const SCHEMA_CHECKS = ['answer_conformance', 'content_type_conformance', 'response_headers_conformance']

export async function readReport(folder: string, found: FuzzReportFindings): Promise<void> {
  const lines = createInterface({
    input: createReadStream(join(folder, 'report.ndjson')),
    crlfDelay: Number.POSITIVE_INFINITY,
  })
  for await (const line of lines) {
    const { ScenarioFinished: scenario } = JSON.parse(line) as {
      ScenarioFinished?: { phase: string; recorder: Recorder }
    }
    if (scenario) addScenario(scenario.phase, scenario.recorder, found)
  }
  // Such as a connection that broke off: no answer, so no check could fail.
  const { errors } = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) as { errors: { title?: string }[] }
  found.others += errors.length
  for (const error of errors) keep(found, `error: ${JSON.stringify(error).slice(0, 500)}`)
}

function addScenario(
  phase: string,
  { cases = {}, interactions = {}, checks = {} }: Recorder,
  found: FuzzReportFindings,
): void {
  for (const [id, { request, response }] of Object.entries(interactions)) {
    found.cases++
    const status = response?.status_code ?? 0
    const { method, path } = cases[id]?.value ?? { method: request.method, path: '?' }
    if (status >= 200 && status < 300) found.idle.delete(`${method} ${path}`)
    if (status >= 500) found.server_errors++
    const failed = (checks[id] ?? []).filter((check) => check.status === 'failure')
    for (const check of failed) {
      count(check.name, found)
      keep(
        found,
        `${phase}, ${method} ${request.uri ?? path} → ${status}: ${check.name}: ${words(check)}, ${sent(request)}`,
      )
    }
  }
}

/** An answer ≥ 500 is counted by its status already. */
function count(check: string, found: FuzzReportFindings): void {
  if (check === 'not_a_server_error') return
  if (check === 'status_code_conformance') found.statuses++
  else if (SCHEMA_CHECKS.includes(check)) found.schema++
  else found.others++
}

const sent = ({ headers, body }: Interaction['request']): string => JSON.stringify({ headers, body }).slice(0, 600)
const words = ({ failure }: FuzzReportCheck): string => JSON.stringify(failure ?? {}).slice(0, 300)

function keep(found: FuzzReportFindings, example: string): void {
  if (found.examples.length < MAX_EXAMPLES) found.examples.push(example)
}
