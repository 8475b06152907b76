// What made-up papers are made of. All names are invented.

export const companies = [
  'Nordwind Logistics Ltd',
  'Brightwater Supplies',
  'Hollis & Crane LLP',
  'Pinecrest Software Inc.',
  'Alder Timber Co.',
  'Quillfeather Press',
  'Marlowe Catering',
  'Sandpiper Travel',
  'Vesper Optics GmbH',
  'Oakhurst Dental Supply',
  'Tidewater Cleaning',
  'Copperline Electric',
  'Fennel & Rye Bakery',
  'Lumen Studio',
  'Ravenscroft Security',
  'Kestrel Consulting',
  'Blue Heron Printing',
  'Larkspur Gardens',
  'Ironbridge Tools',
  'Whitby Data Services',
] as const

export const people = [
  'Anna Whitfield',
  'Tomas Berger',
  'Ruth Okafor',
  'Daniel Marsh',
  'Leila Haddad',
  'Peter Lindqvist',
  'Grace Tan',
  'Martin Vogel',
  'Isabel Moreno',
  'Henry Aldous',
  'Nadia Petrov',
  'Oliver Finch',
  'Clara Jansen',
  'Samuel Boyd',
  'Ingrid Solheim',
  'Victor Reyes',
] as const

export const streets = [
  '12 Harbour Street',
  '48 Mill Lane',
  '7 Station Road',
  '230 Orchard Avenue',
  '91 Chapel Hill',
  '5 Weavers Yard',
  '16 Quay Side',
] as const
export const towns = ['Ashford', 'Kingsbridge', 'Millhaven', 'Port Ellis', 'Stonegate', 'Westbrook', 'Larkfield', 'Dunmere'] as const

export const goods = [
  ['Office chair, black', 'Bürostuhl, schwarz'],
  ['Printer paper A4, box', 'Druckerpapier A4, Karton'],
  ['Desk lamp', 'Schreibtischlampe'],
  ['Network cable 10 m', 'Netzwerkkabel 10 m'],
  ['Consulting, day rate', 'Beratung, Tagessatz'],
  ['Delivery and assembly', 'Lieferung und Montage'],
  ['Cleaning service, monthly', 'Reinigung, monatlich'],
  ['Safety gloves, pair', 'Schutzhandschuhe, Paar'],
  ['Toner cartridge', 'Tonerkartusche'],
  ['Software licence, annual', 'Softwarelizenz, jährlich'],
  ['Whiteboard 120 x 90', 'Whiteboard 120 x 90'],
  ['Extension lead', 'Verlängerungskabel'],
  ['Training workshop', 'Schulung'],
  ['Filing cabinet', 'Aktenschrank'],
  ['Coffee beans 1 kg', 'Kaffeebohnen 1 kg'],
] as const

export const months = {
  en: ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'],
  de: ['Januar', 'Februar', 'März', 'April', 'Mai', 'Juni', 'Juli', 'August', 'September', 'Oktober', 'November', 'Dezember'],
} as const
export type PaperLanguage = keyof typeof months
