// English sentences as words with their part of speech, and the dates, times and sums among them.

import type { ItemEntity, ItemToken } from 'wink-nlp'
import { sentencesOf } from './sentences.ts'

export interface Token {
  text: string
  /** As Universal Dependencies names them: NOUN, PROPN, ADJ … */
  pos: string
  stem: string
  /** Position in the text, in code points. */
  start: number
  end: number
  has_space_before: boolean
}

interface Mention {
  /** DATE, TIME, MONEY, DURATION, PERCENT … */
  type: string
  /** Tokens, both included. */
  first: number
  last: number
}

export interface TaggedSentence {
  text: string
  start: number
  end: number
  tokens: Token[]
  mentions: Mention[]
}

type Tag = (text: string) => { tokens: Omit<Token, 'start' | 'end'>[]; mentions: Mention[] }
let loading: Promise<Tag> | null = null

/** Loaded on first use, because the tables are large. */
const loadTag = (): Promise<Tag> => (loading ??= load())

async function load(): Promise<Tag> {
  const [{ default: winkNLP }, { default: model }] = await Promise.all([
    import('wink-nlp'),
    import('wink-eng-lite-web-model'),
  ])
  const nlp = winkNLP(model, ['ner', 'pos'])
  // Their own types do not agree with each other.
  const its = nlp.its as unknown as Record<'pos' | 'stem' | 'precedingSpaces' | 'span' | 'type', never>
  return (text) => {
    const document = nlp.readDoc(text)
    const tokens: Omit<Token, 'start' | 'end'>[] = []
    document.tokens().each((token: ItemToken) => {
      tokens.push({
        text: token.out(),
        pos: token.out(its.pos),
        stem: token.out(its.stem),
        has_space_before: token.out(its.precedingSpaces) !== '',
      })
    })
    const mentions: Mention[] = []
    document.entities().each((entity: ItemEntity) => {
      const [first = 0, last = 0] = entity.out(its.span) as number[]
      mentions.push({ type: entity.out(its.type), first, last })
    })
    return { tokens, mentions }
  }
}

/** The tokenizer's time grows with more than the square of a word: `http://http://…` of 20,000 characters never ends. */
const LONG_WORD = /\S{60,}/g
/** Others wait for the same thread. */
const PAUSE_AFTER_MS = 30

export async function tagSentences(text: string): Promise<TaggedSentence[]> {
  const tag = await loadTag()
  const tagged: TaggedSentence[] = []
  let paused_at = performance.now()
  for (const sentence of sentencesOf(text, 'en')) {
    const plain = sentence.text.replace(/\s/g, ' ').replace(LONG_WORD, (word) => 'x'.repeat(word.length))
    const { tokens, mentions } = tag(plain)
    tagged.push({ ...sentence, tokens: placed(plain, sentence.start, tokens), mentions })
    if (performance.now() - paused_at < PAUSE_AFTER_MS) continue
    await new Promise((resolve) => setImmediate(resolve))
    paused_at = performance.now()
  }
  return tagged
}

function placed(text: string, offset: number, tokens: Omit<Token, 'start' | 'end'>[]): Token[] {
  let unit = 0
  let point = offset
  return tokens.map((token) => {
    // A token that the tokenizer changed starts where the last one ended.
    const at = Math.max(unit, text.indexOf(token.text, unit))
    point += countPoints(text.slice(unit, at))
    const start = point
    point += countPoints(token.text)
    unit = at + token.text.length
    return { ...token, start, end: point }
  })
}

const countPoints = (text: string): number => text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)
