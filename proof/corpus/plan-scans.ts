// Pages drawn by pdfium, worn out, and written as pictures. The truth stays that of the model they were drawn from.

import { makeJpeg, makePng, makeScannedPdf, makeTiff, makeWebp } from './encode.ts'
import { type CorpusModel, type Language, newModel, type Scan } from './model.ts'
import { type Order, order, prose } from './orders.ts'
import { tabular } from './plan-tables.ts'
import { type CorpusPicture, drawPages, type Wear, wearOut } from './scan.ts'
import { readProse } from './texts.ts'
import { makePdf } from './typst.ts'

const DPI = 150
const COARSE_DPI = 100
const WEAR: Record<Scan, Omit<Wear, 'seed'>> = {
  clean: {},
  tilted: { tilt: 1.7 },
  noisy: { noise: 22, specks: 60 },
  '100 dpi': { noise: 4 },
}

type Encode = (pictures: CorpusPicture[]) => Uint8Array | Promise<Uint8Array>
const png: Encode = ([picture]) => makePng(picture!)
const jpeg: Encode = ([picture]) => makeJpeg(picture!, 70)
const tiff: Encode = (pictures) => makeTiff(pictures, pictures.length > 1)
const webp: Encode = ([picture]) => makeWebp(picture!, 80)
const pdf: Encode = (pictures) => makeScannedPdf(pictures, 75)
const ENCODINGS: Readonly<Record<string, Encode>> = { png, jpg: jpeg, tif: tiff, webp, pdf }

/** How a bullet is read is a matter of taste, so that scans have no lists. */
const firstPage = (language: Language): CorpusModel => newModel(language, prose(language).pages.slice(0, 1))
const bothPages = (language: Language): CorpusModel => {
  const pieces = readProse(language).pieces.filter(({ type }) => type !== 'list')
  return newModel(language, [pieces.slice(0, 7), pieces.slice(7)])
}

function scan(name: string, model: CorpusModel, condition: Scan, turned = 1): Order {
  const ending = name.slice(name.lastIndexOf('.') + 1)
  const make = async (): Promise<Uint8Array> => {
    const pictures = await drawPages(makePdf(model), condition === '100 dpi' ? COARSE_DPI : DPI)
    const { tilt = 0, ...wear } = WEAR[condition]
    const worn = pictures.map((picture, index) => wearOut(picture, { ...wear, tilt: tilt * turned, seed: 1 + index }))
    return ENCODINGS[ending]!(worn)
  }
  return order(`scan/${name}`, model, { by: 'typst', make }, { scan: condition })
}

export function planScans(): Order[] {
  return [
    ...(['en', 'de', 'fr', 'es', 'pl', 'ru', 'ar', 'zh', 'ja'] as const).map((language) =>
      scan(`clean-${language}.png`, firstPage(language), 'clean'),
    ),
    scan('clean-two-pages-en.tif', bothPages('en'), 'clean'),
    scan('clean-two-pages-de.pdf', bothPages('de'), 'clean'),
    scan('clean-fr.jpg', firstPage('fr'), 'clean'),
    scan('clean-es.webp', firstPage('es'), 'clean'),
    scan('clean-columns-en.png', { ...bothPages('en'), pages: [bothPages('en').pages.flat()], columns: 2 }, 'clean'),
    scan('tilted-en.png', firstPage('en'), 'tilted'),
    scan('tilted-de.jpg', firstPage('de'), 'tilted', -1),
    scan('tilted-more-fr.webp', firstPage('fr'), 'tilted', 1.7),
    scan('tilted-pl.pdf', firstPage('pl'), 'tilted', -1.5),
    scan('tilted-ru.png', firstPage('ru'), 'tilted'),
    scan('noisy-en.jpg', firstPage('en'), 'noisy'),
    scan('noisy-es.tif', firstPage('es'), 'noisy'),
    scan('noisy-pl.png', firstPage('pl'), 'noisy'),
    scan('noisy-de.webp', firstPage('de'), 'noisy'),
    scan('100-dpi-en.png', firstPage('en'), '100 dpi'),
    scan('100-dpi-de.jpg', firstPage('de'), '100 dpi'),
    scan('100-dpi-fr.tif', firstPage('fr'), '100 dpi'),
    scan('100-dpi-es.pdf', firstPage('es'), '100 dpi'),
    scan('100-dpi-ja.png', firstPage('ja'), '100 dpi'),
    scan('clean-tables-en.png', tabular('scan', 'en', ['plain', 'head_span'], 'ruled'), 'clean'),
  ]
}
