// Characters that nobody sees: tags, selectors, marks of direction and of width. A way to hide orders in a text, and no part
// of what it says.

const UNSEEN = '[\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb\\x00-\\x08\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f]'
const EACH = new RegExp(UNSEEN, 'gu')
const ONE = new RegExp(`^${UNSEEN}$`, 'u')

/** Of one character. Most are plain, and are asked about one by one. */
export const isUnseen = (character: string): boolean => (character < ' ' || character > '~') && ONE.test(character)

/** What nobody can see a model should not see either. */
export const legible = (text: string): string => text.replace(EACH, '')
