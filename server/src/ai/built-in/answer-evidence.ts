// The evidence that a candidate needs to be an answer, whatever its score.

import { isOneAmount, NUMBERS } from './answer-amounts.ts'
import type { Candidate } from './answer-candidates.ts'
import { isAskedInstitution, isInstitution } from './answer-contacts.ts'
import { FULL_STOP, isAskedLabel, isCrossing, isKindField, isNamedField, isRoleLine } from './answer-exact.ts'
import type { Features } from './answer-features.ts'
import { isLabelOnly } from './answer-fields.ts'
import { MONEY, MONTH } from './answer-kinds.ts'
import { type Question, stemsOf } from './answer-question.ts'
import { stemOf } from './answer-stems.ts'

const MAX_ANCHORS_MISSING = 0.34
/** A label that shares this little with the question is about something else. */
const MIN_LABEL = 0.2
const MIN_COVERED = 0.2
/** "How many Stanley Cups have the Maple Leafs won?": so many names make up for the verb. */
const MIN_ANCHORS_FOR_ONE = 3

/** The names and numbers of the question are near the candidate, its kind of value fits, and it is not a heading. */
export function isEvidence(question: Question, one: Candidate, features: Features): boolean {
  if (PLACEHOLDER.test(one.text)) return false
  if (isInstitution(one)) return isAskedInstitution(question, one, features)
  if (question.kind === null && (EXCLAMATION.test(one.text) || isInCapitals(one))) return false
  if (features.novel === 0 && question.kind !== 'yes_no') return false
  if (features.kind_lacks === 1 && question.kind !== 'reason') return false
  if (features.anchors_missing_around > MAX_ANCHORS_MISSING || features.is_question === 1) return false
  const isExactLabel = features.label_asked === 1 && features.label_has_attribute >= 0.5
  const isOneWord =
    question.counted !== null &&
    question.attributes.length === 1 &&
    question.anchors.length >= MIN_ANCHORS_FOR_ONE &&
    features.anchors_missing_around === 0
  if (features.attribute_missing >= 0.5 && !isExactLabel && !isOneWord) return false
  if (features.counted_missing === 1 || features.qualifier_missing === 1 || features.code_missing === 1) return false
  if (question.is_double && (one.kind !== 'sentence' || !FULL_STOP.test(one.text))) return false
  if (one.kind === 'sentence') {
    if (ENDS_WITH_COLON.test(one.text) && (question.kind === null || SHORT.test(one.text.trim()))) return false
    const isAbout =
      question.attributes.length === 0 || features.attribute_here > 0 || features.attribute_above > 0 || isOneWord
    if (isRoleLine(question, one, features)) return true
    return (
      isAbout &&
      features.rarest_elsewhere === 0 &&
      features.role_absent === 0 &&
      (features.asked_missing === 0 || question.asked.length < 2) &&
      (features.noun_missing === 0 || question.kind !== null) &&
      !refersBack(one.text, question) &&
      features.covered_with_neighbor >= MIN_COVERED &&
      !isHeadingLike(one.text)
    )
  }
  if (isContact(question))
    return (features.anchors_missing_here === 0 || features.is_named_email === 1) && features.attribute_missing === 0
  if (
    question.attributes.length > 0 &&
    features.label_has_attribute === 0 &&
    !isAskedLabel(one, features) &&
    !isOneWord &&
    !isCrossing(one, features) &&
    !isNamedField(question, one, features) &&
    !isKindField(question, one, features) &&
    !isRoleLine(question, one, features)
  )
    return false
  if (one.kind === 'cell' && (features.is_rival === 1 || isOtherRow(features))) return false
  if (question.kind === 'money' && one.kind === 'cell' && isCount(one) && features.head_asked === 0) return false
  if (FRAGMENT.test(one.text) || isLabelOnly(one.text)) return false
  if (isOtherYear(question, one) || isSerialNumber(question, one)) return false
  if (question.kind === 'money' && !MONEY.test(one.text) && (isInline(one) || YEAR.test(one.text))) return false
  if (isAmount(question) && !isOneAmount(question, one, features)) return false
  if (question.kind === 'code' && (MONEY_SIGN.test(one.text) || SEVERAL_WORDS.test(one.text))) return false
  if (question.kind === 'number' && one.kind === 'field' && CODE.test(one.text)) return false
  if (question.counted !== null && question.kind === 'number' && !isMass(question) && isNoCount(question, one))
    return false
  if (
    question.counted !== null &&
    UNIT.test(one.text) &&
    !stemsOf(one.text, question.language).includes(question.counted)
  )
    return false
  if (question.kind === 'date' && (one.text.match(DATES) ?? []).length > 1 && !RANGE.test(one.text)) return false
  if (isAskedLabel(one, features) || isKindField(question, one, features)) return true
  return features.label_covers >= MIN_LABEL || features.row_has_attribute >= 0.5 || isRoleLine(question, one, features)
}

