// Evidence for a candidate, as numbers: which words, names and numbers of the question it covers, whether it contains
// the kind of value that is asked for, and how near it is in meaning.

import type { Candidate, Passage } from './answer-candidates.ts'
import { holdsKind } from './answer-kinds.ts'
import { KIND_LABELS, type Question, stemOf, stemsOf } from './answer-question.ts'

export const FEATURES = [
  'covered_by_itself',
  'covered_with_neighbor',
  'covered_by_passage',
  'rarest_missing',
  'anchors_missing_here',
  'anchors_missing_around',
  'kind_fits',
  'kind_lacks',
  'is_yes_no',
  'pairs_covered',
  'similarity',
  'similarity_english',
  'similarity_below_best',
  'coverage_below_best',
  'is_value',
  'label_asked',
  'label_covers',
  'label_has_attribute',
  'row_has_attribute',
  'label_names_kind',
  'value_anchors_missing',
  'attribute_missing',
  'counted_missing',
  'novel',
  'rank',
  'length',
  'is_question',
  'is_fragment',
] as const
type Feature = (typeof FEATURES)[number]
export type Features = Record<Feature, number>

const MAX_PAIR_DISTANCE = 2
const MAX_PAGE = 8_000

interface Weighing {
  question: Question
  weightOf: (term: string) => number
  total: number
  /** The weight of a term that no candidate has. */
  rarest: number
  pairs: string[]
}

/** `similarities`: of each candidate with the question; null without an embedder. */
export function featuresOf(
  question: Question,
  candidates: readonly Candidate[],
  { passages, similarities }: { passages: readonly Passage[]; similarities: readonly number[] | null },
): Features[] {
  const own = candidates.map((one) => stemsOf(`${one.label} ${one.text}`, languageOf(passages, one)))
  const weighing = weighingOf(question, own)
  const around = surroundingsOf(passages)
  const features = candidates.map((one, i) =>
    featuresOfOne(weighing, one, {
      stems: own[i]!,
      around: around[one.passage]!,
      language: languageOf(passages, one),
      similarity: similarities?.[i] ?? 0,
    }),
  )
  const best = (of: Feature): number => features.reduce((most, one) => Math.max(most, one[of]), 0)
  const [nearest, widest] = [best('similarity'), best('covered_with_neighbor')]
  for (const one of features) {
    one.similarity_below_best = nearest - one.similarity
    one.coverage_below_best = widest - one.covered_with_neighbor
  }
  return features
}

/** Stems of the page, its title and headings, and of the other passages of its document. */
function surroundingsOf(passages: readonly Passage[]): ReadonlySet<string>[] {
  const stems = new Map<string, string[]>()
  const read = (text: string, language: string | null): string[] =>
    stems.getOrInsertComputed(text, () => stemsOf(text, language))
  const documents = new Map<string, Set<string>>()
  for (const { text, title, headings, document, page } of passages) {
    const own = documents.getOrInsertComputed(document, () => new Set<string>())
    for (const part of [text, page.text.slice(0, MAX_PAGE), title, ...headings])
      for (const stem of read(part, page.language)) own.add(stem)
  }
  return passages.map(({ document }) => documents.get(document)!)
}

const languageOf = (passages: readonly Passage[], { passage }: Candidate): string | null =>
  passages[passage]!.page.language

function weighingOf(question: Question, own: readonly string[][]): Weighing {
  const sets = own.map((stems) => new Set(stems))
  const weights = new Map(
    question.terms.map((term) => [
      term,
      Math.log(1 + sets.length / (sets.filter((stems) => stems.has(term)).length + 0.5)),
    ]),
  )
  const weightOf = (term: string): number => weights.get(term) ?? 0
  const pairs = question.terms.slice(1).map((term, i) => `${question.terms[i]} ${term}`)
  return {
    question,
    weightOf,
    pairs,
    rarest: Math.log(1 + 2 * sets.length),
    total: Math.max(
      1e-9,
      question.terms.reduce((sum, term) => sum + weightOf(term), 0),
    ),
  }
}

const has = (set: ReadonlySet<string>) => (term: string) => set.has(term)

