// Key phrases: noun phrases of the text, ranked by similarity to the whole, position and frequency.

import { firstOf, itemAt, lastOf } from '@octavo/base/required.ts'
import { type Token, tagSentences } from './english.ts'
import { lexicalVectors } from './lexical.ts'
import { positionsOf, type Span } from './positions.ts'
import { centroidOf, type Embed, similarity } from './vectors.ts'
import { stopWordsOf } from './words.ts'

export interface KeyPhrase {
  text: string
  score: number
  /** Its position: the index of the text, and code points in it. */
  places: (Span & { part: number })[]
}

export interface KeyPhraseOptions {
  language: string | null
  embed?: Embed | null
  limit?: number
}

const MAX_WORDS = 5
const MAX_CHARACTERS = 80
/** As many candidates get a vector: the most frequent ones, and of these the earliest. */
const MAX_EMBEDDED = 300
const MAX_PLACES = 20
/** As much of a document says what it is about as well as all of it. */
const ABOUT_CHARACTERS = 1_000
const MAX_ABOUT = 30
const PHRASE_WEIGHTS = { position: 0.05, frequency: 0.03, words: 0.1 }

interface Candidate {
  text: string
  words: number
  count: number
  /** 0 is the beginning, 1 the end. */
  at: number
  places: KeyPhrase['places']
}

export async function keyPhrasesOf(texts: readonly string[], options: KeyPhraseOptions): Promise<KeyPhrase[]> {
  const { language, embed, limit = 10 } = options
  const found = new Map<string, Candidate>()
  const total = texts.reduce((sum, text) => sum + text.length, 0)
  let before = 0
  for (const [part, text] of texts.entries()) {
    for (const { key, text: phrase, words, ...span } of await phrasesOf(text, language)) {
      const known = found.get(key) ?? { text: phrase, words, count: 0, at: (before + span.start) / total, places: [] }
      known.count++
      if (known.places.length < MAX_PLACES) known.places.push({ part, ...span })
      found.set(key, known)
    }
    before += text.length
  }
  const candidates = [...found.values()].toSorted((a, b) => b.count - a.count || a.at - b.at).slice(0, MAX_EMBEDDED)
  if (candidates.length === 0) return []
  const nearness = await nearnessOf(candidates, texts, { language, embed: embed ?? null })
  const ranked = candidates
    .map((one, i) => ({ one, score: scoreOf(one, nearness[i] ?? 0) }))
    .toSorted((a, b) => b.score - a.score)
  return ranked
    .slice(0, limit)
    .map(({ one, score }) => ({ text: one.text, places: one.places, score: Math.max(0, Math.min(1, score)) }))
}

function scoreOf({ at, count, words }: Candidate, nearness: number): number {
  const { position, frequency, words: per_word } = PHRASE_WEIGHTS
  return nearness + position * (1 - at) + frequency * Math.log(count) + per_word * Math.min(words, 3)
}

async function nearnessOf(
  candidates: Candidate[],
  texts: readonly string[],
  { language, embed }: { language: string | null; embed: Embed | null },
) {
  const phrases = candidates.map(({ text }) => text)
  const about = samplesOf(texts)
  if (embed) {
    const centre = centroidOf(await embed(about, 'text'))
    return (await embed(phrases, 'text')).map((vector) => similarity(vector, centre))
  }
  const vectors = lexicalVectors([...phrases, ...about], language)
  const centre = centroidOf(vectors.slice(phrases.length))
  return vectors.slice(0, phrases.length).map((vector) => similarity(vector, centre))
}

/** Pieces from everywhere in the document. */
function samplesOf(texts: readonly string[]): string[] {
  const pieces = texts.flatMap((text) =>
    Array.from({ length: Math.ceil(text.length / ABOUT_CHARACTERS) }, (_, i) =>
      text.slice(i * ABOUT_CHARACTERS, (i + 1) * ABOUT_CHARACTERS),
    ),
  )
  const step = Math.max(1, pieces.length / MAX_ABOUT)
  return Array.from({ length: Math.min(pieces.length, MAX_ABOUT) }, (_, i) => itemAt(pieces, Math.floor(i * step)))
}

