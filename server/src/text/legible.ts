// Invisible characters: tags, variation selectors, direction marks, zero-width characters. They can hide instructions
// in a text and are no part of its content.

const UNSEEN = '[\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb\\x00-\\x08\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f]'
const EACH = new RegExp(UNSEEN, 'gu')
const ONE = new RegExp(`^${UNSEEN}$`, 'u')

/** The range check first, because most characters are ASCII and this runs for each one. */
export const isUnseen = (character: string): boolean => (character < ' ' || character > '~') && ONE.test(character)

/** Removes invisible characters before a text goes to a model. */
export const legible = (text: string): string => text.replace(EACH, '')
