import type { Random } from '../../lib/random.ts'
import type { EvalPaper } from './paper.ts'
import { invoice_schema } from './schemas.ts'
import { companies, goods, type PaperLanguage, people, streets, towns } from './words.ts'
import { addDays, type Hand, handOf, someDate } from './writing.ts'

interface Invoice {
  vendor: string
  number: string
  date: string
  due_date: string | null
  currency: string
  total_cents: number
  net_cents: number
  tax_cents: number
  items: { description: string; quantity: number; unit_cents: number }[]
  customer: string
  address: string
  hand: Hand
  /** How the currency is written on this paper. */
  mark: string
}

const marks: Record<string, readonly string[]> = {
  EUR: ['EUR', '€'],
  USD: ['USD', '$', 'US$'],
  GBP: ['GBP', '£'],
  CHF: ['CHF', 'Fr.'],
}
const numbers: readonly ((random: Random) => string)[] = [
  (random) => `INV-${random.whole(2025, 2026)}-${random.whole(1000, 9999)}`,
  (random) => `${random.whole(100_000, 999_999)}`,
  (random) => `R${random.whole(10, 99)}/${random.whole(100, 999)}`,
  (random) => `${random.one(['A', 'B', 'NW', 'KX'])}-${random.whole(10_000, 99_999)}`,
]
const TAX = [0.07, 0.19, 0.2, 0.081]
const terms = [7, 10, 14, 21, 30, 45]

function drawInvoice(random: Random, language: PaperLanguage): Invoice {
  const items = random
    .shuffle(goods)
    .slice(0, random.whole(1, 5))
    .map((names) => ({
      description: names[language === 'de' ? 1 : 0] as string,
      quantity: random.whole(1, 12),
      unit_cents: random.whole(150, 90_000),
    }))
  const net_cents = items.reduce((sum, { quantity, unit_cents }) => sum + quantity * unit_cents, 0)
  const tax_cents = Math.round(net_cents * random.one(TAX))
  const currency = language === 'de' ? random.one(['EUR', 'CHF']) : random.one(['EUR', 'USD', 'GBP'])
  const date = someDate(random)
  return {
    vendor: random.one(companies),
    number: random.one(numbers)(random),
    date,
    due_date: random.next() < 0.85 ? addDays(date, random.one(terms)) : null,
    currency,
    net_cents,
    tax_cents,
    total_cents: net_cents + tax_cents,
    items,
    customer: random.one(people),
    address: `${random.one(streets)}\n${random.one(towns)}`,
    hand: handOf(random, language),
    mark: random.one(marks[currency] as readonly string[]),
  }
}

type Layout = (invoice: Invoice, random: Random) => string[]

const labels = {
  en: {
    invoice: ['INVOICE', 'Invoice', 'Tax invoice'],
    number: ['Invoice no.', 'Invoice number', 'Reference', 'Document #'],
    date: ['Date', 'Invoice date', 'Issued', 'Date of issue'],
    due: ['Due date', 'Payment due', 'Please pay by', 'Due'],
    total: ['Total', 'Amount due', 'Grand total', 'Total payable'],
    net: 'Subtotal',
    tax: 'VAT',
    to: ['Bill to', 'Customer', 'Invoice to'],
    item: 'Description',
    quantity: 'Qty',
    unit: 'Unit price',
    amount: 'Amount',
  },
  de: {
    invoice: ['RECHNUNG', 'Rechnung'],
    number: ['Rechnungsnummer', 'Rechnung Nr.', 'Belegnummer'],
    date: ['Datum', 'Rechnungsdatum', 'Ausgestellt am'],
    due: ['Fällig am', 'Zahlbar bis', 'Zahlungsziel'],
    total: ['Gesamtbetrag', 'Rechnungsbetrag', 'Zu zahlen'],
    net: 'Nettobetrag',
    tax: 'MwSt.',
    to: ['Rechnung an', 'Kunde'],
    item: 'Bezeichnung',
    quantity: 'Menge',
    unit: 'Einzelpreis',
    amount: 'Betrag',
  },
} as const

const money = ({ hand, mark }: Invoice, cents: number): string =>
  mark.length > 1 || hand.language === 'de' ? `${hand.amount(cents)} ${mark}` : `${mark}${hand.amount(cents)}`

function itemLines(invoice: Invoice): string[] {
  const { hand, items } = invoice
  const names = labels[hand.language]
  const head = [
    names.item.padEnd(30),
    names.quantity.padStart(6),
    names.unit.padStart(14),
    names.amount.padStart(14),
  ].join('')
  const lines = items.map(({ description, quantity, unit_cents }) =>
    [
      description.padEnd(30),
      String(quantity).padStart(6),
      hand.amount(unit_cents).padStart(14),
      hand.amount(quantity * unit_cents).padStart(14),
    ].join(''),
  )
  return [head, ...lines]
}

