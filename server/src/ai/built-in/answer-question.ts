// A question → the kind of answer it expects, and the words, names and numbers that its evidence must contain.

import { splitQuestion } from './answer-double.ts'
import { type AnswerKind, expectedKind } from './answer-expected.ts'
import { stemOf, synonymOf } from './answer-stems.ts'
import { stopWordsOf, wordsOf } from './words.ts'

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
  /** "payment terms" of "What are the payment terms of the purchase order?" Empty if the question has another form. */
  asked: string[]
  /** "law" of "Which law governs the lease?" Null if the question has another form. */
  noun: string | null
  /** "days" of "how many days": the number must be about them. */
  counted: string | null
  /** "Kundennummer" and "IBAN": the label of a code must have it. */
  code: string | null
  /** "chief executive officer" of "Who is the chief executive officer of Acme?" */
  role: string[]
  /** Words such as "maximum" and "net" that distinguish values with the same label. */
  qualifiers: string[]
  /** Two things are asked for, so one value cannot be the answer. */
  is_double: boolean
}

/** Stems of the words of a text, without stop words of English and of its language. */
export function stemsOf(text: string, language: string | null): string[] {
  const [own, english] = [stopWordsOf(language), stopWordsOf('en')]
  return wordsOf(text.replace(NUMBER_SIGN, ' number ').normalize('NFKC'))
    .map((word) => word.replace(ELISION, ''))
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
    .map((word) => synonymOf(stemOf(word)))
}