function featuresOfOne(
  { question, weightOf, total, rarest, pairs }: Weighing,
  one: Candidate,
  {
    stems,
    around,
    language,
    similarity,
  }: { stems: readonly string[]; around: ReadonlySet<string>; language: string | null; similarity: number },
): Features {
  const itself = new Set(stems)
  const withNear = new Set([...stems, ...stemsOf(one.near, language)])
  const share = (isCovered: (term: string) => boolean): number =>
    question.terms.reduce((sum, term) => sum + (isCovered(term) ? weightOf(term) : 0), 0) / total
  const isAround = (term: string): boolean => around.has(term) || withNear.has(term)
  const missing = question.terms.filter((term) => !isAround(term))
  const asked = new Set(question.terms)
  const label = [...new Set(stemsOf(one.label, language))]
  const lacking = (isThere: (term: string) => boolean): number =>
    question.anchors.length === 0
      ? 0
      : question.anchors.filter((term) => !isThere(term)).length / question.anchors.length
  const fits = question.kind
    ? holdsKind(one.text, question.kind, {
        isAsked: (word) => asked.has(stemOf(word)),
        isValue: one.kind !== 'sentence',
      })
    : null
  const isValue = one.kind !== 'sentence'
  const attributesIn = (isThere: (term: string) => boolean): number =>
    question.attributes.length === 0 ? 1 : question.attributes.filter(isThere).length / question.attributes.length
  const words = one.text.trim().split(/\s+/).length
  return {
    covered_by_itself: share(has(itself)),
    covered_with_neighbor: share(has(withNear)),
    covered_by_passage: share(isAround),
    rarest_missing: missing.reduce((most, term) => Math.max(most, weightOf(term)), 0) / rarest,
    anchors_missing_here: lacking(has(withNear)),
    anchors_missing_around: lacking(isAround),
    kind_fits: fits === true ? 1 : 0,
    kind_lacks: fits === false ? 1 : 0,
    is_yes_no: question.kind === 'yes_no' ? 1 : 0,
    pairs_covered: pairs.length === 0 ? 0 : pairs.filter((pair) => nearTogether(pair, stems)).length / pairs.length,
    similarity,
    similarity_english: language?.startsWith('en') ? similarity : 0,
    similarity_below_best: 0,
    coverage_below_best: 0,
    is_value: one.kind === 'sentence' ? 0 : 1,
    label_asked: label.length === 0 ? 0 : label.filter(has(asked)).length / label.length,
    label_covers: label.length === 0 ? 0 : share(has(new Set(label))),
    label_has_attribute: isValue ? attributesIn(has(new Set(label))) : 0,
    row_has_attribute: isValue ? attributesIn(has(withNear)) : 0,
    label_names_kind: isValue && question.kind && label.some((stem) => KIND_LABELS[question.kind!]?.has(stem)) ? 1 : 0,
    value_anchors_missing: isValue ? lacking(isAround) : 0,
    attribute_missing: 1 - attributesIn(isAround),
    counted_missing: question.counted !== null && !withNear.has(question.counted) ? 1 : 0,
    novel: stems.length === 0 ? 0 : Math.min(1, [...itself].filter((stem) => !asked.has(stem)).length / 4),
    rank: 1 / (1 + one.passage),
    length: Math.log(1 + one.text.length) / 6,
    is_question: /[?？]\s*$/.test(one.text) ? 1 : 0,
    is_fragment: one.kind === 'sentence' && words < 5 ? 1 : 0,
  }
}

function nearTogether(pair: string, stems: readonly string[]): boolean {
  const [first, second] = pair.split(' ') as [string, string]
  return stems.some((stem, i) => stem === first && stems.slice(i + 1, i + 1 + MAX_PAIR_DISTANCE).includes(second))
}

const MAX_ANCHORS_MISSING = 0.34
/** A label that shares this little with the question is about something else. */
const MIN_LABEL = 0.2
const MIN_COVERED = 0.2
/** "How many Stanley Cups have the Maple Leafs won?": so many names make up for the verb. */
const MIN_ANCHORS_FOR_ONE = 3

/** Evidence that can be named: the question's names and numbers are there, the kind of value fits, and it is no heading. */
export function isEvidence(question: Question, one: Candidate, features: Features): boolean {
  if (PLACEHOLDER.test(one.text) || (question.kind === null && EXCLAMATION.test(one.text))) return false
  if (features.novel === 0 && question.kind !== 'yes_no') return false
  if (features.kind_lacks === 1 && question.kind !== 'reason') return false
  if (features.anchors_missing_around > MAX_ANCHORS_MISSING || features.is_question === 1) return false
  const isExactLabel = features.label_asked === 1 && features.label_has_attribute >= 0.5
  const isOneWord = question.attributes.length === 1 && question.anchors.length >= MIN_ANCHORS_FOR_ONE
  if (features.attribute_missing >= 0.5 && !isExactLabel && !isOneWord) return false
  if (features.counted_missing === 1) return false
  if (question.is_double && (one.kind !== 'sentence' || !FULL_STOP.test(one.text))) return false
  if (one.kind === 'sentence') return features.covered_with_neighbor >= MIN_COVERED && !isHeadingLike(one.text)
  if (isAmount(question) && (one.text.match(NUMBERS) ?? []).length > 1) return false
  return features.label_covers >= MIN_LABEL || features.row_has_attribute >= 0.5
}

/**
 * The label consists of words of the question and names what is asked, the value is of the right kind, and the
 * document has every name and number of the question: "Invoice number: 17" for "What is the invoice number of Acme?"
 */
export function isExactField(question: Question, one: Candidate, features: Features): boolean {
  const isNamed = question.attributes.length > 0 || question.counted !== null
  return (
    one.kind !== 'sentence' &&
    isNamed &&
    features.kind_fits === 1 &&
    features.label_asked === 1 &&
    features.label_has_attribute >= 0.5 &&
    features.anchors_missing_around === 0 &&
    features.attribute_missing < 0.5
  )
}

/** A field that was not filled in. */
const PLACEHOLDER = /^\s*(?:[xX]{2,}|n\/?a|t\.?b\.?[ad]\.?|none|null|unknown|[-–—_.*?/\s]+)\s*$/iu
/** "Welcome to our family day!" says nothing that a question without a kind could ask for. */
const EXCLAMATION = /!["'”’)]?\s*$/
const FULL_STOP = /[.!?。！？]["'”’)]?\s*$/
const NUMBERS = /(?<![\d.,'’])\d[\d.,'’]*(?: \d{3}(?!\d))*/g
/** A cell with two numbers does not say which of them is meant. */
const isAmount = ({ kind }: Question): boolean => kind === 'number' || kind === 'money' || kind === 'percent'

/** A few words without a digit that are no sentence: without a full stop, or in capitals. */
function isHeadingLike(text: string): boolean {
  const line = text.trim()
  if (/\d/.test(line) || line.length >= 50 || line.split(/\s+/).length >= 6) return false
  return !/[.!?。！？:;]["'”’)]?$/.test(line) || line === line.toUpperCase()
}
