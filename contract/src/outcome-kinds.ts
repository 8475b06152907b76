// Types of each kind of outcome: the whole resource, the members that repeat its request, and the members of its result.

import type { Analysis } from './analysis.ts'
import type { Answer } from './answers.ts'
import type { Classification } from './classifications.ts'
import type { Embedding } from './embeddings.ts'
import type { OutcomeMember } from './outcome.ts'
import type { Report } from './reports.ts'
import type { Search } from './searches.ts'
import type { Summary } from './summaries.ts'

interface Outcomes {
  analysis: Analysis
  summary: Summary
  classification: Classification
  embedding: Embedding
  search: Search
  answer: Answer
  report: Report
}
export type OutcomeObject = keyof Outcomes

interface RequestMembers {
  analysis: 'features' | 'page_range'
  summary: 'document_ids' | 'style' | 'length' | 'language' | 'focus'
  classification: 'labels' | 'multi_label' | 'threshold'
  embedding: 'encoding_format'
  search:
    | 'query'
    | 'mode'
    | 'document_ids'
    | 'filters'
    | 'rerank'
    | 'limit'
    | 'min_score'
    | 'max_per_document'
    | 'neighbors'
  answer: 'question' | 'document_ids' | 'filters' | 'language' | 'previous_answer_id' | 'standalone_question'
  report: 'title' | 'type' | 'format' | 'filters'
}
type Requests = { [K in OutcomeObject]: Pick<Outcomes[K], RequestMembers[K] & keyof Outcomes[K]> }
type Results = { [K in OutcomeObject]: Omit<Outcomes[K], OutcomeMember | RequestMembers[K]> }

export type OutcomeOf<K extends OutcomeObject> = Outcomes[K]
export type RequestOf<K extends OutcomeObject> = Requests[K]
export type ResultOf<K extends OutcomeObject> = Results[K]
