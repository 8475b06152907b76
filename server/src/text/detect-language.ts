// Which language a text is in.

type Detect = (text: string) => { language: string; isReliable(): boolean }
let detecting: Promise<Detect> | null = null

/** Loaded on first use, because the tables are large. */
const loadDetect = (): Promise<Detect> =>
  (detecting ??= import('eld/medium').then(
    ({ default: eld }) =>
      (text) =>
        eld.detect(text),
  ))

/** Longer samples do not improve detection. */
export const MAX_CHARACTERS = 2_000
const MIN_LETTERS = 9
/** A sign of these scripts says as much as several letters. */
const MIN_SIGNS = 3
const LETTERS_A_SIGN = 4
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu
const HAN = /\p{Script=Han}/gu

/** Returns a BCP 47 tag, or null if the text is too short to detect the language. */
export async function detectLanguage(text: string): Promise<string | null> {
  const sample = text.slice(0, MAX_CHARACTERS)
  const count = (pattern: RegExp): number => sample.match(pattern)?.length ?? 0
  const [letters, kana, han] = [count(/\p{L}/gu), count(KANA), count(HAN)]
  const language = kana > 0 ? 'ja' : 'zh'
  if ((kana + han) * LETTERS_A_SIGN > letters) return kana + han < MIN_SIGNS ? null : language
  if (letters < MIN_LETTERS) return letters < MIN_SIGNS ? null : byLetters(sample)
  const found = (await loadDetect())(sample)
  return found.language === '' || !found.isReliable() ? byLetters(sample) : amongCyrillic(found.language, sample)
}

/** Signs that one language alone, of those that are written much, has. */
const OWN_LETTERS: readonly (readonly [RegExp, string])[] = [
  [/[łż]/i, 'pl'],
  [/ß/, 'de'],
  [/[ñ¿¡]/i, 'es'],
  [/[ãõ]/i, 'pt'],
]
const byLetters = (text: string): string | null => OWN_LETTERS.find(([sign]) => sign.test(text))?.[1] ?? null

/** Short Russian sentences are often detected as a related language; some letters occur in only one of them. */
function amongCyrillic(language: string, text: string): string {
  if (
    !['be', 'bg', 'mk', 'sr', 'uk'].includes(language) ||
    !/\p{Script=Cyrillic}/u.test(text) ||
    /[іїєўјљњћђџѓќѕ]/i.test(text)
  )
    return language
  return language !== 'bg' || NOT_BULGARIAN.test(text) ? 'ru' : 'bg'
}

/** Letters that Bulgarian does not have, and endings of Russian verbs and adjectives where its most frequent letter is missing. */
const NOT_BULGARIAN = /[ыэё]|ь(?!о)|^[^ъ]*(?:ет|ит|ют|ого|его)(?!\p{L})[^ъ]*$/iu