/** "This plan offers …" does not say which plan does. */
const refersBack = (text: string, { noun }: Question): boolean =>
  noun !== null && stemOf(/^\s*(?:this|these|that|those|such) (\p{L}+)/iu.exec(text)?.[1] ?? '') === noun

const isContact = ({ kind }: Question): boolean => kind === 'phone' || kind === 'email'

/** "clear water" for a question about salt water, which the document does not mention. */
const isOtherRow = ({ row_asked, subject_missing }: Features): boolean =>
  row_asked > 0 && row_asked < 1 && subject_missing === 1

/** The table has a column for each year or day, and this is not the one of the question. */
function isOtherYear({ text }: Question, { kind, label, head, row, near }: Candidate): boolean {
  if (kind !== 'cell') return false
  const here = `${label} ${head} ${row} ${near}`
  const days: string[] = here.match(DAYS) ?? []
  const isOtherDay = days.length > 0 && (text.match(DAYS) ?? []).some((day) => !days.includes(day))
  const isOnly = (near.match(NUMBERS) ?? []).length < 2
  return isOtherDay || (!isOnly && (text.match(YEARS) ?? []).some((year) => !here.includes(year)))
}

/** The column that counts the rows. */
const isSerialNumber = ({ kind, terms }: Question, { head }: Candidate): boolean =>
  kind !== 'code' && /(?:^|\s)(?:s[lr]\.?\s*no|no|nr|#|序号)\.?$/iu.test(head.trim()) && !terms.includes('number')

/** A number without decimals beside an amount of money. */
const isCount = ({ text, near }: Candidate): boolean => /^\d{1,4}$/.test(text.trim()) && MONEY.test(near)

/** A field that was not filled in. */
const PLACEHOLDER = /^\s*(?:[xX]{2,}|n\/?a|t\.?b\.?[ad]\.?|none|null|unknown|[-–—_.*?/\s]+)\s*$/iu
/** "Welcome to our family day!" says nothing that a question without a kind could ask for. */
const EXCLAMATION = /!["'”’)]?\s*$/
/** "Local sales rep:" announces the value on the next line. */
const ENDS_WITH_COLON = /[:：]\s*$/
const SHORT = /^(?:\S+\s+){0,5}\S*$/
/** A cell with two numbers does not say which of them is meant. */
const isAmount = ({ kind }: Question): boolean => kind === 'number' || kind === 'money' || kind === 'percent'

/** A piece of a sentence that a reader took for a cell. */
const FRAGMENT = /^(?:and|or|of|the|to|in|for|has|have|with|by|that|which|is|are|was|were)\s/u
/** A number after words without a colon: only the form of the number says that it is an amount. */
const isInline = ({ kind, near }: Candidate): boolean => kind === 'field' && near !== ''
const DATES = /\b\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\b/g
const RANGE = /\s(?:[–—-]|to|until|bis|au|al)\s/
const YEARS = /(?<![\w.,-])(?:19|20)\d\d(?![\w.,-]\w)/g
const DAYS = new RegExp(`\\b${MONTH} \\d{1,2}(?!\\d)`, 'gu')
const YEAR = /^\s*(?:19|20)\d\d\s*$/
const MONEY_SIGN = /[$€£¥₹]|%/
/** "10 Dependent care benefits" is the label of a field. */
const SEVERAL_WORDS = /\p{Ll}{3,}\s+(?:\S+\s+)?\p{Ll}{3,}/u
const CODE = /^\p{Lu}{1,4}-?\d{4,}/u
/** "How much fuel?" may be answered with a percentage. */
const isMass = ({ text }: Question): boolean => /\bhow much\b/iu.test(text)
/** A price or a rate does not say how many there are. */
const isNoCount = (question: Question, { text, label, head }: Candidate): boolean =>
  MONEY_SIGN.test(text) || MONEY_HEAD.test(head) || (RATE.test(label) && !RATE.test(question.text))
/** "AMOUNT (€)". */
const MONEY_HEAD = /\([^()]*[$€£¥₹][^()]*\)/u
const RATE = /\b(?:rate|ratio|percentage|average|share)\b/iu
/** "32 Days" does not count kilowatt hours. */
const UNIT = /^\d[\d.,]*\s+\p{L}{3,}$/u
const MOST_CAPITALS = 0.7

/** A line such as "AMENDMENT TO ENGAGEMENT LETTER, DATED OCTOBER 11, BETWEEN …" is a title. */
function isInCapitals({ kind, text }: Candidate): boolean {
  const [capitals, letters] = [text.match(/\p{Lu}/gu) ?? [], text.match(/\p{L}/gu) ?? []]
  return kind === 'sentence' && text.length >= 50 && capitals.length > MOST_CAPITALS * letters.length
}

/** A few words without a digit that are no sentence: without a full stop, or in capitals. */
function isHeadingLike(text: string): boolean {
  const line = text.trim()
  if (/\d/.test(line) || line.length >= 50 || line.split(/\s+/).length >= 6) return false
  return !/[.!?。！？:;]["'”’)]?$/.test(line) || line === line.toUpperCase()
}
