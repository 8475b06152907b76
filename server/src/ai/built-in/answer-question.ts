// A question → the kind of answer it expects, and the words, names and numbers that its evidence must contain.

import { stopWordsOf, wordsOf } from './words.ts'

export type AnswerKind =
  | 'money'
  | 'number'
  | 'percent'
  | 'date'
  | 'time'
  | 'duration'
  | 'person'
  | 'place'
  | 'code'
  | 'phone'
  | 'email'
  | 'yes_no'
  | 'reason'

export interface Question {
  text: string
  language: string | null
  /** null: the question does not say what it expects. */
  kind: AnswerKind | null
  /** Stems of the content words. */
  terms: string[]
  /** Stems of names, numbers and codes: an answer about something else lacks them. */
  anchors: string[]
  /** The other terms: what is asked about the anchors. Words that only name the kind of answer are left out. */
  attributes: string[]
  /** "days" of "how many days": the number must be about them. */
  counted: string | null
  /** Two things are asked for, so one value cannot be the answer. */
  is_double: boolean
}

const STEM_CHARACTERS = 6
/** Compounds such as "Factuurnummer" and "Factuurdatum" differ late. */
const LONG_WORD = 11
const LONG_STEM_CHARACTERS = 9

/** Case, accents and common endings do not count. */
export function stemOf(word: string): string {
  const plain = word
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]s$/, '')
  if (/\d/.test(plain)) return plain.replace(/(?<=\d)[.,'’](?=\d{3}(?!\d))/g, '')
  const single = plain.length > 3 && plain.endsWith('s') && !plain.endsWith('ss') ? plain.slice(0, -1) : plain
  const verb = single.replace(/(?<=\p{L}{4})(?:ing|ed)$/u, '')
  const base = verb.length > 4 && verb.endsWith('e') ? verb.slice(0, -1) : verb
  return [...base].slice(0, base.length >= LONG_WORD ? LONG_STEM_CHARACTERS : STEM_CHARACTERS).join('')
}

/** Stems of the words of a text, without stop words of English and of its language. */
export function stemsOf(text: string, language: string | null): string[] {
  const [own, english] = [stopWordsOf(language), stopWordsOf('en')]
  return wordsOf(text.replace(NUMBER_SIGN, ' number '))
    .flatMap((word) =>
      word.includes('-')
        ? [...(/\d/.test(word) ? [word] : []), ...word.split('-').filter((part) => !DESIGNATOR.test(part))]
        : [word],
    )
    .filter((word) => {
      const lower = word.toLowerCase()
      return DESIGNATOR.test(word) || (!own.has(lower) && !english.has(lower) && !STOP_PARTS.has(lower))
    })
    .filter((word) => word.length > 1 || DESIGNATOR.test(word) || /[\d\p{Script=Han}]/u.test(word))
    .map((word) => SYNONYMS.get(stemOf(word)) ?? stemOf(word))
}

/** "Class B", "Project Q". */
const DESIGNATOR = /^[B-HJ-Z]$/

/** "Claim # 17" and "Bill no. 17" are about a number. */
const NUMBER_SIGN = /#(?=\s|\p{L}|\d|:|$)|\b[Nn](?:o|r)\.(?=\s)|[Nn]°|№/gu

/** Words that forms and questions use for the same thing; the first stands for all. */
const SYNONYMS = new Map(
  [
    'birth born geboren né née nacido',
    'phone telephone tel telefon téléphone mobile',
    'email mail e-mail',
    'pay paid payment payments',
    'cost price',
    'bill invoice',
    'symbol ticker',
    'id identifier',
    'seller vendor supplier',
    'buyer customer client',
    'due owed',
  ].flatMap((line) => {
    const [first, ...others] = line.split(' ').map(stemOf)
    return others.map((other) => [other, first!] as const)
  }),
)

/** Articles and pronouns that stay when a word is split at an apostrophe or a hyphen. */
const STOP_PARTS = new Set(['il', 'elle', 'ils', 't', 'd', 'l', 's', 'het', 'der', 'die', 'das'])

/** Words that questions have and answers do not. */
const ASKING = new Set(
  (
    'what who whom whose when where which why how much many long tell explain find give name was were does did kind type ' +
    'was wer wen wem wann wo woher wohin welche welcher welches welchem welchen warum wieso wie viel viele heisst nenne ' +
    'que quien quienes cuando donde cual cuales cuanto cuanta cuantos cuantas porque como ' +
    'qui quand ou quel quelle quels quelles combien pourquoi comment permet ' +
    'wat wie wanneer waar welk welke waarom hoe hoeveel ' +
    'che chi quando dove quale quali quanto quanta quanti perche come ' +
    'quem onde qual quais quantos quantas hoch lautet stato stata stati 什么 谁 哪 哪里 哪些 哪个 何时 多少 几 为什么 怎么 如何 是 的 了 在 吗 몇 언제 누구 어디 무엇'
  )
    .split(' ')
    .map(stemOf),
)

/** In this order: the first that fits counts. The patterns of all languages are tried, whatever the passages' language is. */
const KINDS: [AnswerKind, RegExp][] = [
  [
    'yes_no',
    /^(?:is|are|was(?! (?:ist|sind|war|waren|wird|kostet|bedeutet|steht|muss|kann|darf)\b)|were|do|does|did|can|could|may|must|has|have|had|will|would|should|ist|sind|war|hat|haben|kann|darf|muss|wird|gibt es|est-ce|es|son|está|puede|hay)\b|吗/iu,
  ],
  ['reason', /\bwhy\b|\bwarum\b|\bwieso\b|\bweshalb\b|\bpor qué\b|\bpourquoi\b|\bwaarom\b|\bperché\b|为什么|왜/iu],
  ['time', /\bwhat time\b|\bquelle heure\b|\bwie ?viel uhr\b|\bqué hora\b|\bhoe laat\b|\bche ora\b|几点|몇 시/iu],
  [
    'duration',
    /\bhow long\b|\bhow many (?:seconds|minutes|hours|days|weeks|months|years)\b|\bwie ?viele (?:sekunden|minuten|stunden|tage|wochen|monate|jahre)\b|\bcombien de (?:jours|mois|semaines|heures)\b|\bcuánt[oa]s (?:días|meses|años|horas|semanas)\b|\bwie lange\b|\bcuánto tiempo\b|\bcombien de temps\b|\bhoe ?lang\b|\bquanto tempo\b|多久|多长时间|\bnotice period\b/iu,
  ],
  ['phone', /\b(?:tele)?phone number\b|\btelefonnummer\b|\bnuméro de téléphone\b|\bnúmero de teléfono\b/iu],
  ['email', /\be-?mail(?: address|-?adresse)?\b|\badresse (?:e-?mail|électronique)\b|\bcorreo electrónico\b/iu],
  ['code', /\b(?!(?:the|what|which|total|a)\b)\p{L}+ (?:number|id|code|symbol)\b|\p{L}{3,}nummer\b|\bvin\b|\biban\b/iu],
  ['percent', /\bpercent|\bwhat share\b|\bprozent|\bporcentaje\b|\bpourcentage\b|\bpercentage\b|百分|퍼센트/iu],
  [
    'date',
    /\bwhen\b|\b(?:what|which) (?:date|day|year|month|century|decade)\b|\bwann\b|\bwelche[sm]? (?:datum|jahr|tag|monat)|\bcuándo\b|\bqué (?:fecha|año|día|mes|siglo)\b|\bquand\b|\bquelle (?:date|année)\b|\bwanneer\b|\bwelke datum\b|\bquando\b|什么时候|何时|哪一?年|哪一?天|日期|언제/iu,
  ],
  [
    'money',
    /\bhow much (?:does|did|do|is|was|were|are|will|must|money)\b|\b(?:price|cost|fee|salary|budget|deductible|premium|penalty|rent)\b|\bgrand total\b|\b(?:total|gross|net|bill|invoice) (?:amount|of|due|price)\b|\bkostet\b|\bcuesta\b|\bcoûte\b|\bbudget\b|\bpreis\b|\bprecio\b|\bprix\b|多少钱/iu,
  ],
  [
    'number',
    /\bhow (?:many|much|deep|high|tall|wide|far|old|heavy|fast|large|big|hot|cold)\b|\bwie ?(?:viele?|tief|hoch|groß|breit|weit|alt|schwer|schnell)\b|\bcuánt[oa]s?\b|\bcombien\b|\bhoeveel\b|\bquant[ieoa]\b|\bquant[oa]s\b|\b(?:amount|rate|score|threshold|quantity|temperature|number of|boiling point|population|total)\b|多少|几[个位名年]|몇|\banzahl\b|\bnúmero de\b|\bnombre de\b/iu,
  ],
  [
    'code',
    /\b(?:number|no\.|id|code|vin|sku|iban|symbol|reference|nummer|\p{L}+nummer|número|numéro|numero|serial)\b/iu,
  ],
  ['person', /\bwho\b|\bwhom\b|\bwhose\b|\bwer\b|\bwen\b|\bwem\b|\bquién(?:es)?\b|^qui\b|\bchi\b|\bquem\b|谁|누구/iu],
  ['place', /\bwhere\b|\bwo\b|\bwoher\b|\bwohin\b|\bdónde\b|\bwaar\b|\bdove\b|\bonde\b|\boù\b|哪里|在哪|어디/iu],
]

const DOUBLE =
  /\b(?:and|und|y|et|en) (?:what|when|who|where|how|which|was|wann|wer|wo|wie|qué|cuándo|quién|quel|quand|qui|wat|wanneer)\b|^what (?:are|were) the \p{L}+ and (?:the )?\p{L}+ of\b/iu
const COUNTED = /\b(?:how many\s|wie ?viele\s|cuánt[oa]s\s|combien (?:de\s|d['’])|hoeveel\s|quant[ie]\s)\s*(\p{L}+)/iu
/** "How much was she paid?", "How many cups have they won in all?": the verb only says that an amount or a count is meant. */
const KIND_VERBS =
  /\bhow (?:much (?:is|are|was|were|did|does|do|has|have|will|must) .*\b(paid|pay|cost|costs|earn|earned|receive|received|get|spend|spent|charged?|owed?)|many .*\b(?:has|have|had|did|does|do) .*\b(won|win|had|have|got|get|made|make|own|owned|earned?|received?))\b(?: (?:in|for) (?:all|total|it))?\s*\?/iu
/** "When did the audit take place?" asks for the date of the audit. */
const OCCURS = /\b(tak(?:e|es|en) place|took place|happen(?:s|ed)?|occur(?:s|red)?|find(?:et)? statt|fand statt)\b/iu
/** "The rate per show" asks for the rate. */
const UNIT = /\bper (\p{L}+)/iu
/** "the pay date" of "What is the pay date of Ann Lee?": its last word says what is expected. */
const HEAD =
  /^(?:(?:on|by|at|from|for|in) )?(?:what|which) (?:(?:is|was|are|were) )?(?:the |\p{L}+['’]s? )?((?:[\p{L}-]+ ){0,4}?[\p{L}-]+)(?= (?:of|on|for|in|at|from|to|per|with|including|after|before|by|did|does|do|was|were|is|are|must|has|have|can|should)\b|\s*\?)/iu
const HEADS: [AnswerKind, string][] = [
  ['date', 'date day deadline birthday'],
  ['time', 'time hour'],
  [
    'money',
    'amount subtotal sub-total total price cost fee salary balance tax rent premium deductible budget sum pay wage payment deposit',
  ],
  [
    'number',
    'quantity population distance weight height temperature score speed age depth length accuracy production area count rate',
  ],
  ['percent', 'percentage share'],
]
const HEAD_KINDS = new Map(HEADS.flatMap(([kind, words]) => words.split(' ').map((word) => [word, kind] as const)))

function kindOf(text: string): AnswerKind | null {
  const head = HEAD.exec(text)?.[1]?.split(' ').at(-1)?.toLowerCase()
  // "How many" and the like come before the head: "What is the total number of guests?" asks for a number.
  const isNumberOf = /\bnumber of\b/i.test(text)
  const byHead = head === undefined || isNumberOf ? undefined : HEAD_KINDS.get(head)
  return byHead ?? KINDS.find(([, pattern]) => pattern.test(text))?.[0] ?? null
}

/** "invoice INV-100" and "the Contoso invoice": the noun says what kind of thing the name is, not what is asked about it. */
const NAMED = [
  /(?<!\p{Lu}\p{L}*['’]s )(?<!\p{L})(\p{Ll}{3,})\s+(?=[\p{L}_-]*\d)/u,
  /\bthe (?:\p{Lu}[\p{L}.&'’-]*(?<!['’]s) )+(\p{Ll}+(?: \p{Ll}+)?)\s*(?:\?|$|(?:for|of|with|about) )/u,
]
const labelsOf = (words: string): Set<string> => new Set(words.split(' ').map(stemOf))
/** Words of labels and heads that name a kind of value. */
export const KIND_LABELS: Partial<Record<AnswerKind, ReadonlySet<string>>> = {
  money: labelsOf('amount sum betrag importe montant bedrag importo value'),
  number: labelsOf('number quantity qty count amount anzahl menge cantidad nombre aantal value'),
  date: labelsOf('date day year month datum fecha jahr año'),
  time: labelsOf('time hour zeit hora heure tijd'),
  duration: labelsOf('duration period term days months years dauer'),
  person: labelsOf('name person nombre nom naam'),
  place: labelsOf('place location located based situated address city ort adresse lugar'),
  phone: labelsOf('phone telephone number tel telefon telefonnummer téléphone teléfono numéro número'),
  email: labelsOf('email mail address adresse emailadresse'),
  code: labelsOf('number id code no nr reference nummer número numéro'),
  percent: labelsOf('percent percentage rate share prozent'),
}

export function readQuestion(text: string, language: string | null): Question {
  const kind = kindOf(text)
  const terms = [...new Set(stemsOf(text, language))].filter((stem) => !ASKING.has(stem))
  const counted = COUNTED.exec(text)?.[1]
  const isKindLabel = (stem: string): boolean => kind !== null && KIND_LABELS[kind]?.has(stem) === true
  const anchors = anchorsOf(text, language).filter((stem) => terms.includes(stem) && !isKindLabel(stem))
  const implied = new Set(
    stemsOf([KIND_VERBS, OCCURS, UNIT, ...NAMED].flatMap((one) => one.exec(text)?.slice(1) ?? []).join(' '), language),
  )
  return {
    text,
    language,
    kind,
    terms,
    anchors,
    is_double: DOUBLE.test(text),
    counted: counted ? (stemsOf(counted, language)[0] ?? null) : null,
    attributes: terms.filter((stem) => !anchors.includes(stem) && !isKindLabel(stem) && !implied.has(stem)),
  }
}

/** Words with a digit or in capitals, and capitalized words after the first. German nouns are capitalized too, so they do not count. */
function anchorsOf(text: string, language: string | null): string[] {
  const words = wordsOf(text)
  const areNamesCapitalized = !language?.startsWith('de')
  return words
    .filter((word, i) => /\d|^\p{Lu}{2,}$/u.test(word) || (areNamesCapitalized && i > 0 && /^\p{Lu}/u.test(word)))
    .flatMap((word) => stemsOf(word, language))
}
