// Texts that slow down careless text processing.

const SPACES =
  '\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000'

/** Each returns a text of about `length` UTF-16 units. */
export const hostileTexts: Readonly<Record<string, (length: number) => string>> = {
  spaces: (length) => repeatTo(' ', length),
  tabs: (length) => repeatTo('\t', length),
  'every Unicode space': (length) => repeatTo(SPACES, length),
  'no-break spaces before a word': (length) => `${repeatTo('\u00a0', length - 1)}a`,
  'line feeds': (length) => repeatTo('\n', length),
  'short lines': (length) => repeatTo('a b\n', length),
  'short paragraphs': (length) => repeatTo('a\n\n', length),
  'headings of one sign': (length) => repeatTo('# \n', length),
  'a line feed before spaces': (length) => `x\n${repeatTo(' ', length - 3)}x`,
  'combining marks': (length) => `e${repeatTo('\u0301', length - 1)}`,
  'one huge word': (length) => repeatTo('a', length),
  'one huge number': (length) => repeatTo('7', length),
  'one Chinese sentence': (length) => repeatTo('的是不了在人有我他', length),
  'zero-width characters': (length) => repeatTo('\u200b\u200c\u200d\ufeff', length),
  'zero-width joiners between emoji': (length) => repeatTo('\u{1f468}\u200d', length),
  'right-to-left marks': (length) => repeatTo('\u200f\u202e\u05d0', length),
  'opening brackets': (length) => repeatTo('[({<', length),
  'opening tags': (length) => repeatTo('<b ', length),
  pipes: (length) => repeatTo('|', length),
  'dots and spaces': (length) => repeatTo('. ', length),
  'capital letters and dots': (length) => repeatTo('A.', length),
  'addresses without an end': (length) => repeatTo('a@a.', length),
  'numbers and separators': (length) => repeatTo('1,', length),
  'short sentences': (length) => repeatTo('He is it. ', length),
  'different words': (length) => differentWords(length),
}

const repeatTo = (part: string, length: number): string => part.repeat(Math.floor(length / part.length))

function differentWords(length: number): string {
  const words: string[] = []
  for (let i = 0, used = 0; used < length; i++) {
    const word = `w${i.toString(36)}`
    words.push(word)
    used += word.length + 1
  }
  return words.join(' ').slice(0, length)
}
