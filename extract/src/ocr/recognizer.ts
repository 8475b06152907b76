// Logic shared by both builds of Tesseract, and the choice of languages if the request names none: English first, then
// the language that the result appears to be in.

import { eld } from 'eld/small'
import { orient } from '../picture.ts'
import type { PageImage } from '../types.ts'
import { TESSERACT_LIMITS, withDoubts } from './doubts.ts'
import { findName, findTag, namesBeside, namesOfScript } from './languages.ts'
import { type Asked, type OcrEngine, type OcrPage, type Turn, UnsupportedLanguage } from './ocr.ts'

type Recognized = Pick<OcrPage, 'words' | 'confidence'>
type RecognizedPage = Omit<OcrPage, 'warnings'>
/** `script`: null if it was not looked for, or could not be determined. */
interface Attempt {
  page: RecognizedPage
  script: string | null
}

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
      const doubts = { limits: TESSERACT_LIMITS, available: tags }
      if (asked.languages.length === 0) {
        const { page, script } = await readAny(recognizer, image, asked)
        return withDoubts(page, image, { ...doubts, script })
      }
      const names = asked.languages.map((tag) => {
        const name = findName(tag)
        if (!name || !installed.includes(name)) throw new UnsupportedLanguage(tag, tags)
        return name
      })
      const { page, script } = await readUpright(recognizer, image, [...new Set(names)], asked.signal)
      return withDoubts(page, image, { ...doubts, script })
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
): Promise<Attempt> {
  const first = pageOf(await recognizer.recognize(image, names, signal), names)
  if (first.confidence >= RUBBISH) return { page: first, script: null }
  const found = await recognizer.findOrientation(image, signal)
  if (!found) return { page: await readTurned(recognizer, image, first, { names, signal }), script: null }
  const { script, turn } = found
  if (turn === 0) return { page: first, script }
  const second = await recognizer.recognize(turnPage(image, turn), names, signal)
  return { page: second.confidence > first.confidence ? pageOf(second, names, turn) : first, script }
}

async function readAny(recognizer: Recognizer, image: PageImage, { likely = [], signal }: Asked): Promise<Attempt> {
  const guesses = likely.flatMap((tag) => findName(tag) ?? []).filter((name) => recognizer.installed.includes(name))
  const names =
    guesses.length > 0 ? guesses : firstInstalled(recognizer, ['eng', ...recognizer.installed.filter(findTag)])
  const first = pageOf(await recognizer.recognize(image, names, signal), names)
  if (first.confidence >= RUBBISH) {
    const page = await better(recognizer, image, first, { names: findLanguage(first), turn: 0, signal })
    return { page, script: null }
  }
  const found = await recognizer.findOrientation(image, signal)
  if (!found) return { page: await readTurned(recognizer, image, first, { names, signal }), script: null }
  const { script, turn } = found
  const names_of_script = [...firstInstalled(recognizer, namesOfScript(script)), ...namesBeside(script)]
  const second = await better(recognizer, image, first, { names: names_of_script, turn, signal })
  if (second === first || script !== 'Latin') return { page: second, script }
  const page = await better(recognizer, image, second, { names: findLanguage(second), turn: second.turned, signal })
  return { page, script }
}

const TURNS: readonly Turn[] = [180, 90, 270]

/** For an engine that cannot determine the orientation: a page that makes no sense is tried the other ways up. */
async function readTurned(
  recognizer: Recognizer,
  image: PageImage,
  first: RecognizedPage,
  { names, signal }: { names: readonly string[]; signal: AbortSignal },
): Promise<RecognizedPage> {
  if (first.words.length === 0 || first.confidence >= TESSERACT_LIMITS.illegible) return first
  for (const turn of TURNS) {
    const again = await recognizer.recognize(turnPage(image, turn), names, signal)
    if (again.confidence >= RUBBISH) return pageOf(again, names, turn)
  }
  return first
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
  page: RecognizedPage,
  { names, turn, signal }: Again,
): Promise<RecognizedPage> {
  const usable = names.filter((name) => recognizer.installed.includes(name))
  const [main] = usable
  if (!main || (turn === page.turned && page.languages.includes(findTag(main) ?? ''))) return page
  const again = await recognizer.recognize(turnPage(image, turn), usable, signal)
  return again.confidence > page.confidence ? pageOf(again, usable, turn) : page
}

/** The language of the words, by its name; empty if it cannot be determined. */
function findLanguage({ words }: RecognizedPage): string[] {
  const text = words.map((word) => word.text).join(' ')
  if ((text.match(/\p{L}/gu)?.length ?? 0) < ENOUGH_LETTERS) return []
  const { language } = eld.detect(text)
  const name = language ? findName(language) : undefined
  return name ? [name] : []
}

const firstInstalled = ({ installed }: Recognizer, names: readonly string[]) =>
  names.filter((name) => installed.includes(name)).slice(0, 1)

const pageOf = (recognized: Recognized, names: readonly string[], turned: Turn = 0): RecognizedPage => ({
  ...recognized,
  languages: names.flatMap((name) => findTag(name) ?? []),
  turned,
})

// As Exif counts them.
const ORIENTATIONS = { 0: 1, 90: 6, 180: 3, 270: 8 } as const

function turnPage(image: PageImage, turn: Turn): PageImage {
  return turn === 0 ? image : { ...image, ...orient(image, ORIENTATIONS[turn]), rules: [] }
}
