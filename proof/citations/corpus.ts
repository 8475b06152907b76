// Documents whose offsets are easy to get wrong: many languages, characters outside the Basic Multilingual Plane,
// combining or invisible marks, tables, noise like that of a poor scan, the same sentence on several pages.

import { readProse } from '../corpus/texts.ts'
import { makeBook } from '../lib/book.ts'

export interface Specimen {
  title: string
  pages?: string[]
  file?: { media_type: string; name: string; bytes: Uint8Array }
}

const LANGUAGES = ['en', 'de', 'fr', 'es', 'pl', 'ru', 'ar', 'zh', 'ja'] as const

function proseOf(language: (typeof LANGUAGES)[number]): string[] {
  const lines = readProse(language).pieces.map((piece) =>
    piece.type === 'list' ? piece.items.join('\n') : 'text' in piece ? piece.text : '',
  )
  const half = Math.ceil(lines.length / 2)
  return [lines.slice(0, half).join('\n\n'), lines.slice(half).join('\n\n')]
}

const EMOJI = `🏠 The lease 📄 of flat 7️⃣ began on 1 March 2021 🎉🎉. 👨‍👩‍👧‍👦 The family pays 1,240 euros 💶 a month for it.
🇩🇪 The deposit of 3,720 euros was paid on 14 February 2021 ✅. 🐈‍⬛ One cat is allowed, and no more than 2 birds 🦜🦜.
Write to flat7@example.com 📧 or call +44 20 7946 0958 ☎️ before 30 June 2026 ⏰.`

const ASTRAL = `𝕿𝖍𝖊 𝖈𝖔𝖓𝖙𝖗𝖆𝖈𝖙 𝖔𝖋 the mill 𝟏𝟐𝟒𝟎 names 𠮷野 and 𡈽屋 as owners since 1988. 𒀀𒀁 The miller grinds 640 sacks of wheat each autumn 𐍈.
In the year 2014 the wheel 𝄞 was repaired for 18,500 crowns by the brothers 𠀋. Nobody has ever counted the 𓀀 mice of the mill.`

const COMBINING = `Le cafe\u0301 de la re\u0301gate a ouvert en 1974 et sert 85 repas par jour. La de\u0301cision du 3 mai 2019 pre\u0301voit un loyer de 2 150 euros.
İstanbul'daki ofis 2011 yılında açıldı ve 45 kişi çalışıyor. ﬁnally the ofﬁce was ﬁned 300 euros in 2018 for its ﬂoor. Die STRASSE und die Straße sind 12 km lang.`

const UNSEEN = `The in\u00adsur\u00adance cov\u00aders dam\u00adage up to 75,000 euros in each year of the con\u00adtract.
The\u200b premium\u200b of 412 euros is\u00a0due\u2009on the 5th of\u202fJanuary. \ufeffIt ends\u2060 without notice on 31 December 2030.
Tabs\tand\u3000wide spaces\u2003stand  in   this    sentence, which speaks of 19 trees.`

const NOISE = `lnvoice N0. 4711 — Date: 12.O3.2024\nQuantlty   Descr1ption          Arnount\n3 pcs.     Hamrner, forged      57,90 EUR\n12 pcs.    Wood screw 5 x 8O     3,48 EUR
T0tal arnount due within 3O days:   61,38 EUR\nThe goods rernain the property of the seller unti1 the full payrnent of 61,38 EUR has been rece1ved.`

const TABLE = `Region\tUnits\tRevenue\nNorth\t1 204\t88,100.50\nSouth\t977\t71,022.00\nEast\t1 310\t90,004.75\nThe East sold 1310 units in 2025, which is more than any other region of the company.`

const DIGITS = `بلغ إيجار المتجر في السوق القديم ١٢٤٠ دينارا في الشهر منذ عام ١٩٨٧ ولم يتغير بعد ذلك. दुकान का किराया हर महीने ३४५० रुपये है और यह २०१९ से नहीं बदला है।
The warehouse holds ６７８ crates and １２ barrels of oil in its northern hall since the spring.`

const REPEATED =
  'The keeper lights the lamp at 18 minutes past sunset. The keeper lights the lamp at 18 minutes past sunset.'

/** For a model that reads few words at once: its summary is joined from notes of many parts. */
function longPages(): string[] {
  return Array.from(
    { length: 40 },
    (_, i) =>
      `🚢 Ship ${1_000 + i} of the fleet carried ${3_000 + 7 * i} barrels from the ${['north', 'south', 'east', 'west'][i % 4]} harbour in the year ${1_900 + i}. ${REPEATED} ${'Its crew sang on the way and counted the gulls above the mast. '.repeat(12)}`,
  )
}

const csv = [
  'name,city,amount',
  ...Array.from({ length: 30 }, (_, i) => `Customer ${i} 🧾,City ${i * 3},${1_000 + i * 37}.${10 + i}`),
].join('\n')
const html = `<!doctype html><title>Orchard</title><h1>The orchard 🍎</h1><p>The orchard has 212 apple trees and 31 pear trees &amp; a well.</p>
<table><tr><th>Tree</th><th>Count</th></tr><tr><td>Apple 🍏</td><td>212</td></tr><tr><td>Pear</td><td>31</td></tr></table>
<p>In 2022 the harvest was 4,310 kilograms, <b>the best</b> since 1996.</p>`

const specimenFile = (name: string, media_type: string, bytes: string | Uint8Array): Specimen => ({
  title: name,
  file: { name, media_type, bytes: Buffer.from(bytes as string) },
})

export async function makeCorpus(is_short: boolean): Promise<Specimen[]> {
  const languages = is_short ? (['en', 'ar', 'zh'] as const) : LANGUAGES
  return [
    ...languages.map((language) => ({ title: `Prose ${language}`, pages: proseOf(language) })),
    { title: 'Emoji', pages: [EMOJI, `${EMOJI}\n\n${ASTRAL}`] },
    { title: 'Astral', pages: [ASTRAL] },
    { title: 'Combining', pages: [COMBINING] },
    { title: 'Unseen', pages: [UNSEEN] },
    { title: 'Digits', pages: [DIGITS] },
    { title: 'Noise', pages: [NOISE, TABLE] },
    { title: 'Repeated', pages: [REPEATED, `😀 ${REPEATED}`, REPEATED] },
    specimenFile('customers.csv', 'text/csv', csv),
    specimenFile('orchard.html', 'text/html', html),
    specimenFile('river.pdf', 'application/pdf', await makeBook({ pages: is_short ? 3 : 12, seed: 7 })),
    { title: 'Fleet', pages: is_short ? longPages().slice(0, 16) : longPages() },
  ]
}
