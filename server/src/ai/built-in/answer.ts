// A question and passages → the sentence, field or table cell that answers it, or none. Octavo answers only with evidence
// that it can name (isEvidence); a model decides among the rest and says how likely the answer is right.

import { type Candidate, candidatesOf, type Passage } from './answer-candidates.ts'
import { isAskedInstitution } from './answer-contacts.ts'
import { splitQuestion } from './answer-double.ts'
import { isEvidence } from './answer-evidence.ts'
import {
  isAskedLabel,
  isExactCell,
  isExactField,
  isExactSentence,
  isKindField,
  isNamedField,
  isNearSentence,
  isRoleLine,
} from './answer-exact.ts'
import { type Features, featuresOf } from './answer-features.ts'
import { ANSWERED, type AnswerWeights, confidenceOf, rankCandidates, weightsFor } from './answer-model.ts'
import { type Question, readQuestion, stemsOf } from './answer-question.ts'
import { shorten } from './answer-shorten.ts'
import { type Embed, similarity } from './vectors.ts'

export interface ExtractedAnswer {
  is_answered: boolean
  /** The best candidate, also if its confidence is too low for an answer. */
  best: Candidate | null
  /** The answer to the second part of a question for two things. */
  second: Candidate | null
  confidence: number
}

export interface AnswerOptions {
  language: string | null
  /** The embedder that the weights were trained with; null: words decide. */
  embed: Embed | null
}

const MAX_EMBEDDED = 128
/** Least confidence in a field whose label is exactly what was asked. */
const EXACT_CONFIDENCE = 0.3
/** Least confidence in each of two answers: both must be right. */
const BOTH_ANSWERED = 0.6
const NO_ANSWER: ExtractedAnswer = { is_answered: false, best: null, second: null, confidence: 0 }

/** `passages` as a search found them, best first. */
export async function answerFrom(
  text: string,
  passages: readonly Passage[],
  options: AnswerOptions,
): Promise<ExtractedAnswer> {
  const parts = splitQuestion(text)
  return (parts && (await answerBoth(parts, passages, options))) ?? (await answerOne(text, passages, options))
}

/** null unless one document answers both parts. */
async function answerBoth(
  [first, second]: readonly [string, string],
  passages: readonly Passage[],
  options: AnswerOptions,
): Promise<ExtractedAnswer | null> {
  const one = await answerOne(first, passages, options)
  if (!one.best || one.confidence < BOTH_ANSWERED) return null
  const other = await answerOne(second, passages, options)
  if (!other.best || other.confidence < BOTH_ANSWERED || other.best.text === one.best.text) return null
  if (passages[one.best.passage]?.document !== passages[other.best.passage]?.document) return null
  return { ...one, second: other.best, confidence: Math.min(one.confidence, other.confidence) }
}

async function answerOne(
  text: string,
  passages: readonly Passage[],
  { language, embed }: AnswerOptions,
): Promise<ExtractedAnswer> {
  const question = readQuestion(text, language)
  const candidates = candidatesOf(passages)
  const similarities = embed && (await similaritiesOf(text, candidates, embed))
  const all = featuresOf(question, candidates, { passages, similarities })
  const evidence: Evidence[] = []
  for (const [i, candidate] of candidates.entries()) {
    const features = all[i]
    if (features && isEvidence(question, candidate, features)) evidence.push({ candidate, features })
  }
  const chosen = chooseAnswer(question, evidence, weightsFor(embed !== null))
  if (!chosen) return NO_ANSWER
  const { candidate, confidence } = chosen
  return { is_answered: confidence >= ANSWERED, best: shorten(candidate, question), second: null, confidence }
}

