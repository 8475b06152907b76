// A question and passages → the sentence, field or table cell that answers it, or none. Octavo answers only with evidence
// that it can name (isEvidence); a model decides among the rest and says how likely the answer is right.

import { termsOf } from './lexical.ts'
import type { Span } from './positions.ts'
import { newsKeeper, sentencesOf } from './sentences.ts'
import { type Embed, similarity } from './vectors.ts'
import { wordsOf } from './words.ts'

interface Candidate extends Span {
  /** Which of the passages it stands in, from 0. */
  passage: number
  text: string
  score: number
}

export interface ExtractedAnswer {
  is_answered: boolean
  /** The best candidate, also if its confidence is too low for an answer. */
  sentences: Candidate[]
  confidence: number
}

export interface AnswerOptions {
  language: string | null
  embed: Embed | null
  model: string | null
}

/**
 * From which mix of nearness and shared words on a sentence is taken for an answer. Set so that of questions put to
 * documents of the same field that do not answer them (tuning half of Cranfield) about one in twenty seems answered.
 */
const THRESHOLDS: Record<string, { answered: number; spread: number }> = {
  'all-minilm-l6-v2': { answered: 0.4, spread: 0.06 },
  'bge-small-en-v1.5': { answered: 0.55, spread: 0.05 },
}
const LEXICAL_THRESHOLD = { answered: 0.35, spread: 0.06 }
const ANSWER_WEIGHTS = { words: 0.4 }
const MAX_SENTENCES = 3
/** Beside the best, only what is nearly as good. */
const MAX_GAP = 0.1
const MAX_EMBEDDED = 256
const MAX_TITLE_WORDS = 3

/** `passages` as a search found them, best first. */
export async function answerFrom(
  question: string,
  passages: readonly string[],
  options: AnswerOptions,
): Promise<ExtractedAnswer> {
  const { language, model } = options
  const threshold = options.embed && model ? THRESHOLDS[model] : undefined
  // What a cosine of a model that nobody measured means is not known: words decide then.
  const embed = threshold ? options.embed : null
  const all = passages.flatMap((text, passage) =>
    sentencesOf(text, language).map((sentence) => ({ ...sentence, passage, score: 0 })),
  )
  const asked = new Set(termsOf(question, language))
  const candidates = all.filter(({ text }) => !isTitle(text, asked, language)).slice(0, MAX_EMBEDDED)
  const { answered, spread } = threshold ?? LEXICAL_THRESHOLD
  if (candidates.length === 0) return { is_answered: false, sentences: [], confidence: 0 }
  await score(question, candidates, { language, embed })
  const ranked = candidates.toSorted((a, b) => b.score - a.score)
  const best = ranked[0]!.score
  const confidence = 1 / (1 + Math.exp((answered - best) / spread))
  const isNew = newsKeeper()
  const sentences = ranked
    .filter((one) => isNew(one.text))
    .slice(0, MAX_SENTENCES)
    .filter((one) => one.score >= best - MAX_GAP)
  return { is_answered: best >= answered, sentences, confidence }
}

/** A heading that names what is asked for, and says nothing of it. */
const isTitle = (text: string, asked: ReadonlySet<string>, language: string | null): boolean =>
  wordsOf(text).length <= MAX_TITLE_WORDS && termsOf(text, language).every((term) => asked.has(term))

async function score(
  question: string,
  candidates: Candidate[],
  { language, embed }: Pick<AnswerOptions, 'language' | 'embed'>,
): Promise<void> {
  const wanted = new Set(termsOf(question, language).filter((term) => !ASKING.has(term)))
  const terms = candidates.map(({ text }) => new Set(termsOf(text, language)))
  const rarity = rarityOf(wanted, terms)
  const total = [...wanted].reduce((sum, term) => sum + rarity(term), 0)
  const [query] = embed ? await embed([question], 'query') : [null]
  const vectors = embed
    ? await embed(
        candidates.map(({ text }) => text),
        'passage',
      )
    : []
  for (const [i, one] of candidates.entries()) {
    const shared =
      [...wanted].reduce((sum, term) => sum + (terms[i]!.has(term) ? rarity(term) : 0), 0) / Math.max(total, 1e-9)
    one.score = query
      ? (1 - ANSWER_WEIGHTS.words) * similarity(query, vectors[i]!) + ANSWER_WEIGHTS.words * shared
      : shared
  }
}

/** Words that a question has and its answer does not. */
const ASKING = new Set([
  'what',
  'who',
  'whom',
  'whose',
  'when',
  'where',
  'which',
  'why',
  'how',
  'much',
  'many',
  'tell',
  'explai',
  'find',
  'give',
])

/** A word that no sentence has weighs most: without it the question is not answered. */
function rarityOf(wanted: ReadonlySet<string>, terms: ReadonlySet<string>[]): (term: string) => number {
  const counts = new Map([...wanted].map((term) => [term, terms.filter((own) => own.has(term)).length]))
  return (term) => Math.log(1 + terms.length / ((counts.get(term) ?? 0) + 0.5))
}
