// Counts of a text: characters, words, sentences and readability.

import { sentencesOf } from './sentences.ts'
import { wordsOf } from './words.ts'

export interface Statistics {
  characters: number
  words: number
  sentences: number
  paragraphs: number
  average_sentence_words: number
  average_word_characters: number
  reading_seconds: number
}

/** Silent reading of non-fiction in English: Brysbaert, "How many words do we read per minute?" (2019). */
const WORDS_A_MINUTE = 238

/** Adds up the statistics of parts, such as pages. */
export function statisticsOf(texts: readonly string[], language: string | null = null): Statistics {
  const total = { characters: 0, words: 0, sentences: 0, paragraphs: 0, letters: 0 }
  for (const text of texts) {
    const words = wordsOf(text)
    total.characters += countPoints(text)
    total.words += words.length
    total.letters += words.reduce((sum, word) => sum + countPoints(word), 0)
    total.sentences += sentencesOf(text, language).length
    total.paragraphs += text.split(/\n[^\S\n]*\n/).filter((paragraph) => paragraph.trim() !== '').length
  }
  const { characters, words, sentences, paragraphs, letters } = total
  return {
    characters,
    words,
    sentences,
    paragraphs,
    average_sentence_words: ratio(words, sentences),
    average_word_characters: ratio(letters, words),
    reading_seconds: Math.round((words * 60) / WORDS_A_MINUTE),
  }
}

function countPoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

const ratio = (a: number, b: number): number => (b === 0 ? 0 : Math.round((a * 100) / b) / 100)
