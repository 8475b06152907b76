import { type detectLanguage, MAX_CHARACTERS } from './detect-language.ts'
import { inThread } from './thread.ts'

const detect = inThread<typeof detectLanguage>(new URL('./detect-language.ts', import.meta.url), 'detectLanguage')

/** Returns a BCP 47 tag, or null if the text is too short to detect the language. */
export const findLanguage = (text: string): Promise<string | null> => detect(text.slice(0, MAX_CHARACTERS))
