// A question → the kind of answer that it expects.

export type AnswerKind =
  | 'money'
  | 'number'
  | 'percent'
  | 'date'
  | 'time'
  | 'duration'
  | 'frequency'
  | 'person'
  | 'place'
  | 'name'
  | 'code'
  | 'phone'
  | 'email'
  | 'yes_no'
  | 'reason'

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
    /\bhow long\b|\bhow many (?:seconds|minutes|hours|days|weeks|months|years)\b|\bwie ?viele (?:sekunden|minuten|stunden|tage|wochen|monate|jahre)\b|\bcombien de (?:jours|mois|semaines|heures)\b|\bcuánt[oa]s (?:días|meses|años|horas|semanas)\b|\bwie lange\b|\bcuánto tiempo\b|\bcombien de temps\b|\bhoe ?lang\b|\bquanto tempo\b|多久|多长时间|何(?:日|年|か月|ヶ月|時)間|\bnotice period\b/iu,
  ],
  [
    'frequency',
    /\bhow (?:often|frequently)\b|\bwie (?:oft|häufig)\b|\bcada cuánto\b|\bcon qué frecuencia\b|\bà quelle fréquence\b|\bhoe vaak\b|多久一次/iu,
  ],
  ['phone', /\b(?:tele)?phone number\b|\btelefonnummer\b|\bnuméro de téléphone\b|\bnúmero de teléfono\b/iu],
  ['email', /\be-?mail(?: address|-?adresse)?\b|\badresse (?:e-?mail|électronique)\b|\bcorreo electrónico\b/iu],
  ['code', /\b(?!(?:the|what|which|total|a)\b)\p{L}+ (?:number|id|code|symbol)\b|\p{L}{3,}nummer\b|\bvin\b|\biban\b/iu],
  ['percent', /\bpercent|\bwhat share\b|\bprozent|\bporcentaje\b|\bpourcentage\b|\bpercentage\b|百分|퍼센트/iu],
  [
    'date',
    /\bwhen\b|\b(?:what|which) (?:date|day|year|month|century|decade)\b|\bwann\b|\bwelche[sm]? (?:datum|jahr|tag|monat)|\bcuándo\b|\bqué (?:fecha|año|día|mes|siglo)\b|\bquand\b|\bquel (?:jour|mois)\b|\bquelle (?:date|année)\b|\bwanneer\b|\bwelke datum\b|\bquando\b|什么时候|いつ|何时|哪一?年|哪一?天|日期|언제/iu,
  ],
  [
    'money',
    /(?<!\bby )\bhow much (?:does|did|do|is|was|were|are|will|must|money)\b|\b(?:price|cost|fee|salary|budget|deductible|premium|penalty|rent)\b|\bgrand total\b|\b(?:total|gross|net|bill|invoice) (?:amount|of|due|price)\b|\bkostet\b|\bwie ?viel\b.*\b(?:be)?zahl|\bcuesta\b|\bcoûte\b|\bbudget\b|\bpreis\b|\bprecio\b|\bprix\b|\bmontant\b|\bimporte\b|\bbetrag\b|\bbedrag\b|\bimporto\b|多少钱|いくら/iu,
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
  [
    'name',
    /\b(?:which|what) (?:university|college|school|company|firm|bank|institut(?:e|ion)|organi[sz]ation|agency|department|hospital|country|city|state|court|airline|merchant|store|shop|brand|manufacturer|carrier|author)\b|\bwelche[rmns]? (?:universität|hochschule|schule|firma|bank|behörde|abteilung|krankenhaus|land|stadt|gericht|hersteller)\b|\bqué (?:universidad|escuela|empresa|compañía|banco|país|ciudad|hospital)\b|\bquelle? (?:université|école|entreprise|société|banque|pays|ville|hôpital)\b/iu,
  ],
  [
    'place',
    /\bwhere\b|\b(?:at|in|to) (?:what|which) (?:address|location|venue|place)\b|\bwo\b|\bwoher\b|\bwohin\b|\bdónde\b|\bwaar\b|\bdove\b|\bonde\b|\boù\b|哪里|在哪|어디/iu,
  ],
]

/** "the pay date" of "What is the pay date of Ann Lee?": its last word says what is expected. */
const HEAD =
  /^(?:(?:on|by|at|from|for|in) )?(?:what|which) (?:(?:is|was|are|were) )?(?:the |\p{L}+['’]s? )?((?:[\p{L}-]+ ){0,4}?[\p{L}-]+)(?= (?:of|on|for|in|at|from|to|per|with|including|after|before|by|did|does|do|was|were|is|are|must|has|have|can|should)\b|\s*\?)/iu
const HEADS: [AnswerKind, string][] = [
  ['date', 'date day deadline birthday'],
  ['time', 'time hour'],
  [
    'money',
    'amount subtotal sub-total total price cost fee salary balance tax rent premium deductible budget sum pay wage payment deposit vat tip gratuity freight surcharge revenue income profit turnover earnings expense expenses refund fine',
  ],
  [
    'number',
    'quantity population distance weight height temperature score speed age depth length accuracy production area count rate capacity pressure voltage torque volume demand load width diameter thickness size discount charge',
  ],
  ['percent', 'percentage share'],
]
const HEAD_KINDS = new Map(HEADS.flatMap(([kind, words]) => words.split(' ').map((word) => [word, kind] as const)))

/** null: the question does not say what it expects. */
export function expectedKind(text: string): AnswerKind | null {
  const words = HEAD.exec(text)?.[1]?.toLowerCase().split(' ') ?? []
  // "the balance due" is a balance.
  const head = words.findLast((word) => !/^(?:due|paid|payable|owed|charged)$/.test(word))
  // "How many" and the like come before the head: "What is the total number of guests?" asks for a number.
  const isNumberOf = /\bnumber of\b/i.test(text)
  const byHead = head === undefined || isNumberOf ? undefined : HEAD_KINDS.get(head)
  return byHead ?? KINDS.find(([, pattern]) => pattern.test(text))?.[0] ?? null
}
