// Which language a text is in.

type Detect = (text: string) => { language: string; isReliable(): boolean }
let detecting: Promise<Detect> | null = null

/** Its tables are large: whoever never asks never loads them. */
const loadDetect = (): Promise<Detect> =>
  (detecting ??= import('eld/extrasmall').then(
    ({ default: eld }) =>
      (text) =>
        eld.detect(text),
  ))

/** More tells nothing new. */
const MAX_CHARACTERS = 2_000
const MIN_LETTERS = 12

/** A BCP 47 tag, or null where there is too little to tell. */
export async function findLanguage(text: string): Promise<string | null> {
  const sample = text.slice(0, MAX_CHARACTERS)
  if ((sample.match(/\p{L}/gu)?.length ?? 0) < MIN_LETTERS) return null
  const found = (await loadDetect())(sample)
  return found.language === '' || !found.isReliable() ? null : found.language
}
