// Our own prose in nine languages, under texts/: a title, headings, paragraphs, a list, and words for tables.

import { readFileSync } from 'node:fs'
import type { CorpusPiece, Language } from './model.ts'

export interface Prose {
  pieces: CorpusPiece[]
  words: string[]
}

const known = new Map<Language, Prose>()

function parse(text: string): Prose {
  const pieces: CorpusPiece[] = []
  let words: string[] = []
  for (const line of text.split('\n').filter((line) => line !== '')) {
    const last = pieces.at(-1)
    if (line.startsWith('# ')) pieces.push({ type: 'title', text: line.slice(2) })
    else if (line.startsWith('## ')) pieces.push({ type: 'heading', text: line.slice(3) })
    else if (line.startsWith('words: ')) words = line.slice('words: '.length).split('; ')
    else if (!line.startsWith('- ')) pieces.push({ type: 'paragraph', text: line })
    else if (last?.type === 'list') last.items.push(line.slice(2))
    else pieces.push({ type: 'list', items: [line.slice(2)] })
  }
  return { pieces, words }
}

export function readProse(language: Language): Prose {
  const prose = known.get(language) ?? parse(readFileSync(new URL(`./texts/${language}.txt`, import.meta.url), 'utf8'))
  known.set(language, prose)
  return prose
}
