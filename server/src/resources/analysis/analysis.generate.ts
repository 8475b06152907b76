// Creates an analysis: runs the built-in features, and has a generative model extract values by a schema.

import { firstOf } from '@octavo/base/required.ts'
import type { Needs } from '../../app.ts'
import type { GeneratedResult, OutcomeWork } from '../../outcomes/outcomes.run.ts'
import { readDocument } from '../documents/documents.service.ts'
import { extract } from './analysis.extract.ts'
import { findFeatures } from './analysis.features.ts'
import { NOTHING_FOUND } from './analysis.findings.rules.ts'

type AnalysisGenerateNeeds = Needs<'db' | 'models'>

export async function makeAnalysis(
  work: OutcomeWork<'analysis', AnalysisGenerateNeeds>,
): Promise<GeneratedResult<'analysis'>> {
  await tellUnread(work)
  const features = work.request.features
  const recognised = features.filter((feature) => feature !== 'extraction')
  const found = recognised.length > 0 ? await findFeatures(work, recognised) : null
  if (!features.includes('extraction'))
    return { result: { ...NOTHING_FOUND, ...found?.result }, method: found?.method ?? 'rules' }
  // The same pages are read once more; they count once.
  work.pages = 0
  return { result: { ...NOTHING_FOUND, ...found?.result, extraction: await extract(work) }, method: 'generative' }
}

async function tellUnread({
  run,
  document_ids,
  warnings,
}: OutcomeWork<'analysis', AnalysisGenerateNeeds>): Promise<void> {
  const { pages_failed } = await readDocument(run.db, firstOf(document_ids))
  if (pages_failed > 0)
    warnings.push(`${pages_failed} ${pages_failed === 1 ? 'page' : 'pages'} of the document could not be read.`)
}
