// Features that need no generative model. Pages are processed in groups, each with a checkpoint, so that memory use and
// the work repeated after a restart do not grow with the document.

import { createHash } from 'node:crypto'
import { firstOf } from '@octavo/base/required.ts'
import type { AnalysisFeature, AnalysisResult, EntityType } from '@octavo/contract'
import type { Needs } from '../../app.ts'
import { JobFailure } from '../../jobs/types.ts'
import type { Source } from '../../outcomes/outcomes.citations.ts'
import type { OutcomeWork } from '../../outcomes/outcomes.run.ts'
import { listHashes } from '../pages/pages.service.ts'
import {
  type Findings,
  keyPhrasesOf,
  languageOf,
  MAX_TYPED,
  sentimentOf,
  statisticsOf,
  topicsOf,
  typedOf,
} from './analysis.findings.rules.ts'
import { findInGroup, hasEmbedders } from './analysis.recognize.ts'
import { type Slice, slicesOf } from './analysis.slices.rules.ts'

type AnalysisFeaturesNeeds = Needs<'db' | 'models'>
const GROUP_PAGES = 50
const GROUP_CHARACTERS = 250_000

interface FeatureGroup {
  slices: Slice<Source>[]
  /** That end in it. */
  pages: number
}

export async function findFeatures(
  work: OutcomeWork<'analysis', AnalysisFeaturesNeeds>,
  features: readonly AnalysisFeature[],
): Promise<{ result: Partial<AnalysisResult>; method: string }> {
  const total = await countPages(work)
  const { entity_types } = work.parameters as { entity_types?: readonly EntityType[] }
  const groups: Findings[] = []
  let completed = 0
  for await (const group of groupsOf(work.sources())) {
    work.run.progress({ unit: 'pages', completed, failed: 0, total }, 'analysing')
    // Pages may be corrected between two runs: what was found in the text before is of no use then.
    const name = `features ${groups.length + 1} ${hashOf(group)}`
    groups.push(await work.run.step(name, (signal) => findInGroup(work.app, group, { features, entity_types, signal })))
    completed += group.pages
  }
  work.run.progress({ unit: 'pages', completed, failed: 0, total }, 'analysing')
  if (groups.every(({ characters }) => characters === 0))
    throw new JobFailure('document_empty', 'The document has no text. Check the status of its pages.')
  const has = hasEmbedders(work.app)
  work.warnings.push(...warningsOf(groups, features, has))
  const usesVectors =
    (features.includes('sentiment') && has.labels) ||
    (has.search && features.some((one) => one === 'key_phrases' || one === 'topics'))
  return { result: resultOf(groups, features, work.warnings), method: usesVectors ? 'embedding' : 'rules' }
}

async function countPages({
  run,
  document_ids,
  parameters,
}: OutcomeWork<'analysis', AnalysisFeaturesNeeds>): Promise<number> {
  const { range } = parameters as { range: { first: number; last: number } }
  return (await listHashes(run.db, firstOf(document_ids), range)).length
}

async function* groupsOf(sources: AsyncIterable<Source>): AsyncGenerator<FeatureGroup> {
  let group: FeatureGroup = { slices: [], pages: 0 }
  let characters = 0
  for await (const source of sources) {
    const slices = slicesOf(source)
    for (const slice of slices) {
      if (
        group.slices.length > 0 &&
        (characters + slice.text.length > GROUP_CHARACTERS || group.pages === GROUP_PAGES)
      ) {
        yield group
        group = { slices: [], pages: 0 }
        characters = 0
      }
      group.slices.push(slice)
      characters += slice.text.length
      if (slice === slices.at(-1)) group.pages++
    }
  }
  if (group.slices.length > 0) yield group
}

function hashOf({ slices }: FeatureGroup): string {
  const hash = createHash('sha256')
  for (const { source, start } of slices) hash.update(`${source.sha256} ${start}\n`)
  return hash.digest('base64url').slice(0, 16)
}

function resultOf(
  groups: readonly Findings[],
  features: readonly AnalysisFeature[],
  warnings: string[],
): Partial<AnalysisResult> {
  const typed = (feature: 'entities' | 'pii'): never => {
    const { items, is_cut } = typedOf(groups, feature)
    if (is_cut)
      warnings.push(`Only ${MAX_TYPED[feature]} of the ${feature === 'pii' ? 'personal data' : 'entities'} are listed.`)
    return items as never
  }
  const results: Record<Exclude<AnalysisFeature, 'extraction'>, () => unknown> = {
    language: () => languageOf(groups),
    statistics: () => statisticsOf(groups),
    key_phrases: () => keyPhrasesOf(groups),
    entities: () => typed('entities'),
    pii: () => typed('pii'),
    sentiment: () => sentimentOf(groups),
    topics: () => (groups.some(({ topics }) => topics !== null) ? topicsOf(groups) : null),
  }
  return Object.fromEntries(features.map((feature) => [feature, results[feature as keyof typeof results]()]))
}

function warningsOf(
  groups: readonly Findings[],
  features: readonly AnalysisFeature[],
  has: ReturnType<typeof hasEmbedders>,
): string[] {
  const others = groups.reduce((count, { other_pages }) => count + other_pages, 0)
  const pages = `${others} ${others === 1 ? 'page is' : 'pages are'} not in English`
  const warnings: string[] = []
  if (others > 0 && features.includes('entities')) warnings.push(`${pages} and were not searched for entities.`)
  if (others > 0 && features.includes('sentiment')) warnings.push(`${pages} and do not count for the sentiment.`)
  if (others > 0 && features.includes('topics') && has.search)
    warnings.push(`${pages} and make the topics less reliable.`)
  if (features.includes('sentiment') && !has.labels) warnings.push('The weights for sentiment are not installed.')
  if (features.includes('topics') && !has.search) warnings.push('The weights for topics are not installed.')
  return warnings
}
