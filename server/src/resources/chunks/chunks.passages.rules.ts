// The text that a chunk is indexed by: its own text, plus the title and headings above it that the text does not
// repeat. The second chunk of a letter about the rent need not contain the word.

const MAX_CONTEXT = 300

export interface Passage {
  title: string
  heading_path: readonly string[]
  text: string
  /** The text with its tables written out, if it has any. */
  expanded_text?: string | null
}

/** Set before the text when it is reduced to words and when it is embedded; never shown. */
export function passageOf({ title, heading_path, text: plain, expanded_text }: Passage): string {
  const text = expanded_text ?? plain
  const own = flatten(text)
  const lines = [title, ...heading_path].filter((line) => line !== '' && !own.includes(flatten(line)))
  const context = [...lines.join('\n')].slice(0, MAX_CONTEXT).join('')
  return context === '' ? text : `${context}\n${text}`
}

const flatten = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim()
