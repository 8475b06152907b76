// Books as PDF: text that is known to the word, chapters with headings, and pages that are pictures.

import { FONT, type Obj, packedStream, pdf } from '../hostile/pdf.ts'
import { newRandom } from './random.ts'

export interface Book {
  pages: number
  /** Pages that are pictures of their text. */
  scanned?: ReadonlySet<number>
  /** So that two books differ in every line. */
  seed?: number
}

const WORDS =
  'the river carried small boats past quiet towns where people waited for letters from their friends and told each other long stories about winter roads old bridges bright gardens distant mountains careful merchants patient teachers broken clocks heavy rain early trains and warm bread while children counted lanterns along the harbour wall until evening came'.split(
    ' ',
  )
const LINES = 22
const LINE_CHARACTERS = 62
const CHAPTER_PAGES = 30
const [WIDE, HIGH] = [612, 792]
const SCAN_DPI = 150

const TITLE = 'Letters from the River'
/** The largest line of the first page is the title, which is above all chapters. */
const chapterOf = (page: number): string =>
  page <= CHAPTER_PAGES ? TITLE : `Chapter ${Math.floor((page - 1) / CHAPTER_PAGES) + 1}`
const opensChapter = (page: number): boolean => (page - 1) % CHAPTER_PAGES === 0
/** The headings in effect at the end of a page. */
export const headingsOf = (page: number): string[] => [...new Set([TITLE, chapterOf(page)])]

/** The words of a page, line by line, without its heading. About 1,500 characters; the first line names the page. */
function pageLines(page: number, seed = 0): string[] {
  const random = newRandom(seed * 100_003 + page)
  const lines = Array.from({ length: LINES }, () => {
    let line = random.one(WORDS)
    while (line.length < LINE_CHARACTERS) line += ` ${random.one(WORDS)}`
    return line
  })
  return [`This is page number ${page} of the book and here it begins`, ...lines]
}

/** Expected text of a page, with single spaces between the words. */
export const textOfPage = (page: number, seed = 0): string =>
  [...(opensChapter(page) ? [chapterOf(page)] : []), ...pageLines(page, seed)].join(' ')

function contentOf(page: number, seed: number): string {
  const heading = opensChapter(page) ? `BT /F2 22 Tf 60 720 Td (${chapterOf(page)}) Tj ET\n` : ''
  const lines = pageLines(page, seed).map((line) => `(${line}) Tj T*\n`)
  return `${heading}BT /F1 11 Tf 16 TL 60 680 Td\n${lines.join('')}ET`
}

const BOLD = FONT.replace('/Helvetica', '/Helvetica-Bold')
const FIRST = 5

export async function makeBook({ pages, scanned = new Set(), seed = 0 }: Book): Promise<Buffer> {
  const tree: string[] = []
  const rest: Obj[] = []
  const add = (object: Obj): string => `${FIRST + rest.push(object) - 1} 0 R`
  for (let page = 1; page <= pages; page++) {
    const text = contentOf(page, seed)
    const [content, resources] = scanned.has(page)
      ? await pictured(text, add)
      : [text, '/Font << /F1 3 0 R /F2 4 0 R >>']
    const contents = add(packedStream(content))
    tree.push(
      add(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDE} ${HIGH}] /Resources << ${resources} >> /Contents ${contents} >>`,
      ),
    )
  }
  return pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${tree.join(' ')}] /Count ${pages} >>`,
    FONT,
    BOLD,
    ...rest,
  ])
}

/** A drawing of the text, and where its page finds the picture. */
async function pictured(text: string, add: (object: Obj) => string): Promise<[string, string]> {
  const { drawPages } = await import('../corpus/scan.ts')
  const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDE} ${HIGH}] /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> /Contents 6 0 R >>`
  const tree = '<< /Type /Pages /Kids [5 0 R] /Count 1 >>'
  const printed = pdf(['<< /Type /Catalog /Pages 2 0 R >>', tree, FONT, BOLD, page, packedStream(text)])
  const [picture] = await drawPages(printed, SCAN_DPI)
  const { width, height, pixels } = picture!
  const size = `/Width ${width} /Height ${height} /BitsPerComponent 8 /ColorSpace /DeviceGray`
  const image = add(packedStream(pixels, `/Type /XObject /Subtype /Image ${size}`))
  return [`q ${WIDE} 0 0 ${HIGH} 0 0 cm /I Do Q`, `/XObject << /I ${image} >>`]
}