interface Phrase extends Span {
  /** The same for what differs only in number or case. */
  key: string
  text: string
  words: number
}

function phrasesOf(text: string, language: string | null): Promise<Phrase[]> | Phrase[] {
  return language === 'en' || language?.startsWith('en-') ? nounPhrasesOf(text) : runsOf(text, language)
}

async function nounPhrasesOf(text: string): Promise<Phrase[]> {
  const phrases: Phrase[] = []
  for (const { tokens, text: sentence, start } of await tagSentences(text)) {
    for (const run of nounRunsOf(tokens)) {
      const [first, last] = [firstOf(run), lastOf(run)]
      const own = [...sentence]
        .slice(first.start - start, last.end - start)
        .join('')
        .replace(/\s+/g, ' ')
      const words = run.filter(({ pos }) => pos !== 'PUNCT').length
      if (words > MAX_WORDS || own.length > MAX_CHARACTERS || own.length < 3) continue
      phrases.push({ key: run.map(({ stem }) => stem).join(' '), text: own, words, start: first.start, end: last.end })
    }
  }
  return phrases
}

/** Adjectives, participles and nouns that end in a noun; a hyphen binds whatever it joins. */
function nounRunsOf(tokens: readonly Token[]): Token[][] {
  const runs: Token[][] = []
  let run: Token[] = []
  const close = () => {
    while (run.length > 0 && !isNoun(run.at(-1))) run.pop()
    if (run.length > 0) runs.push(run)
    run = []
  }
  for (const [i, token] of tokens.entries()) {
    if (isBound(tokens, i) || isPartOfName(token, tokens[i + 1])) run.push(token)
    else close()
  }
  close()
  return runs
}

const isNoun = (token: Token | undefined): boolean => token?.pos === 'NOUN' || token?.pos === 'PROPN'
const isHyphen = (tokens: readonly Token[], i: number): boolean =>
  tokens[i]?.text === '-' && i > 0 && !tokens[i].has_space_before && tokens[i + 1]?.has_space_before === false
/** A hyphen between two words, or next to one. */
const isBound = (tokens: readonly Token[], i: number): boolean =>
  isHyphen(tokens, i) || isHyphen(tokens, i + 1) || isHyphen(tokens, i - 1)

function isPartOfName({ pos, text }: Token, next: Token | undefined): boolean {
  if (stopWordsOf('en').has(text.toLowerCase()) || VAGUE.has(text.toLowerCase()) || !/\p{L}/u.test(text)) return false
  if (pos === 'VERB') return /(?:ing|ed)$/.test(text) && next?.pos === 'NOUN'
  return pos === 'ADJ' || pos === 'NOUN' || pos === 'PROPN'
}

/** Adjectives that name nothing. */
const VAGUE = new Set(
  'several many various different new other such own same first second last certain particular recent main'.split(' '),
)

const RUN_WORD = /[\p{L}\p{N}\p{M}]+(?:['’-][\p{L}\p{N}\p{M}]+)*/gu

/** Languages without a tagger: words between stop words and signs, one to three of them. */
function runsOf(text: string, language: string | null): Phrase[] {
  const stops = stopWordsOf(language)
  const toPoint = positionsOf(text)
  const isStop = (word: string) =>
    stops.has(word) || (stops.size === 0 ? word.length < 4 : word.length < 3) || /^\p{N}/u.test(word)
  const words = [...text.matchAll(RUN_WORD)].map(({ 0: word, index }) => ({
    word: word.toLowerCase(),
    start: index,
    end: index + word.length,
  }))
  const phrases: Phrase[] = []
  for (const [i, first] of words.entries()) {
    for (let size = 0; size < 3; size++) {
      const last = words[i + size]
      if (!last || isStop(last.word) || (size > 0 && text.slice(itemAt(words, i + size - 1).end, last.start) !== ' '))
        break
      const own = text.slice(first.start, last.end)
      if (own.length > MAX_CHARACTERS) break
      phrases.push({
        key: own.toLowerCase(),
        text: own,
        words: size + 1,
        start: toPoint(first.start),
        end: toPoint(last.end),
      })
    }
  }
  return phrases
}
