// A follow-up question → a question that can be searched for without the conversation before it.

import { readQuestion } from '../../ai/built-in/answer-question.ts'

const PRONOUN =
  /(?<!\p{L})(?:it|its|they|them|their|he|him|his|she|her|hers|this|these|those|there|er|sie|es|ihn|ihm|ihr|ihre|sein|seine|il|elle|ils|elles|lui|leur|son|sa|ses|él|ella|ellos|su|sus|hij|hun|haar|suo|sua|loro)(?!\p{L})/iu
/** "And of Ganjam?" asks the earlier question about another thing. */
const ELLIPSIS =
  /^(?:and|what about|how about|und|et|y|e|en)\s+(?:(?:what about|how about|of|in|for|on|at|from|de|del|von|im|van|di)\s+)?(?:the\s+)?/iu
/** The end of a question after its last preposition: "the Contoso invoice" of "What is due on the Contoso invoice?" */
const SUBJECT =
  /^.*\b(?:of|on|for|in|from|at|about|by|with|de|del|du|des|von|vom|im|am|van|di|della|do|da)\s+(.{2,200}?)[\s?.!]*$/iu
const IN_PARENTHESES = /\(([^()]{2,300})\)\s*$/u
const END = /[\s?.!？。]+$/u

/** `previous`: the earlier question, itself without need of a conversation. */
export function standaloneQuestion(question: string, previous: string, language: string | null): string {
  const asked = readQuestion(question, language)
  const subject = subjectOf(previous, language)
  const rest = question.trim().replace(ELLIPSIS, '').replace(END, '')
  const isEllipsis = ELLIPSIS.test(question.trim()) && asked.kind === null
  if (isEllipsis && rest !== '') return replaceSubject(previous, subject, rest)
  const isComplete = asked.anchors.length > 0 && !PRONOUN.test(question)
  return isComplete || subject === null ? question : `${question.trim()} (${subject})`
}

function subjectOf(previous: string, language: string | null): string | null {
  const given = IN_PARENTHESES.exec(previous)?.[1]
  if (given) return given
  const { anchors, terms } = readQuestion(previous, language)
  const phrase = SUBJECT.exec(previous)?.[1]
  const isNamed = phrase !== undefined && readQuestion(`? ${phrase}`, language).anchors.length > 0
  if (phrase !== undefined && (isNamed || anchors.length === 0)) return phrase
  const wanted = anchors.length > 0 ? anchors : terms
  const words = (previous.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}.'’/-]*/gu) ?? []).filter((word) =>
    readQuestion(`? ${word}`, language).terms.some((term) => wanted.includes(term)),
  )
  return words.length > 0 ? words.join(' ').replace(END, '') : null
}

function replaceSubject(previous: string, subject: string | null, phrase: string): string {
  if (subject === null || !previous.includes(subject)) return `${previous.trim()} (${phrase})`
  const at = previous.lastIndexOf(subject)
  return `${previous.slice(0, at)}${phrase}${previous.slice(at + subject.length)}`
}
