// Evidence for a candidate, as numbers: which words, names and numbers of the question it covers, whether it contains
// the kind of value that is asked for, and how near it is in meaning.

import type { Candidate, Passage } from './answer-candidates.ts'
import { holdsKind, isLabeledPhone } from './answer-kinds.ts'
import { KIND_LABELS, type Question, stemsOf } from './answer-question.ts'
import { aliasesOf, stemOf } from './answer-stems.ts'
import { surroundingsOf, type Weighing, weighingOf } from './answer-weights.ts'

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
  'attribute_here',
  'attribute_above',
  'head_asked',
  'row_asked',
  'is_beside_head',
  'counted_missing',
  'novel',
  'rank',
  'length',
  'is_question',
  'is_fragment',
] as const
type Feature = (typeof FEATURES)[number]
/** Rules use these; the model does not. `is_rival`: a name or number of the question is in another row of the table. */
type Flag =
  | 'code_missing'
  | 'label_is_asked'
  | 'is_rival'
  | 'rarest_elsewhere'
  | 'qualifier_missing'
  | 'label_names_missing'
  | 'role_missing'
  | 'role_absent'
  | 'asked_missing'
  | 'subject_missing'
  | 'is_named_email'
  | 'is_person'
  | 'attribute_itself'
  | 'noun_missing'
  | 'topic_missing'
  | 'anchors_missing_above'
export type Features = Record<Feature | Flag, number>

const MAX_PAIR_DISTANCE = 2
const TOPIC_CHARACTERS = 400