const layouts: Record<string, Layout> = {
  /** Labels before a colon, a table, sums under it. */
  labelled(invoice, random) {
    const names = labels[invoice.hand.language]
    return [
      [
        invoice.vendor,
        invoice.address,
        '',
        random.one(names.invoice),
        `${random.one(names.number)}: ${invoice.number}`,
        `${random.one(names.date)}: ${invoice.hand.date(invoice.date)}`,
        ...(invoice.due_date ? [`${random.one(names.due)}: ${invoice.hand.date(invoice.due_date)}`] : []),
        `${random.one(names.to)}: ${invoice.customer}`,
        '',
        ...itemLines(invoice),
        '',
        `${names.net}: ${money(invoice, invoice.net_cents)}`,
        `${names.tax}: ${money(invoice, invoice.tax_cents)}`,
        `${random.one(names.total)}: ${money(invoice, invoice.total_cents)}`,
      ].join('\n'),
    ]
  },
  /** Labels and values in two lines, as columns come out of a PDF. */
  columns(invoice, random) {
    const names = labels[invoice.hand.language]
    const pairs = [
      [random.one(names.number), invoice.number],
      [random.one(names.date), invoice.hand.date(invoice.date)],
      ...(invoice.due_date ? [[random.one(names.due), invoice.hand.date(invoice.due_date)]] : []),
    ] as [string, string][]
    const widths = pairs.map(([label, value]) => Math.max(label.length, value.length) + 4)
    return [
      [
        random.one(names.invoice),
        '',
        pairs
          .map(([label], at) => label.padEnd(widths[at] as number))
          .join('')
          .trimEnd(),
        pairs
          .map(([, value], at) => value.padEnd(widths[at] as number))
          .join('')
          .trimEnd(),
        '',
        random.one(names.to),
        invoice.customer,
        invoice.address,
        '',
        ...itemLines(invoice),
        `${names.net.padEnd(50)}${invoice.hand.amount(invoice.net_cents).padStart(14)}`,
        `${names.tax.padEnd(50)}${invoice.hand.amount(invoice.tax_cents).padStart(14)}`,
        `${`${random.one(names.total)} (${invoice.currency})`.padEnd(50)}${invoice.hand.amount(invoice.total_cents).padStart(14)}`,
        '',
        invoice.vendor,
      ].join('\n'),
    ]
  },
  /** Running text, as small firms write by mail. */
  prose(invoice) {
    const { hand, items, vendor, number } = invoice
    const due = invoice.due_date
    if (hand.language === 'de') {
      const list = items
        .map((item) => `${item.quantity} × ${item.description} zu je ${money(invoice, item.unit_cents)}`)
        .join('; ')
      return [
        `${vendor}\n${invoice.address}\n\nGuten Tag ${invoice.customer},\n\nfür unsere Leistungen stellen wir Ihnen mit Rechnung ${number} vom ` +
          `${hand.date(invoice.date)} Folgendes in Rechnung: ${list}.\n\nZusammen mit ${money(invoice, invoice.tax_cents)} Mehrwertsteuer ` +
          `ergibt das ${money(invoice, invoice.total_cents)}.${due ? ` Bitte überweisen Sie den Betrag bis zum ${hand.date(due)}.` : ''}\n\n` +
          `Mit freundlichen Grüßen\n${vendor}`,
      ]
    }
    const list = items
      .map((item) => `${item.quantity} × ${item.description} at ${money(invoice, item.unit_cents)} each`)
      .join('; ')
    return [
      `${vendor}\n${invoice.address}\n\nDear ${invoice.customer},\n\nthank you for your order. This is invoice ${number} of ` +
        `${hand.date(invoice.date)} for the following: ${list}.\n\nWith ${money(invoice, invoice.tax_cents)} of VAT the amount payable is ` +
        `${money(invoice, invoice.total_cents)}.${due ? ` Kindly settle it by ${hand.date(due)}.` : ''}\n\nKind regards\n${vendor}`,
    ]
  },
  /** The table on the first page, the sums on the second. */
  two_pages(invoice, random) {
    const names = labels[invoice.hand.language]
    return [
      [
        `${invoice.vendor} · ${invoice.address.replace('\n', ' · ')}`,
        `${random.one(names.invoice)} ${invoice.number}`,
        `${random.one(names.date)} ${invoice.hand.date(invoice.date)}`,
        `${random.one(names.to)} ${invoice.customer}`,
        '',
        ...itemLines(invoice),
      ].join('\n'),
      [
        `${invoice.vendor} · ${invoice.number} · 2 / 2`,
        `${names.net} ${money(invoice, invoice.net_cents)}`,
        `${names.tax} ${money(invoice, invoice.tax_cents)}`,
        `${random.one(names.total)} ${money(invoice, invoice.total_cents)}`,
        ...(invoice.due_date ? [`${random.one(names.due)} ${invoice.hand.date(invoice.due_date)}`] : []),
      ].join('\n'),
    ]
  },
}

export function makeInvoice(random: Random, at: number): EvalPaper {
  const language: PaperLanguage = at % 3 === 2 ? 'de' : 'en'
  const invoice = drawInvoice(random, language)
  const names = Object.keys(layouts)
  const layout = names[Math.floor(at / 3) % names.length] as string
  const { vendor, number, date, due_date, currency, total_cents, items } = invoice
  return {
    id: `invoice-${at + 1}`,
    kind: 'invoice',
    language,
    layout,
    pages: (layouts[layout] as Layout)(invoice, random),
    schema: invoice_schema,
    expected: {
      vendor,
      number,
      date,
      due_date,
      currency,
      total: total_cents / 100,
      line_items: items.map(({ description, quantity, unit_cents }) => ({
        description,
        quantity,
        unit_price: unit_cents / 100,
      })),
    },
  }
}
