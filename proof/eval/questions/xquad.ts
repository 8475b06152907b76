// XQuAD (CC BY-SA 4.0): questions over paragraphs of encyclopedia articles. Without the paragraph that answers, the others of
// its article are the hard negatives.

import type { Passage } from '../../../server/src/ai/built-in/answer-candidates.ts'
import { readData } from '../data.ts'
import { type Pool, ranked } from './pool.ts'

export const XQUAD_LANGUAGES = ['en', 'de', 'es', 'zh'] as const
interface Article {
  paragraphs: { context: string; qas: { question: string; answers: { text: string }[] }[] }[]
}

export function xquadPools(language: string, isChosen: (question: number) => boolean): Pool[] {
  const { data } = JSON.parse(readData(`qa/xquad-${language}.json`).toString()) as { data: Article[] }
  const articles = data.map(({ paragraphs }, a) =>
    paragraphs.map(({ context }, p) => passageOf(context, language, `${a}-${p}`)),
  )
  return data.flatMap(({ paragraphs }, a) =>
    paragraphs.flatMap(({ qas }, p) =>
      qas.flatMap(({ question, answers }, q) => {
        if (!isChosen(q)) return []
        const texts = answers.map(({ text }) => text)
        const others = articles[(a + 1 + q) % articles.length]!.slice(0, 3)
        const own = articles[a]!
        const without = own.filter((one, i) => i !== p && !texts.some((text) => one.text.includes(text)))
        const base = { set: `xquad-${language}`, group: `xquad-${a}`, question, language, answers: texts }
        return [
          { ...base, is_answerable: true, passages: ranked(question, language, [...own, ...others]) },
          { ...base, is_answerable: false, passages: ranked(question, language, [...without, ...others]) },
        ]
      }),
    ),
  )
}

const passageOf = (text: string, language: string, document: string): Passage => ({
  text,
  start: 0,
  title: '',
  headings: [],
  document,
  page: { text, language, blocks: null },
})
