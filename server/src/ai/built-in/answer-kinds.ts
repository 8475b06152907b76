// Does a text contain a value of the kind that a question expects?

import type { AnswerKind } from './answer-expected.ts'

/** With a capital or without: some patterns that contain it distinguish case. */
export const MONTH =
  '(?:[Jj]an|[Ff]eb|[Mm]ar|[Mm]är|[Aa]pr|[Mm]ay|[Mm]ai|[Jj]un|[Jj]ul|[Aa]ug|[Ss]ep|[Oo]ct|[Oo]kt|[Nn]ov|[Dd]ec|[Dd]ez|[Ee]ne|[Aa]br|[Aa]go|[Dd]ic|[Ff]évr|[Aa]vr|[Jj]uin|[Jj]uil|[Aa]oût|[Dd]éc|[Mm]aart|[Mm]ei|[Gg]en|[Mm]ag|[Gg]iu|[Ll]ug|[Ss]et|[Oo]tt)\\p{L}*'
const DATE = new RegExp(
  `\\b\\d{4}-\\d\\d-\\d\\d(?:T|\\b)|\\b\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}\\b|\\b${MONTH}\\.?\\s+\\d{1,4}|\\b\\d{1,2}(?:st|nd|rd|th|\\.|er)?\\s+(?:de\\s+|of\\s+)?${MONTH}|(?<![\\w–-])(?:1\\d{3}s?|20\\d\\d[ef]?)(?![\\w–-])|\\d+\\s*[年月日]|\\d+년|\\b\\d{1,2}(?:st|nd|rd|th) century|\\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\\b`,
  'iu',
)
/** A date that repeats, such as "the third of each month", and a deadline, such as "within 30 days". */
const RECURRENCE =
  /\b(?:each|every|jeden|jedes|jeder|cada|chaque|elke)\s+(?:\p{L}+\s+)?(?:day|week|month|quarter|year|tag|woche|monats?|quartals?|jahr(?:es)?|día|semana|mes|año|jour|semaine|mois|an|dag|maand|jaar)\b|\b(?:daily|weekly|monthly|quarterly|annually|yearly|täglich|wöchentlich|monatlich|jährlich|mensualmente|anualmente|mensuellement)\b|\bday\b.{0,30}\bmonth\b|\b(?:within|binnen|innerhalb von|dentro de|sous)\s+(?:[\p{L}\d()]{1,12}\s+){1,3}(?:days|weeks|months|tagen|wochen|monaten|días|semanas|jours|semaines)\b/iu
const FREQUENCY =
  /\b(?:once|twice|\p{L}+ times|\d+ ?(?:x|times)|hourly|annual(?:ly)?|(?:bi|semi)-?(?:annual|weekly|monthly|yearly)(?:ly)?|every|each|per (?:hour|day|week|month|quarter|year)|einmal|zweimal|pro (?:tag|woche|monat|jahr)|una vez|dos veces|por (?:día|semana|mes|año)|une fois|par (?:jour|semaine|mois|an))\b|每/iu
const WRITTEN_DATE = new RegExp(`\\b${MONTH}\\.?\\s+\\d{1,4}|\\b\\d{1,2}\\.?\\s+${MONTH}`, 'gu')
const FULL_DATE = new RegExp(
  `\\b${MONTH}\\.?\\s+\\d{1,2},?\\s+\\d{4}|\\b\\d{1,2}\\.?\\s+${MONTH}\\.?,?\\s+\\d{4}|\\b\\d{1,4}[./-]\\d{1,2}[./-]\\d{2,4}\\b`,
  'gu',
)
const NUMBER_WORDS =
  /\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|million|billion|dozen|half|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|hundert|tausend|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|cien|mil|deux|trois|quatre|cinq|sept|huit|neuf|dix|cent|mille|twee|drie|vijf|zes|zeven|tien)\b|[一二三四五六七八九十百千万两]/iu
const NUMBER = /\d/
export const MONEY =
  /[$€£¥₹₩]\s?\d|\d\s?[$€£¥₹₩]|\b(?:USD|EUR|GBP|CHF|JPY|CAD|AUD)\b|\b(?:dollars?|euros?|pounds?|francs?)\b|\d[.,]\d\d\b|\d[,.'’ ]\d{3}\b|元/iu
const PERCENT = /\d\s?%|\bper ?cent\b|\bprozent\b|\bpor ciento\b|\bpour cent\b|百分/iu
const TIME =
  /\b\d{1,2}\s?[:h.]\s?\d{2}\b|\b\d{1,2}:\d{2}[ap]\b|\b\d{1,2}\s?(?:am|pm|a\.m\.|p\.m\.|uhr|h)\b|\bnoon\b|\bmidnight\b|点/iu
/** "When does the train leave?" may be answered with a time. */
const CLOCK = /^\d{1,2}:\d\d(?:\s?[ap](?:\.?m\.?)?)?$/iu
const COUNT =
  '(?:\\d|\\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|hundred|few|several|half|eine?[mnrs]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf|dreißig|una?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|doce|treinta|une|deux|trois|quatre|cinq|sept|huit|neuf|dix|douze|trente|een|twee|drie|vijf|zes|zeven|acht|negen|tien)\\b)'
/** "ten (10) years", "30 calendar days", "3.5-hour". */
const DURATION = new RegExp(
  `${COUNT}\\s*(?:\\(\\d+\\))?\\s*-?(?:(?:calendar|business|working|full|consecutive|more)\\s+)?(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|sekunden?|minuten?|stunden?|tagen?|wochen?|monaten?|jahren?|segundos?|minutos?|horas?|días?|semanas?|meses|años?|jours?|semaines?|mois|ans?|années?|dagen|weken|maanden|jaar)\\b|[年月天日周小时分钟]|년`,
  'iu',
)
/** A number that is dialed: groups of digits, eight or more in all. */
const PHONE =
  /(?<![\w./-])(?:\+\d{1,3}[ .-]?)?(?:\(\d{1,5}\)[ .-]?)?\d{1,5}(?:(?: ?[-./–] ?| )\d{1,5}){1,5}(?![\w/]|[.,]\d)/gu
export const EMAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gu
const NAME = /\p{Lu}[\p{L}’'.-]+/gu
const CODE = /\b(?=[\w/-]*\d)[\w/-]{3,}\b|\b\p{Lu}{3,}\b/u
const REASON =
  /\b(?:because|since|due to|in order|so that|therefore|as a result|caused|reason|weil|da|denn|um zu|aufgrund|wegen|porque|ya que|debido|para|parce|car|afin|omdat|want|to)\b|因为|由于|以便/iu
/** A code such as SF-1008 is no amount. */
const LETTER_BESIDE_DIGIT = /\p{L}-?\d|\d-?\p{L}/u
const UNCASED =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Arabic}\p{Script=Thai}]/u

