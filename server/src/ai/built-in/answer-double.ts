// A question for two things → a question for each: "What are the tax and the tip on the bill?"

/** "What are the tax and the tip on the bill?" */
const BOTH =
  /^(?:what|which) (?:is|are|was|were) the ([\p{L} -]{2,40}?) and (?:the )?([\p{L} -]{2,40}?) ((?:of|on|for|in|at) .+?)\s*\?*$/iu
/** "When does it start and what does it cost?" */
const THEN = new RegExp(
  `^(.+?),? (?:${[
    'and (?=(?:what|when|who|where|how|which)\\s)',
    'und (?=(?:was|wann|wer|wo|wie|welche[rsmn]?)\\s)',
    'y (?=(?:qué|cuándo|quién|cuánt[oa]s?|cuál|dónde)\\s)',
    'et (?=(?:quel(?:le)?s?|quand|qui|combien|où)\\s)',
    'en (?=(?:wat|wanneer|wie|waar|hoeveel)\\s)',
  ].join('|')})(.+?)\\s*\\?*$`,
  'iu',
)
const POSSESSIVE = /(?<=\s)(?:its|their|his|her)(?=\s)/iu
/** Words with a capital letter or a digit, without the first word. */
const NAMES = /(?<=\s)(?:\p{Lu}|\d)[\p{L}\d.&'’-]*/gu

/** null: the question asks for one thing. */
export function splitQuestion(text: string): [string, string] | null {
  const question = text.trim()
  const both = BOTH.exec(question)
  if (both) return [`What is the ${both[1]} ${both[3]}?`, `What is the ${both[2]} ${both[3]}?`]
  const [, first, second] = THEN.exec(question) ?? []
  if (first === undefined || second === undefined) return null
  const names = [...first.matchAll(NAMES)].map(([name]) => name).join(' ')
  const isNamed = second.search(NAMES) >= 0 || names === ''
  return [`${first}?`, `${second.replace(POSSESSIVE, 'the')}${isNamed ? '' : ` of ${names}`}?`]
}
