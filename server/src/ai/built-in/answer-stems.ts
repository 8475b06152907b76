// The stem of a word, and words that questions and documents use for the same thing.

const STEM_CHARACTERS = 6
/** Compounds such as "Factuurnummer" and "Factuurdatum" differ late, "Rechnungsnummer" and "Rechnungsdatum" even later. */
const LONG_STEMS = [
  { word: 14, stem: 12 },
  { word: 11, stem: 9 },
] as const

/** Case, accents and common endings do not count. */
export function stemOf(word: string): string {
  const plain = word
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/['’]s$/, '')
  if (/\d/.test(plain)) return plain.replace(/(?<=\d)[.,'’](?=\d{3}(?!\d))/g, '')
  const single = plain.length > 3 && plain.endsWith('s') && !plain.endsWith('ss') ? plain.slice(0, -1) : plain
  const verb = single.replace(/(?<=\p{L}{4})(?:ing|ed)$|(?<=\p{L}{5})[ae]nce$/u, '')
  const base = verb.length > 4 && verb.endsWith('e') ? verb.slice(0, -1) : verb
  const length = LONG_STEMS.find(({ word }) => base.length >= word)?.stem ?? STEM_CHARACTERS
  return [...base].slice(0, length).join('')
}

/** The first word stands for all of its line. */
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
    'quantity qty',
    'amount amt',
    'including incl inclusive',
    'excluding excl exclusive',
    'maximum max',
    'minimum min',
    'temperature temp',
    'department dept',
    'kilometer kilometers kilometre kilometres km',
    'win won winner winning winners',
    'take took taken',
    'make made maker',
    'buy bought',
    'sell sold',
    'go went gone',
    'come came',
    'see saw seen',
    'know knew known',
    'speak spoke spoken speaker',
    'teach taught teacher',
    'bring brought',
    'build built builder',
    'spend spent',
    'lend lent',
    'lose lost loss',
    'keep kept keeper',
    'leave left',
    'meet met',
    'lead led leader',
    'run ran',
    'drive drove driven driver',
    'rise rose risen',
    'fall fell fallen',
    'draw drew drawn',
    'break broke broken',
    'steal stole stolen theft',
    'throw threw thrown',
    'eat ate eaten',
    'fly flew flown',
    'become became',
    'strike struck',
    'fight fought',
    'seek sought',
    'withdraw withdrew withdrawn withdrawal',
    'freeze froze frozen',
    'salary wage earn',
    'hour hourly',
    'vehicle car automobile',
    'doctor physician',
    'attorney lawyer',
    'zip postal postcode',
    'annual yearly annually',
    'headquarters hq',
    'vat umsatzsteuer mwst ust mehrwertsteuer tva iva btw',
    'write wrote written writer author authors authored',
    'begin began begun start starts',
    'send sent sender',
    'hold held',
    'found foundation founder founders',
    'sign signature signatory',
    'expire expiry expiration expires',
    'die death dead deaths',
    'weigh weight',
    'grow grew grown growth',
    'choose chose chosen',
    'arrive arrival',
  ].flatMap((line) => {
    const [first = '', ...others] = line.split(' ').map(stemOf)
    return others.map((other) => [other, first] as const)
  }),
)

export const synonymOf = (stem: string): string => SYNONYMS.get(stem) ?? stem

/** The head of a letter has labels that a question does not repeat: "Who sent the letter?" */
const ALIASES: [label: RegExp, stems: string[]][] = [
  [/^(?:from|von|de|van)$/iu, ['writ', 'send']],
  [/^(?:to|an|à|a|para|aan)$/iu, ['addres', 'recipi', 'receiv']],
  [/^(?:subject|re|betreff|objet|asunto|onderwerp)$/iu, ['subjec', 'about', 'topic']],
]

/** Stems that mean the same as the label of a letter. Empty for other labels. */
export const aliasesOf = (label: string): string[] =>
  ALIASES.find(([pattern]) => pattern.test(label.replace(/[\s:：]+$/u, '').trim()))?.[1] ?? []
