// The job of an answer: a generative model writes it. If the default model is unavailable, the built-in engine answers.

import type { ResultOf } from '@octavo/contract'
import type { Needs } from '../../app.ts'
import { JobFailure, Postponed } from '../../jobs/types.ts'
import type { GeneratedResult, OutcomeWork } from '../../outcomes/outcomes.run.ts'
import { listOpen } from '../searches/searches.privacy.ts'
import { extractAnswer } from './answers.extract.ts'
import { type Found, findPassages, resultOf, writeAnswer } from './answers.generate.ts'

type App = Needs<'db' | 'models' | 'config'>

export async function makeAnswer(work: OutcomeWork<'answer', App>): Promise<GeneratedResult<'answer'>> {
  const { language, filters, document_ids } = work.request
  const question = work.request.standalone_question ?? work.request.question
  const scope = {
    project_id: work.project_id,
    document_ids: document_ids.length > 0 ? document_ids : undefined,
    filters: filters ?? undefined,
  }
  const all = await findPassages(work.app, work.run.db, { ...scope, question, signal: work.run.signal })
  const found = await withoutPrivate(work, all)
  try {
    const result =
      found.hits.length === 0 ? resultOf(false, [], []) : await writeAnswer(work, found, { question, language })
    work.warnings.push(...found.warnings)
    return { ...answered(found, result), method: 'generative' }
  } catch (error) {
    const reason = fallbackReason(error)
    if (reason === null || work.parameters.may_fall_back !== true) throw error
    work.warnings.push(`The model '${work.model.id}' ${reason}, so the built-in engine answered.`)
    const result = await extractAnswer(work.app, all, { question, cite: work.cite, signal: work.run.signal })
    work.warnings.push(...all.warnings)
    return { ...answered(all, result), method: 'extractive', model: work.app.models.built_in_text }
  }
}

const answered = (found: Found, result: ResultOf<'answer'>) => ({
  result,
  spendings: found.spendings,
  found_ids: [...new Set(found.hits.map(({ document_id }) => document_id))],
})

const REASONS: Partial<Record<JobFailure['code'], string>> = {
  model_unavailable: 'is not available',
  model_timeout: 'did not respond in time',
  budget_exceeded: "would exceed the tenant's daily budget",
}

/** Null if the error says something about the question or the answer instead of the model's availability. */
function fallbackReason(error: unknown): string | null {
  if (error instanceof Postponed && error.waiting_for === 'provider_throttled') return 'is throttled by its provider'
  return error instanceof JobFailure ? (REASONS[error.code] ?? null) : null
}

/** A question over many projects finds passages of all; a remote model is shown only those that may leave. */
async function withoutPrivate(work: OutcomeWork<'answer', App>, found: Found): Promise<Found> {
  if (work.model.locality === 'local') return found
  const open = await listOpen(
    work.run.db,
    found.hits.map(({ document_id }) => document_id),
  )
  const kept = found.hits.map(({ document_id }) => open.has(document_id))
  const count = kept.filter((isKept) => !isKept).length
  if (count === 0) return found
  const warning = `${count} passages were skipped because the text of their project may not leave the installation.`
  return {
    ...found,
    hits: found.hits.filter((_, i) => kept[i]),
    sources: found.sources.filter((_, i) => kept[i]),
    warnings: [...found.warnings, warning],
  }
}