/** `isAsked` marks words of the question, which cannot be its answer. `isValue`: the text is the value of a label. */
export function holdsKind(
  text: string,
  kind: AnswerKind,
  { isAsked, isValue }: { isAsked: (word: string) => boolean; isValue: boolean },
): boolean {
  const rest = text.replace(/[\p{L}\p{N}][\p{L}\p{N}\p{M}.,'’/-]*/gu, (word) =>
    /\d|^\p{Lu}/u.test(word) && isAsked(word.replace(/[.,]+$/, '')) ? ' ' : word,
  )
  return HOLDS[kind](rest, isValue)
}

const MIN_DIALED = 8
/** Two postal codes. */
const TWO_CODES = /^[1-9]\d{4}\s\d{5}$/
const ANY_DATE = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$/

/** Telephone numbers and their places. */
export const phonesIn = (text: string): RegExpExecArray[] =>
  [...text.matchAll(PHONE)].filter(
    ([number]) => number.replace(/\D/g, '').length >= MIN_DIALED && !ANY_DATE.test(number) && !TWO_CODES.test(number),
  )

const MIN_PHONE_DIGITS = 6

/** "Tel. 089 /286629-0": the label says that it is a telephone number, whatever its form is. */
export const isLabeledPhone = ({ label, text }: { label: string; text: string }): boolean =>
  /^(?:tele?phone|phone|tel|telefon|teléfono|téléphone|mobile|mobil)\b/iu.test(label) &&
  !/\p{L}{3}/u.test(text) &&
  text.replace(/\D/g, '').length >= MIN_PHONE_DIGITS

const hasNumber = (rest: string): boolean => NUMBER.test(rest) || NUMBER_WORDS.test(rest)
/** The day and the year of a date are no answer to "How many?" */
const withoutDates = (text: string): string =>
  text
    .replace(FULL_DATE, ' ')
    .replace(WRITTEN_DATE, ' ')
    .replace(/(?<![\w.,$€£])(?:19|20)\d\d(?![\w]|[.,]\d|\s\p{L})/gu, ' ')
/** A short text may be nothing but the name. */
const MAX_BARE_NAME = 60
const hasName = (rest: string): boolean =>
  UNCASED.test(rest) ||
  [...rest.replace(WRITTEN_DATE, ' ').matchAll(NAME)].some(
    ({ 0: name, index }) =>
      !TITLE.test(name) && (index > 0 || name.length < rest.length / 2 || rest.length < MAX_BARE_NAME),
  )
/** Parts of names that say nothing alone. */
const TITLE = /^(?:Dr|Mr|Mrs|Ms|Prof|Inc|Ltd|LLC|Co|Corp|GmbH|AG|Herr|Frau|Dear)\.?$/u
const HOLDS: Record<AnswerKind, (rest: string, isValue: boolean) => boolean> = {
  money: (rest, isValue) => {
    const amounts = rest.replace(/\d[\d.,]*\s?%/gu, ' ')
    return MONEY.test(amounts) || (isValue && NUMBER.test(amounts) && !LETTER_BESIDE_DIGIT.test(amounts))
  },
  number: (rest, isValue) => hasNumber(isValue ? rest : withoutDates(rest)),
  percent: (rest, isValue) => PERCENT.test(rest) || (isValue && NUMBER.test(rest)),
  date: (rest, isValue) => DATE.test(rest) || RECURRENCE.test(rest) || (isValue && CLOCK.test(rest.trim())),
  time: (rest) => TIME.test(rest),
  frequency: (rest) => RECURRENCE.test(rest) || FREQUENCY.test(rest),
  duration: (rest) => DURATION.test(rest) && hasNumber(rest),
  phone: (rest) => phonesIn(rest).length > 0,
  email: (rest) => rest.search(EMAIL) >= 0,
  code: (rest) => CODE.test(rest) || NUMBER.test(rest),
  reason: (rest) => REASON.test(rest),
  yes_no: () => true,
  person: hasName,
  name: hasName,
  place: hasName,
}
