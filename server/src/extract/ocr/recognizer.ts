// Logic shared by both builds of Tesseract, and the choice of languages if the request names none: English first, then
// the language that the result appears to be in.

import { eld } from 'eld/small'
import { orient } from '../picture.ts'
import type { PageImage } from '../types.ts'
import { findName, findTag, namesBeside, namesOfScript } from './languages.ts'
import { type Asked, type OcrEngine, type OcrPage, type Turn, UnsupportedLanguage } from './ocr.ts'

type Recognized = Pick<OcrPage, 'words' | 'confidence'>

export interface Orientation {
  /** As Tesseract calls it: Latin, Cyrillic … */
  script: string
  turn: Turn
}

/** Speaks Tesseract's names of languages. */
export interface Recognizer {
  readonly id: string
  readonly version: string
  readonly installed: readonly string[]
  recognize(image: PageImage, names: readonly string[], signal: AbortSignal): Promise<Recognized>
  /** Null if it cannot be determined. */
  findOrientation(image: PageImage, signal: AbortSignal): Promise<Orientation | null>
  close(): Promise<void>
}

// Measured: text in another script comes out with 0.24 to 0.43, noisy scans with 0.80 and more, even read as another language
// of their script.
const RUBBISH = 0.65
const ENOUGH_LETTERS = 40

export function engineOf(recognizer: Recognizer): OcrEngine {
  const { id, version, installed } = recognizer
  const tags = [...new Set(installed.flatMap((name) => findTag(name) ?? []))].sort()
  return {
    id,
    version,
    languages: async () => tags,
    async read(image, asked) {
      if (asked.languages.length === 0) return readAny(recognizer, image, asked)
      const names = asked.languages.map((tag) => {
        const name = findName(tag)
        if (!name || !installed.includes(name)) throw new UnsupportedLanguage(tag, tags)
        return name
      })
      return readUpright(recognizer, image, [...new Set(names)], asked.signal)
    },
    close: () => recognizer.close(),
  }
}

/** In languages that are given; turned only if it makes more sense then. */
async function readUpright(
  recognizer: Recognizer,
  image: PageImage,
  names: string[],
  signal: AbortSignal,
): Promise<OcrPage> {
  const first = pageOf(await recognizer.recognize(image, names, signal), names)
  if (first.confidence >= RUBBISH) return first
  const found = await recognizer.findOrientation(image, signal)
  if (!found || found.turn === 0) return first
  const second = await recognizer.recognize(turnPage(image, found.turn), names, signal)
  return second.confidence > first.confidence ? pageOf(second, names, found.turn) : first
}

async function readAny(recognizer: Recognizer, image: PageImage, { likely = [], signal }: Asked): Promise<OcrPage> {
  const guesses = likely.flatMap((tag) => findName(tag) ?? []).filter((name) => recognizer.installed.includes(name))
  const names =
    guesses.length > 0 ? guesses : firstInstalled(recognizer, ['eng', ...recognizer.installed.filter(findTag)])
  const first = pageOf(await recognizer.recognize(image, names, signal), names)
  if (first.confidence >= RUBBISH)
    return better(recognizer, image, first, { names: findLanguage(first), turn: 0, signal })
  const found = await recognizer.findOrientation(image, signal)
  if (!found) return first
  const names_of_script = [...firstInstalled(recognizer, namesOfScript(found.script)), ...namesBeside(found.script)]
  const second = await better(recognizer, image, first, { names: names_of_script, turn: found.turn, signal })
  if (second === first || found.script !== 'Latin') return second
  return better(recognizer, image, second, { names: findLanguage(second), turn: second.turned, signal })
}

interface Again {
  names: readonly string[]
  turn: Turn
  signal: AbortSignal
}

/** Reads once more, if that would be another reading, and keeps what makes more sense. */
async function better(
  recognizer: Recognizer,
  image: PageImage,
  page: OcrPage,
  { names, turn, signal }: Again,
): Promise<OcrPage> {
  const usable = names.filter((name) => recognizer.installed.includes(name))
  const [main] = usable
  if (!main || (turn === page.turned && page.languages.includes(findTag(main) ?? ''))) return page
  const again = await recognizer.recognize(turnPage(image, turn), usable, signal)
  return again.confidence > page.confidence ? pageOf(again, usable, turn) : page
}

/** The language of the words, by its name; empty if it cannot be determined. */
function findLanguage({ words }: OcrPage): string[] {
  const text = words.map((word) => word.text).join(' ')
  if ((text.match(/\p{L}/gu)?.length ?? 0) < ENOUGH_LETTERS) return []
  const { language } = eld.detect(text)
  const name = language ? findName(language) : undefined
  return name ? [name] : []
}

const firstInstalled = ({ installed }: Recognizer, names: readonly string[]) =>
  names.filter((name) => installed.includes(name)).slice(0, 1)

const pageOf = (recognized: Recognized, names: readonly string[], turned: Turn = 0): OcrPage => ({
  ...recognized,
  languages: names.flatMap((name) => findTag(name) ?? []),
  turned,
})

// As Exif counts them.
const ORIENTATIONS = { 0: 1, 90: 6, 180: 3, 270: 8 } as const

function turnPage(image: PageImage, turn: Turn): PageImage {
  return turn === 0 ? image : { ...image, ...orient(image, ORIENTATIONS[turn]), rules: [] }
}