/** The best candidate and how likely it is right. Null without evidence. */
export function chooseAnswer(
  question: Question,
  evidence: readonly Evidence[],
  weights: AnswerWeights,
): { candidate: Candidate; confidence: number } | null {
  const kept = preferExact(question, evidence)
  const ranking = rankCandidates(
    kept.map(({ candidate }) => candidate),
    kept.map(({ features }) => features),
    weights,
  )
  const best = kept[ranking.order[0] ?? -1]
  if (!best) return null
  const { candidate, features } = best
  const estimate = confidenceOf(features, ranking, weights)
  const isAmbiguous = kept.some(
    ({ candidate: other }) => other.label === candidate.label && other.text !== candidate.text,
  )
  const isExact =
    isRoleLine(question, candidate, features) ||
    isNearSentence(question, candidate, features) ||
    ((isExactField(question, candidate, features) ||
      isExactCell(candidate, features) ||
      isAskedInstitution(question, candidate, features) ||
      isNamedField(question, candidate, features) ||
      isKindField(question, candidate, features) ||
      isAskedLabel(candidate, features)) &&
      !isAmbiguous) ||
    (isExactSentence(question, candidate, features) &&
      kept.filter((one) => isExactSentence(question, one.candidate, one.features)).length === 1)
  return { candidate, confidence: isExact ? Math.max(estimate, EXACT_CONFIDENCE) : estimate }
}

export interface Evidence {
  candidate: Candidate
  features: Features
}

/**
 * "Rate: 150" leaves no room for "Shows: 24" if the question is about a rate. A cell whose row and column are asked for
 * leaves none for a sentence that lacks a name of the question.
 */
function preferExact(question: Question, found: readonly Evidence[]): Evidence[] {
  const evidence = preferTopic(question, found)
  const exact = evidence.filter(({ candidate, features }) => isExactField(question, candidate, features))
  const least = Math.max(0, ...exact.map(({ features }) => features.label_has_attribute))
  const roles = evidence.filter(({ candidate, features }) => isRoleLine(question, candidate, features))
  if (roles.length > 0 && exact.length === 0) return roles
  const kinds = evidence.filter(({ candidate, features }) => isKindField(question, candidate, features))
  if (kinds.length > 0 && exact.length === 0) return kinds
  const hasCell = evidence.some(({ candidate, features }) => isExactCell(candidate, features))
  return evidence.filter(({ candidate, features }) =>
    candidate.kind === 'sentence'
      ? (features.attribute_here > least || features.attribute_here === 1 || least === 0) &&
        !(hasCell && features.anchors_missing_here > 0)
      : features.label_has_attribute >= least,
  )
}

/**
 * "The total of the purchase order" is in a document whose title or first lines have "purchase order". A label that is
 * the asked phrase leaves no room for "Order: 12".
 */
function preferTopic(question: Question, evidence: readonly Evidence[]): readonly Evidence[] {
  const isAsked = ({ candidate, features }: Evidence): boolean => isAskedLabel(candidate, features)
  const isOnTopic = (one: Evidence): boolean => isAsked(one) && one.features.topic_missing === 0
  const isChosen = evidence.some(isOnTopic) ? isOnTopic : isAsked
  const chosen = evidence.filter(isChosen)
  const most = Math.max(...chosen.map(({ features }) => features.label_has_attribute))
  const isBetter = ({ candidate, features }: Evidence): boolean =>
    features.label_has_attribute > most || isNearAsked(question, candidate)
  return chosen.length > 0 ? evidence.filter((one) => isChosen(one) || (!isAsked(one) && isBetter(one))) : evidence
}

const isNearAsked = ({ asked, language }: Question, { kind, label }: Candidate): boolean =>
  kind === 'sentence' || stemsOf(label, language).some((stem) => asked.includes(stem))

/** Applies to sentences; values are compared by their labels. */
export async function similaritiesOf(
  question: string,
  candidates: readonly Candidate[],
  embed: Embed,
): Promise<number[]> {
  const sentences = candidates.filter(({ kind }) => kind === 'sentence').slice(0, MAX_EMBEDDED)
  if (sentences.length === 0) return candidates.map(() => 0)
  const [query] = await embed([question], 'query')
  const vectors = await embed(
    sentences.map(({ text }) => text),
    'passage',
  )
  const known = new Map(sentences.map((one, i) => [one, similarity(query!, vectors[i]!)]))
  return candidates.map((one) => known.get(one) ?? 0)
}