/** `similarities`: of each candidate with the question; null without an embedder. */
export function featuresOf(
  question: Question,
  candidates: readonly Candidate[],
  { passages, similarities }: { passages: readonly Passage[]; similarities: readonly number[] | null },
): Features[] {
  const own = candidates.map((one) => [
    ...stemsOf(`${one.label} ${one.text}`, languageOf(passages, one)),
    ...aliasesOf(one.label),
  ])
  const weighing = weighingOf(question, own)
  const around = surroundingsOf(passages)
  const above = passages.map(
    ({ title, headings, page }) => new Set(stemsOf([title, ...headings].join(' '), page.language)),
  )
  const topics = passages.map(({ page }) => new Set(stemsOf(page.text.slice(0, TOPIC_CHARACTERS), page.language)))
  const subjects = subjectsOf(passages, above, topics)
  const features = candidates.map((one, i) =>
    featuresOfOne(weighing, one, {
      stems: own[i]!,
      around: around[one.passage]!,
      above: above[one.passage]!,
      topic: topics[one.passage]!,
      subject: subjects[one.passage] ?? new Set(),
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

function subjectsOf(
  passages: readonly Passage[],
  ...parts: readonly (readonly ReadonlySet<string>[])[]
): ReadonlySet<string>[] {
  const documents = new Map<string, Set<string>>()
  for (const [i, { document }] of passages.entries()) {
    const own = documents.getOrInsertComputed(document, () => new Set<string>())
    for (const part of parts) for (const stem of part[i] ?? []) own.add(stem)
  }
  return passages.map(({ document }) => documents.get(document) ?? new Set())
}

const languageOf = (passages: readonly Passage[], { passage }: Candidate): string | null =>
  passages[passage]!.page.language

interface Surroundings {
  stems: readonly string[]
  /** Stems of the document's passages, and of the title and the headings. */
  around: ReadonlySet<string>
  above: ReadonlySet<string>
  /** Stems of the page's first lines, which say what it is about. */
  topic: ReadonlySet<string>
  /** Stems of the document's title and headings, and of the first lines of its pages. */
  subject: ReadonlySet<string>
  language: string | null
  similarity: number
}

const has = (set: ReadonlySet<string>) => (term: string) => set.has(term)

function featuresOfOne(
  { question, weightOf, total, rarest, pairs }: Weighing,
  one: Candidate,
  { stems, around, above, topic, subject, language, similarity }: Surroundings,
): Features {
  const itself = new Set(stems)
  const withNear = new Set([...stems, ...stemsOf(one.near, language)])
  const share = (isCovered: (term: string) => boolean): number =>
    question.terms.reduce((sum, term) => sum + (isCovered(term) ? weightOf(term) : 0), 0) / total
  const isAround = (term: string): boolean => around.has(term) || withNear.has(term)
  const missing = question.terms.filter((term) => !isAround(term))
  const asked = new Set(question.terms)
  const named = new Set(question.terms.filter((term) => isNamed(question, term)))
  const aliases = aliasesOf(one.label).filter(has(asked))
  const label = aliases.length > 0 ? aliases : [...new Set(stemsOf(one.label, language))]
  const lacking = (isThere: (term: string) => boolean): number =>
    question.anchors.length === 0
      ? 0
      : question.anchors.filter((term) => !isThere(term)).length / question.anchors.length
  const isValue = one.kind !== 'sentence'
  const fits = question.kind
    ? holdsKind(one.text, question.kind, { isAsked: (word) => named.has(stemOf(word)), isValue }) ||
      (question.kind === 'phone' && isLabeledPhone(one))
    : null
  const attributesIn = (isThere: (term: string) => boolean): number =>
    question.attributes.length === 0 ? 1 : question.attributes.filter(isThere).length / question.attributes.length
  const askedShare = (text: string): number => {
    const own = text === '' ? [] : stemsOf(text, language)
    return own.length === 0 ? 0 : own.filter(has(asked)).length / own.length
  }
  // The word that says most about the question is elsewhere in the document.
  const found = question.terms.filter((term) => around.has(term) && !question.anchors.includes(term))
  const most = found.reduce((weight, term) => Math.max(weight, weightOf(term)), 0)
  const isHere = (term: string): boolean => [withNear, above, topic].some((stems) => stems.has(term))
  const rarestFound = found.filter((term) => weightOf(term) === most)
  const isRarestElsewhere = rarestFound.length > 0 && rarestFound.filter(isHere).length < rarestFound.length / 2
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
    is_value: isValue ? 1 : 0,
    label_asked: label.length === 0 ? 0 : label.filter(has(asked)).length / label.length,
    label_covers: label.length === 0 ? 0 : share(has(new Set(label))),
    label_has_attribute: isValue ? attributesIn(has(new Set(label))) : 0,
    row_has_attribute: isValue ? attributesIn(has(withNear)) : 0,
    label_names_kind: isValue && question.kind && label.some((stem) => KIND_LABELS[question.kind!]?.has(stem)) ? 1 : 0,
    value_anchors_missing: isValue ? lacking(isAround) : 0,
    attribute_missing: 1 - attributesIn(isAround),
    attribute_here: attributesIn(has(withNear)),
    attribute_above: attributesIn(has(above)),
    head_asked: askedShare(one.head),
    row_asked: Math.max(askedShare(one.row), ...one.names.map(askedShare)),
    is_beside_head: one.head !== '' && !one.label.startsWith(one.head) ? 1 : 0,
    counted_missing: question.counted !== null && !withNear.has(question.counted) ? 1 : 0,
    novel: Math.min(1, new Set(isValue ? stemsOf(one.text, language) : stems).difference(named).size / 4),
    rank: 1 / (1 + one.passage),
    length: Math.log(1 + one.text.length) / 6,
    is_question: /[?？]\s*$/.test(one.text) ? 1 : 0,
    code_missing:
      isValue && question.kind !== 'phone' && question.code !== null && !label.includes(question.code) ? 1 : 0,
    label_is_asked: isValue && isSame(label, question.asked) ? 1 : 0,
    rarest_elsewhere: isRarestElsewhere ? 1 : 0,
    qualifier_missing: question.qualifiers.every((stem) => withNear.has(stem) || !around.has(stem)) ? 0 : 1,
    label_names_missing: lacking(has(new Set(label))),
    asked_missing: isHere(question.asked.at(-1) ?? question.terms[0] ?? '') ? 0 : 1,
    subject_missing: [...question.anchors, ...question.attributes].every(isAround) ? 0 : 1,
    attribute_itself: attributesIn(has(itself)),
    noun_missing: question.noun === null || withNear.has(question.noun) || above.has(question.noun) ? 0 : 1,
    anchors_missing_above: lacking((term) => withNear.has(term) || above.has(term)),
    topic_missing: question.attributes.every((term) => label.includes(term) || subject.has(term)) ? 0 : 1,
    is_person: question.kind === 'person' && fits === true ? 1 : 0,
    is_named_email: question.kind === 'email' && question.anchors.some((name) => isInMailbox(name, one.text)) ? 1 : 0,
    role_absent: question.role.every(has(withNear)) ? 0 : 1,
    role_missing: question.role.every(has(itself)) ? 0 : 1,
    is_rival: isValue && isRival(question, withNear.union(above), stemsOf(one.rivals, language)) ? 1 : 0,
    is_fragment: one.kind === 'sentence' && words < 5 ? 1 : 0,
  }
}

/** The 10 of "invoice 2020-10" is no number that the question names. */
const isNamed = ({ text }: Question, term: string): boolean =>
  !/^\d+$/.test(term) || new RegExp(`(?<![\\w-])${term}(?![\\w-])`).test(text.replace(/(?<=\d)[.,'’](?=\d{3})/g, ''))

const MIN_MAILBOX_NAME = 4

/** "pstahl@example.org" for "Stahl". */
const isInMailbox = (name: string, address: string): boolean =>
  name.length >= MIN_MAILBOX_NAME && (address.split('@')[0] ?? '').toLowerCase().includes(name)

/** The same words, in any order. */
const isSame = (label: readonly string[], asked: readonly string[]): boolean =>
  label.length > 0 && label.length === asked.length && label.every((stem) => asked.includes(stem))

const isRival = ({ anchors }: Question, here: ReadonlySet<string>, rivals: readonly string[]): boolean =>
  rivals.length > 0 && anchors.some((anchor) => !here.has(anchor) && rivals.includes(anchor))

function nearTogether(pair: string, stems: readonly string[]): boolean {
  const [first, second] = pair.split(' ') as [string, string]
  return stems.some((stem, i) => stem === first && stems.slice(i + 1, i + 1 + MAX_PAIR_DISTANCE).includes(second))
}