/** "l'huile", "dell'ordine". */
const ELISION = /^(?:[cdjlmnst]|qu|jusqu|[dn]ell|all|dall|sull|un)['’](?=\p{L}{2})/iu

/** "Class B", "Project Q". */
const DESIGNATOR = /^[B-HJ-Z]$/

/** "Claim # 17" and "Bill no. 17" are about a number. */
const NUMBER_SIGN = /#(?=\s|\p{L}|\d|:|$)|\b[Nn](?:o|r)\.(?=\s)|[Nn]°|№/gu

/** Articles and pronouns that stay when a word is split at an apostrophe or a hyphen. */
const STOP_PARTS = new Set(['il', 'elle', 'ils', 't', 'd', 'l', 's', 'het', 'der', 'die', 'das'])

/** Words that questions have and answers do not. */
const ASKING = new Set(
  (
    'what who whom whose when where which why how much many long tell explain find give name was were does did kind type ' +
    'was wer wen wem wann wo woher wohin welche welcher welches welchem welchen warum wieso wie viel viele heisst nenne muss müssen soll sollen kann können darf often frequently oft häufig vaak ' +
    'que quien quienes cuando donde cual cuales cuanto cuanta cuantos cuantas porque como ' +
    'qui quand ou quel quelle quels quelles combien pourquoi permet ' +
    'wat wie wanneer waar welk welke waarom hoe hoeveel ' +
    'che chi quando dove quale quali quanto quanta quanti perche come ' +
    'quem onde qual quais quantos quantas hoch lautet stato stata stati 什么 谁 哪 哪里 哪些 哪个 何时 多少 几 为什么 怎么 如何 是 的 了 在 吗 몇 언제 누구 어디 무엇 です ですか ます いくら 何 いつ 誰 どこ'
  )
    .split(' ')
    .map(stemOf),
)

/** "How much rent does she pay?" asks for the rent. */
const MASS =
  /\bhow much (?!(?:money|time|of|more|less|better|worse)\b)((?-i:\p{Ll}{3,})) (?:is|are|was|were|did|does|do|has|have|had|will|must|can)\b/iu
/** "How much goodwill did Acme show?" asks for the goodwill. */
const SHOWN = /\bhow much .*\b(?:did|does|do) .*\b(show|report|record|make)\b/iu
/** "How much was the whole purchase?" and "How much did they pay in total?" ask for the total. */
const WHOLE =
  /\bhow much .*?\b((?:whole|entire) (?:purchase|order|bill|trip|stay|meal|visit)|in (?:total|all)|altogether|overall)\b/iu
const COUNTED = /\b(?:how many\s|wie ?viele\s|cuánt[oa]s\s|combien (?:de\s|d['’])|hoeveel\s|quant[ie]\s)\s*(\p{L}+)/iu
/** "How many people are enrolled?" asks for the enrollment. */
const GENERIC_COUNT = /^(?:people|persons?|individuals|personen|menschen|leute|personas|personnes|persone)$/iu
/** "How much was she paid?", "How many cups have they won in all?": the verb only says that an amount or a count is meant. */
const KIND_VERBS =
  /\bhow (?:much (?:is|are|was|were|did|does|do|has|have|will|must) .*\b(paid|pay|cost|costs|earn|earned|receive|received|get|spend|spent|charged?|owed?)|many .*\b(?:has|have|had|did|does|do) .*\b(won|win|had|have|got|get|made|make|own|owned|earned?|received?))\b(?: (?:in|for) (?:all|total|it))?\s*\?/iu
/** "How many pens were sold on invoice 7?" asks for the quantity of the pens. */
const TRADED = /\bhow many .*\b(?:was|were|are|is) (sold|bought|ordered|purchased|delivered|shipped)\b/iu
/** "When did the audit take place?" asks for the date of the audit. */
const OCCURS = /\b(tak(?:e|es|en) place|took place|happen(?:s|ed)?|occur(?:s|red)?|find(?:et)? statt|fand statt)\b/iu
/** "When does the train leave Palo Alto?" asks for the time of the train at Palo Alto. */
const TIMETABLE = /\b(?:when|what time) (?:does|do|did|will) .*\b(leave|depart|arrive|stop|run)\b/iu
/** "On what date was the letter sent?" asks for the date of the letter. */
const DATED =
  /^(?:when|(?:on )?(?:what|which) (?:date|day)) (?:was|is) the (letter|memo|memorandum|e-?mail|message|report|document|paper|invoice|receipt|form|statement)\b.*\b(sent|written|dated|prepared|published|made)\s*\?/iu
/** Verbs that say nothing about a value: "Which discount was given?" asks for the discount. */
const WEAK_VERBS =
  /\b(given|gave|issued|reach(?:es|ed)?|us(?:e|es|ed)|belongs?|propos(?:e|es|ed)|appl(?:y|ies|ied)|listed|stated|shown|mentioned|recorded|reported|achieved?|obtained|get|gets|got)\b/giu
/** "At which university does Ann Lee teach?" asks for the university of Ann Lee. */
const AFFILIATED =
  /\b(?:university|college|institute|institution|academy|school) (?:is|was|does|did|do|has|have) .*\b(work(?:s|ed|ing)?|teach(?:es|ing)?|taught|stud(?:y|ies|ied|ying)|attend(?:s|ed)?|graduate[ds]?|affiliated|employed|educated)\b/iu
/** "The rate per show" asks for the rate. */
const UNIT = /\bper (\p{L}+)/iu
/** "invoice INV-100" and "the Contoso invoice": the noun says what kind of thing the name is, not what is asked about it. */
const NAMED = [
  /(?<!\p{Lu}\p{L}*['’]s )(?<!\p{L})((?:(?<=\b(?:of|on|for|the|to) )\p{Ll}{3,}\s+)?(?!(?:during|from|for|and|with|since|until|after|before|than|the|was|were)\s)\p{Ll}{3,})\s+(?:\p{Lu}{2,4} )?(?=[\p{L}_-]*\d)/u,
  /\bthe (?:\p{Lu}[\p{L}.&'’-]*(?<!['’]s) )+(\p{Ll}+(?: \p{Ll}+)?)\s*(?:\?|$|(?:for|of|with|about) )/u,
  /(?<!^(?:what|who|when) (?:is|was|are) )\b(?:the|this) (receipt|invoice|bill|letter|memo|memorandum|e-?mail|message|report|form|contract|agreement|statement|estimate|quote|certificate|notice|transcript|document|paper|article|ticket)(?= (?:for|from|to|by|between)\s+(?:the )?(?-i:\p{Lu}))/iu,
]
/** "the IBAN of Acme": the acronym is what is asked for, not a name. */
const ASKED_ACRONYM =
  /^(?:what|wie|was|cuál|quel(?:le)?)\s(?:is|was|lautet|ist|es|est)\s(?:the|die|der|das|el|la|le|l['’])\s?((?-i:\p{Lu}{2,6}))(?=\s(?:of|on|for|des|der|von|de|du|del)\s)/iu
const ASKED_CODE =
  /^(?:what|wie|was|cuál|quel(?:le)?)\s(?:is|was|lautet|ist|es|est)\s(?:the|die|der|das|el|la|le|l['’])\s?((?-i:\p{Lu}{2,6})|\p{L}{3,}nummer)(?=\s)/iu
/** The phrase that a field's label may repeat; the rest of the question says which document is meant. */
const ASKED = [
  /^(?:what|which) (?:is|are|was|were) (?:the |(?:[\p{L}\d.&-]+ ){0,4}[\p{L}\d.&-]+['’]s? )([\p{L}\d /-]{2,50}?)(?= (?:of|on|for|in|at|from|to|by|with|per|according)\s|\s*\?|$)/iu,
  /^how (?:much|high|large|big|long) (?:is|are|was|were|does|did|do) the ([\p{L} /-]{2,40}?)(?= (?:of|on|for|in|at|from|cost)\s|\s*\?|$)/iu,
  /^(?:wie (?:lautet|hoch ist|hoch war|groß ist|ist)|was ist|welches ist) (?:die|der|das) ([\p{L}-]{3,40}(?: [\p{L}-]{3,40}){0,2}?)(?= (?:der|des|von|vom|auf|für|in|im|bei|zu|zum)\s|\s*\?|$)/iu,
  /^(?:quel(?:le)?s? (?:est|sont|était)) (?:la |le |les |l['’])([\p{L}' ’-]{3,50}?)(?= (?:de|du|des|sur|pour|dans|à|d['’])(?:\s|\p{L})|\s*\?|$)/iu,
  /^¿?(?:cuál(?:es)? (?:es|son|fue|era)) (?:la |el |los |las )([\p{L} -]{3,50}?)(?= (?:de|del|en|para|por)\s|\s*\?|$)/iu,
  /^wat (?:is|zijn|was) (?:het |de )([\p{L} -]{3,50}?)(?= (?:van|op|voor|in|bij)\s|\s*\?|$)/iu,
]
const askedPhrase = (text: string): string => ASKED.map((one) => one.exec(text)?.[1]).find(Boolean) ?? ''
/** The noun after "which": a sentence that answers has it. */
const WHICH_NOUN = /^(?:(?:in|on|at|from|by|to|for|through|under|with|of) )?which ((?-i:\p{Ll}+))(?!\p{L})/iu
const ROLE =
  /^(?:who|wer|quién|qui) (?:is|was|ist|war|es|fue|est|était) (?:the |der |die |el |la |le |l['’])(.+?) (?:of|at|for|von|des|der|de|du|del|bei)\s/iu
const QUALIFIERS = new Set('maximum minimum highest lowest net gross opening closing'.split(' ').map(stemOf))
const labelsOf = (words: string): Set<string> => new Set(words.split(' ').map(stemOf))
/** Words of labels and heads that name a kind of value. */
export const KIND_LABELS: Partial<Record<AnswerKind, ReadonlySet<string>>> = {
  money: labelsOf(
    'amount sum betrag importe montant bedrag importo value kostet kosten cuesta cuestan coûte coûtent costa kost',
  ),
  number: labelsOf('number quantity qty count amount anzahl menge cantidad nombre aantal value'),
  date: labelsOf('date day year month datum fecha jahr año'),
  time: labelsOf('time hour zeit hora heure tijd'),
  duration: labelsOf('duration period term days months years dauer dauert tiempo dura temps dure'),
  person: labelsOf('name person nombre nom naam'),
  place: labelsOf('place location located based situated address venue city ort adresse lugar lieu'),
  phone: labelsOf('phone telephone number tel telefon telefonnummer téléphone teléfono numéro número'),
  email: labelsOf('email mail address adresse emailadresse'),
  code: labelsOf('number id code no nr reference nummer número numéro'),
  percent: labelsOf('percent percentage rate share prozent porcentaje pourcentage'),
}

/** Initials, and the French "M." for a man, are not always written. */
const INITIAL = /(?<=\p{L}{2,}\s)\p{Lu}\.\s(?=\p{Lu})/gu

export function readQuestion(written: string, language: string | null): Question {
  const text = written.replace(INITIAL, '').replace(WHOLE, (match, whole: string) => match.replace(whole, 'total'))
  const kind = expectedKind(text)
  const weak = new Set(stemsOf([...text.matchAll(WEAK_VERBS)].map(([verb]) => verb).join(' '), language))
  const terms = [...new Set(stemsOf(text, language))].filter((stem) => !ASKING.has(stem) && !weak.has(stem))
  const counted = COUNTED.exec(text)?.[1] ?? MASS.exec(text)?.[1]
  const isKindLabel = (stem: string): boolean => kind !== null && KIND_LABELS[kind]?.has(stem) === true
  const asked = new Set(stemsOf(ASKED_ACRONYM.exec(text)?.[1] ?? '', language))
  const anchors = anchorsOf(text, language).filter(
    (stem) => terms.includes(stem) && !isKindLabel(stem) && !asked.has(stem),
  )
  const acronyms = new Set(stemsOf((text.match(/(?<!\p{L})\p{Lu}{2,}(?!\p{L})/gu) ?? []).join(' '), language))
  const implied = new Set(
    stemsOf(
      [KIND_VERBS, TRADED, SHOWN, OCCURS, TIMETABLE, DATED, AFFILIATED, UNIT, ...NAMED]
        .flatMap((one) => one.exec(text)?.slice(1) ?? [])
        .concat(counted && GENERIC_COUNT.test(counted) ? [counted] : [])
        .join(' '),
      language,
    ),
  )
  return {
    text,
    language,
    kind,
    terms,
    anchors,
    asked: stemsOf(askedPhrase(text), language).filter((stem) => !anchors.includes(stem)),
    noun: stemsOf(WHICH_NOUN.exec(text)?.[1] ?? '', language)[0] ?? null,
    is_double: splitQuestion(text) !== null,
    code: stemsOf(ASKED_CODE.exec(text)?.[1] ?? '', language)[0] ?? null,
    role: stemsOf(ROLE.exec(text)?.[1] ?? '', language),
    // The MAX of an airplane is a name.
    qualifiers: terms.filter((stem) => QUALIFIERS.has(stem) && !acronyms.has(stem)),
    counted: counted && !GENERIC_COUNT.test(counted) ? (stemsOf(counted, language)[0] ?? null) : null,
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
