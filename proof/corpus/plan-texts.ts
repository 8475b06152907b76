// Files of prose: every format and every language.

import iconv from 'iconv-lite'
import { makeHtml, makeMarkdown } from './html.ts'
import { type Language, languages } from './model.ts'
import {
  byHand,
  byOffice,
  byPandoc,
  byTypst,
  type Order,
  order,
  prose,
  proseByHeading,
  proseInColumns,
} from './orders.ts'
import { makeMail, makeText } from './plain.ts'
import { makeFodp } from './sheets.ts'

const RUNNING = { header: 'Le jardin de la gare, cahier 12', footer: 'édition de mars' }

const encodings: readonly [Language, string][] = [
  ['es', 'utf-8'],
  ['ar', 'utf-8'],
  ['ja', 'utf-16le'],
  ['zh', 'utf-16be'],
  ['fr', 'windows-1252'],
  ['pl', 'iso-8859-2'],
  ['ja', 'shift_jis'],
  ['ru', 'koi8-r'],
  ['ru', 'windows-1251'],
  ['zh', 'gb18030'],
]

function pdfs(): Order[] {
  return [
    ...languages.map((language) => byTypst(`pdf/typst-${language}.pdf`, prose(language))),
    byTypst('pdf/typst-columns-en.pdf', proseInColumns('en')),
    byTypst('pdf/typst-columns-fr.pdf', proseInColumns('fr')),
    byTypst('pdf/typst-columns-hyphens-de.pdf', { ...proseInColumns('de'), is_justified: true }),
    byTypst('pdf/typst-running-fr.pdf', prose('fr', { running: RUNNING })),
    ...(['en', 'pl', 'ar', 'ja'] as const).map((language) => byOffice(`pdf/office-${language}.pdf`, prose(language))),
    ...(['es', 'ru', 'zh'] as const).map((language) =>
      byOffice(`pdf/office-columns-${language}.pdf`, proseInColumns(language)),
    ),
  ]
}

const slides = (path: string, language: Language): Order => {
  const model = proseByHeading(language)
  return order(path, model, { by: 'soffice', source: makeFodp(model), ending: 'fodp' })
}

function office(): Order[] {
  return [
    ...(['en', 'ru', 'ar', 'ja'] as const).map((language) => byOffice(`docx/office-${language}.docx`, prose(language))),
    byPandoc('docx/pandoc-de.docx', prose('de')),
    ...(['fr', 'zh'] as const).map((language) => byOffice(`odt/office-${language}.odt`, prose(language))),
    byPandoc('odt/pandoc-es.odt', prose('es')),
    ...(['pl', 'ru', 'zh'] as const).map((language) => byOffice(`rtf/office-${language}.rtf`, prose(language))),
    byPandoc('rtf/pandoc-fr.rtf', prose('fr')),
    ...(['en', 'ja', 'ar'] as const).map((language) => slides(`pptx/office-${language}.pptx`, language)),
    ...(['de', 'es'] as const).map((language) => slides(`odp/office-${language}.odp`, language)),
  ]
}

function web(): Order[] {
  const french = prose('fr')
  return [
    ...(['fr', 'ar', 'zh'] as const).map((language) => byPandoc(`epub/pandoc-${language}.epub`, prose(language))),
    byPandoc('html/pandoc-de.html', prose('de')),
    ...(['en', 'ar', 'ja'] as const).map((language) =>
      byHand(`html/own-${language}.html`, prose(language), () => makeHtml(prose(language))),
    ),
    byHand('html/own-windows-1252-fr.html', french, () =>
      iconv.encode(makeHtml(french, 'windows-1252'), 'windows-1252'),
    ),
    ...(['en', 'ru', 'ja'] as const).map((language) =>
      byHand(`md/own-${language}.md`, prose(language), () => makeMarkdown(prose(language))),
    ),
  ]
}

const plain = (): Order[] => [
  ...encodings.map(([language, encoding]) =>
    byHand(`txt/${encoding}-${language}.txt`, prose(language), () =>
      makeText(prose(language), encoding, encoding.startsWith('utf-16')),
    ),
  ),
  byHand('eml/plain-de.eml', prose('de'), () => makeMail(prose('de'), 'utf-8', 'plain')),
  byHand('eml/html-ru.eml', prose('ru'), () => makeMail(prose('ru'), 'koi8-r', 'html')),
  byHand('eml/alternative-ja.eml', prose('ja'), () => makeMail(prose('ja'), 'shift_jis', 'alternative')),
]

export const planTexts = (): Order[] => [...pdfs(), ...office(), ...web(), ...plain()]
