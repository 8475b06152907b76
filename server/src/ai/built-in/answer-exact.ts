// Candidates that match a question so well that they are answered, though the model is not sure.

import { NUMBERS } from './answer-amounts.ts'
import type { Candidate } from './answer-candidates.ts'
import type { Features } from './answer-features.ts'
import { isLabeledPhone } from './answer-kinds.ts'
import { KIND_LABELS, type Question, stemsOf } from './answer-question.ts'

export const FULL_STOP = /[.!?。！？]["'”’)]?\s*$/

/**
 * The label consists of words of the question and names what is asked, the value is of the right kind, and the
 * document has every name and number of the question: "Invoice number: 17" for "What is the invoice number of Acme?"
 */
export function isExactField(question: Question, one: Candidate, features: Features): boolean {
  if (question.kind === 'phone' && isLabeledPhone(one))
    return features.attribute_here === 1 && features.anchors_missing_around === 0
  const isDate = question.kind === 'date' && question.anchors.length > 0 && features.label_names_kind === 1
  const isNamed = question.attributes.length > 0 || question.counted !== null || isDate
  const isPhrase = features.label_has_attribute > 0 && stemsOf(one.label, question.language).length > 1
  return (
    one.kind !== 'sentence' &&
    isNamed &&
    features.kind_fits === 1 &&
    features.label_asked === 1 &&
    (features.label_has_attribute >= 0.5 || isPhrase) &&
    features.anchors_missing_around === 0 &&
    features.attribute_missing < 0.5
  )
}

/**
 * The label is the phrase that the question asks for, and the document has all other words of the question:
 * "Payment terms: Net 45" for "What are the payment terms of the purchase order?"
 */
export const isAskedLabel = (one: Candidate, features: Features): boolean =>
  one.kind !== 'sentence' &&
  features.label_is_asked === 1 &&
  features.kind_lacks === 0 &&
  features.anchors_missing_around === 0 &&
  features.attribute_missing === 0

const MIN_EXACT_WORDS = 3

/** A sentence with everything that is asked about the names, on a page that has the names: "This lease is governed by …" */
export const isExactSentence = (question: Question, one: Candidate, features: Features): boolean =>
  one.kind === 'sentence' &&
  question.attributes.length >= MIN_EXACT_WORDS &&
  features.attribute_itself === 1 &&
  features.kind_lacks === 0 &&
  features.anchors_missing_around === 0 &&
  FULL_STOP.test(one.text)

const NEAR = 0.37

/**
 * A sentence near in meaning with half of what is asked, in a document that has every word of the question. A year or a
 * number of the question must be near it.
 */
export const isNearSentence = ({ attributes, anchors }: Question, one: Candidate, features: Features): boolean =>
  one.kind === 'sentence' &&
  attributes.length > 0 &&
  features.similarity >= NEAR &&
  features.attribute_here >= 0.5 &&
  features.attribute_missing === 0 &&
  features.anchors_missing_around === 0 &&
  (features.anchors_missing_here < 1 || !anchors.some((name) => /\d/.test(name)))

const MOST_OF_IT = 0.66

/** The head of the column and the name of the row together name nearly everything that is asked. */
export const isExactCell = (one: Candidate, features: Features): boolean =>
  one.kind === 'cell' &&
  features.kind_lacks === 0 &&
  features.anchors_missing_here === 0 &&
  (isCrossing(one, features) ||
    (features.head_asked > 0 && features.row_asked >= MOST_OF_IT && features.covered_by_itself >= MOST_OF_IT))

/**
 * The question has every word of the cell's row and column: "Julia" and "Time" for "the run time of Julia". The head of a
 * person's column may have a word more: "Winning driver" for "Who won?"
 */
export const isCrossing = (one: Candidate, features: Features): boolean =>
  one.kind === 'cell' &&
  one.head !== one.row &&
  (features.head_asked === 1 || (features.head_asked >= 0.5 && features.is_person === 1)) &&
  features.row_asked === 1 &&
  features.anchors_missing_here === 0

/** "Project QD-3: 35%" below "Cost allocation": the label has every name of the question, and the page has the rest. */
export const isNamedField = (question: Question, one: Candidate, features: Features): boolean =>
  one.kind === 'field' &&
  (one.near.match(NUMBERS) ?? []).length < 2 &&
  question.anchors.length > 0 &&
  features.label_asked >= MOST_OF_IT &&
  features.label_names_missing === 0 &&
  features.kind_fits === 1 &&
  features.attribute_missing === 0

/** "TIME: 3:30pm" for "At what time does the board of Acme meet?", in a document that has the names and most words. */
export const isKindField = ({ kind, anchors, language }: Question, one: Candidate, features: Features): boolean =>
  (kind === 'time' || kind === 'place') &&
  one.kind !== 'sentence' &&
  features.kind_fits === 1 &&
  anchors.length > 0 &&
  features.anchors_missing_around === 0 &&
  features.attribute_missing < 0.5 &&
  features.label_names_kind === 1 &&
  stemsOf(one.label, language).every((stem) => KIND_LABELS[kind]?.has(stem))

const MAX_ROLE_LINE = 80
const MAX_NAME_WORDS = 4

/** "Ann Lee, Chief Executive Officer" for "Who is the chief executive officer of Acme?" */
export const isRoleLine = ({ role }: Question, { text }: Candidate, features: Features): boolean =>
  role.length > 0 &&
  text.length <= MAX_ROLE_LINE &&
  !/[.!?。！？:：]\s*$/.test(text) &&
  (text.match(/\p{L}{2,}/gu) ?? []).length - role.length <= MAX_NAME_WORDS &&
  features.role_missing === 0 &&
  features.kind_fits === 1 &&
  features.anchors_missing_around === 0
