import { sentencesOf } from '../../../server/src/ai/built-in/sentences.ts'
import { summarise } from '../../../server/src/ai/built-in/summary.ts'
import { readData } from '../data.ts'
import { halvesOf, mean, rouge1, standardErrorOf } from '../measures.ts'
import type { EvalRow } from '../row.ts'

export const row: EvalRow = {
  about:
    'Articles from CNN and the Daily Mail: the `short` summary is compared with the editors’ highlights by shared words (ROUGE-1, F1). We chose the weights on the tuning half, but had seen figures of both halves in a first trial.',
  weak: 'The summary consists of sentences from the document: it does not rephrase, and a sentence with “he” may appear without the sentence that names the person.',
  async measure({ embed }) {
    const articles = JSON.parse(readData('cnn100.json').toString()) as { article: string; highlights: string }[]
    const { held_out } = halvesOf(articles)
    const measureWith = async (name: string, summary: (article: string) => Promise<string>, goal: number | null) => {
      const scores: number[] = []
      for (const { article, highlights } of held_out) scores.push(rouge1(await summary(article), highlights))
      return { name, goal, scores }
    }
    const lead = await measureWith('lead', async (article) => join(sentencesOf(article, 'en').slice(0, 3)), null)
    const made = [
      await measureWith(
        'all-minilm-l6-v2',
        async (article) => join(await summarise([article], { ...asked, embed: embed('all-minilm-l6-v2') })),
        null,
      ),
      await measureWith('rules', async (article) => join(await summarise([article], asked)), 0.346),
    ]
    return made.map(({ name, goal, scores }) => ({
      what: 'summary of three sentences, ROUGE-1',
      model: name,
      value: mean(scores),
      standard_error: standardErrorOf(scores, mean),
      items: scores.length,
      goal,
      baseline: `first three sentences ${mean(lead.scores).toFixed(3)}`,
    }))
  },
}

const join = (sentences: readonly { text: string }[]): string => sentences.map(({ text }) => text).join(' ')
const asked = { length: 'short', language: 'en' } as const
