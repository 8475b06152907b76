import type { Random } from '../../lib/random.ts'
import type { EvalPaper } from './paper.ts'
import { letter_schema } from './schemas.ts'
import { companies, type PaperLanguage, people, streets, towns } from './words.ts'
import { addDays, type Hand, handOf, someDate } from './writing.ts'

interface Letter {
  sender: string
  recipient: string
  company: string
  address: string
  date: string
  subject: string
  deadline: string | null
  body: string
  hand: Hand
}

interface Matter {
  subject: string
  /** `DATE` is the deadline. `without` replaces the sentence if the letter has no deadline. */
  asks: string
  without: string
  more: string
}

const matters: Record<PaperLanguage, readonly Matter[]> = {
  en: [
    {
      subject: 'Renewal of your lease',
      asks: 'Please let us know by DATE whether you wish to renew the lease.',
      without: 'There is nothing that you need to do at this time.',
      more: 'Your present lease of the flat ends next year, and the rent would stay the same for the first twelve months.',
    },
    {
      subject: 'Missing documents for your application',
      asks: 'We can only go on if the certificates reach us no later than DATE.',
      without: 'You may hand in the certificates whenever it suits you.',
      more: 'We have read your application with interest, and two certificates named in it were not enclosed.',
    },
    {
      subject: 'Complaint about a late delivery',
      asks: 'I expect your written answer until DATE.',
      without: 'I would be glad to hear how you intend to avoid this in future.',
      more: 'The goods that were promised for the start of the month arrived nine days late, and two boxes were damaged.',
    },
    {
      subject: 'Invitation to the annual meeting',
      asks: 'Kindly confirm your attendance before the end of DATE.',
      without: 'No registration is required.',
      more: 'The board will report on the past year, and the members will vote on the new statutes.',
    },
    {
      subject: 'Termination of the service agreement',
      asks: 'All equipment must be returned to our office by DATE at the latest.',
      without: 'We will collect the equipment ourselves.',
      more: 'We hereby give notice of the agreement for the maintenance of our copying machines.',
    },
  ],
  de: [
    {
      subject: 'Verlängerung Ihres Mietvertrags',
      asks: 'Bitte teilen Sie uns bis zum DATE mit, ob Sie den Vertrag verlängern möchten.',
      without: 'Sie müssen derzeit nichts unternehmen.',
      more: 'Ihr Mietvertrag läuft im kommenden Jahr aus; die Miete bliebe im ersten Jahr unverändert.',
    },
    {
      subject: 'Fehlende Unterlagen zu Ihrem Antrag',
      asks: 'Die Nachweise müssen spätestens am DATE bei uns eingehen.',
      without: 'Die Nachweise können Sie jederzeit nachreichen.',
      more: 'Ihren Antrag haben wir geprüft; zwei der genannten Nachweise lagen ihm nicht bei.',
    },
    {
      subject: 'Beschwerde über eine verspätete Lieferung',
      asks: 'Ich erwarte Ihre schriftliche Antwort bis DATE.',
      without: 'Über eine Stellungnahme würde ich mich freuen.',
      more: 'Die für Monatsbeginn zugesagte Ware traf neun Tage zu spät ein, zwei Kartons waren beschädigt.',
    },
  ],
}

const distractors: Record<PaperLanguage, (date: string) => string> = {
  en: (date) => `We refer to our conversation of ${date}.`,
  de: (date) => `Wir beziehen uns auf unser Gespräch vom ${date}.`,
}

function drawLetter(random: Random, language: PaperLanguage): Letter {
  const [sender, recipient] = random.shuffle(people) as [string, string]
  const matter = random.one(matters[language])
  const hand = handOf(random, language)
  const date = someDate(random)
  const deadline = random.next() < 0.75 ? addDays(date, random.whole(7, 60)) : null
  const asks = deadline ? matter.asks.replace('DATE', hand.date(deadline)) : matter.without
  const earlier = random.next() < 0.6 ? [distractors[language](hand.date(addDays(date, -random.whole(3, 40))))] : []
  return {
    sender,
    recipient,
    company: random.one(companies),
    address: `${random.one(streets)}\n${random.one(towns)}`,
    date,
    subject: matter.subject,
    deadline,
    body: [...earlier, ...random.shuffle([matter.more, asks])].join(' '),
    hand,
  }
}

const words = {
  en: {
    subject: 'Subject',
    re: 'Re',
    dear: 'Dear',
    regards: ['Yours sincerely', 'Kind regards'],
    from: 'From',
    to: 'To',
    date: 'Date',
  },
  de: {
    subject: 'Betreff',
    re: 'Betr.',
    dear: 'Guten Tag',
    regards: ['Mit freundlichen Grüßen', 'Freundliche Grüße'],
    from: 'Von',
    to: 'An',
    date: 'Datum',
  },
} as const

type LettersLayout = (letter: Letter, random: Random) => string

const layouts: Record<string, LettersLayout> = {
  formal(letter, random) {
    const say = words[letter.hand.language]
    return [
      letter.company,
      letter.address,
      '',
      letter.recipient,
      '',
      letter.hand.date(letter.date),
      '',
      letter.subject,
      '',
      `${say.dear} ${letter.recipient},`,
      '',
      letter.body,
      '',
      random.one(say.regards),
      letter.sender,
    ].join('\n')
  },
  memo(letter) {
    const say = words[letter.hand.language]
    return [
      `${say.from}: ${letter.sender}, ${letter.company}`,
      `${say.to}: ${letter.recipient}`,
      `${say.date}: ${letter.hand.date(letter.date)}`,
      `${say.subject}: ${letter.subject}`,
      '',
      letter.body,
    ].join('\n')
  },
  short(letter, random) {
    const say = words[letter.hand.language]
    const town = letter.address.split('\n')[1]
    return [
      `${town}, ${letter.hand.date(letter.date)}`,
      `${say.re}: ${letter.subject}`,
      '',
      `${say.dear} ${letter.recipient},`,
      letter.body,
      `${random.one(say.regards)}, ${letter.sender} (${letter.company})`,
    ].join('\n')
  },
}

export function makeLetter(random: Random, at: number): EvalPaper {
  const language: PaperLanguage = at % 3 === 2 ? 'de' : 'en'
  const letter = drawLetter(random, language)
  const names = Object.keys(layouts)
  const layout = names[Math.floor(at / 3) % names.length] as string
  const { sender, recipient, date, subject, deadline } = letter
  return {
    id: `letter-${at + 1}`,
    kind: 'letter',
    language,
    layout,
    pages: [(layouts[layout] as LettersLayout)(letter, random)],
    schema: letter_schema,
    expected: { sender, recipient, date, subject, deadline },
  }
}
