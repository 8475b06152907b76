import { tagSentences } from '../../../server/src/ai/built-in/english.ts'
import { keyPhrasesOf } from '../../../server/src/ai/built-in/key-phrases.ts'
import type { Embed } from '../../../server/src/ai/built-in/vectors.ts'
import { readNestedArchive } from '../data.ts'
import { f1Of, halvesOf, mean, standardErrorOf } from '../measures.ts'
import type { EvalRow } from '../row.ts'

export const row: EvalRow = {
  about:
    'Inspec abstracts (test part): the first ten phrases are compared by stem with the phrases that indexers chose (“uncontrolled”); the figure is the mean F1 per abstract.',
  weak: 'Noun phrases are recognized in English only. In other languages a phrase is a run of words between stop words, which is less precise; we did not measure it.',
  async measure({ embed }) {
    const members = readNestedArchive('hulth.tgz', 'Hulth2003/Test.zip')
    const names = [...members.keys()].filter((name) => name.endsWith('.abstr')).toSorted()
    const { held_out } = halvesOf(names)
    const measureWith = async (model: string, own: Embed | null, goal: number | null) => {
      const scores: number[] = []
      for (const name of held_out) {
        const phrases = await keyPhrasesOf([members.get(name)!], { language: 'en', embed: own, limit: 10 })
        const found = await stemsOf(phrases.map(({ text }) => text))
        const wanted = await stemsOf(members.get(name.replace('.abstr', '.uncontr'))!.split(';'))
        scores.push(f1Of([...found].filter((stem) => wanted.has(stem)).length, found.size, wanted.size))
      }
      const figures = { value: mean(scores), standard_error: standardErrorOf(scores, mean), items: scores.length }
      return {
        what: 'key phrases, F1 of the first ten',
        model,
        ...figures,
        goal,
        baseline: 'RAKE .246, TF-IDF .176 (measured before)',
      }
    }
    return [
      await measureWith('all-minilm-l6-v2', embed('all-minilm-l6-v2'), 0.37),
      await measureWith('rules', null, null),
    ]
  },
}

async function stemsOf(phrases: string[]): Promise<Set<string>> {
  const stems = new Set<string>()
  for (const phrase of phrases) {
    const sentences = await tagSentences(phrase.toLowerCase().replace(/[^a-z0-9]+/g, ' '))
    const key = sentences.flatMap(({ tokens }) => tokens.map(({ stem }) => stem)).join(' ')
    if (key !== '') stems.add(key)
  }
  return stems
}
