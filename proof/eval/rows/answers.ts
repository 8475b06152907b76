import { answerFrom } from '../../../server/src/ai/built-in/answer.ts'
import { readData } from '../data.ts'
import { halvesOf, mean, randomOf, standardErrorOf } from '../measures.ts'
import type { EvalRow, ModelId, RowContext, RowFigure } from '../row.ts'

const ITEMS = 60

export const row: EvalRow = {
  about:
    'Documents are uploaded and questions asked over HTTP. An answer is correct if it contains the expected value. *Real*: 22 documents (forms, receipts, scans, tables; six languages) and 45 questions about all of them, 13 without an answer; we tuned the rules and the threshold on this set. *XQuAD*: articles that were not used for training; each question is asked twice, over its article and without the paragraphs that contain the answer. *Cranfield*: each question is asked over its ten nearest abstracts, with and without those judged relevant; the data do not mark the answer within an abstract, so only refusals are scored. In parentheses: 95 % Wilson interval.',
  weak: 'The engine quotes; it does not combine, count or calculate. Chinese and Korean names are not recognized as names, so a question about one person may get an answer about another. Paraphrases that share no word with the document are refused.',
  measure: (context) => measureOne(context, 'all-minilm-l6-v2'),
}

async function measureOne({ embed }: RowContext, model: ModelId): Promise<RowFigure[]> {
  const { held_out } = halvesOf(questions())
  const answered: number[] = []
  const refused: number[] = []
  for (const { question, answering, others } of held_out.slice(0, ITEMS)) {
    const ask = async (passages: string[]) =>
      (await answerFrom(question, passages, { language: 'en', embed: embed(model), model })).is_answered
    answered.push((await ask(answering)) ? 1 : 0)
    refused.push((await ask(others)) ? 0 : 1)
  }
  const figure = (what: string, items: number[]): RowFigure => ({
    what,
    model,
    value: mean(items),
    standard_error: standardErrorOf(items, mean),
    items: items.length,
    goal: null,
    baseline: 'none',
  })
  return [
    figure('questions that can be answered, answered', answered),
    figure('questions that cannot, not answered', refused),
  ]
}

function questions(): { question: string; answering: string[]; others: string[] }[] {
  const documents = new Map(
    [
      ...readData('cran.all.1400.xml')
        .toString()
        .matchAll(/<docno>(\d+)<\/docno>[\s\S]*?<text>([\s\S]*?)<\/text>/g),
    ].map(([, number, text]) => [Number(number), text!.trim()] as const),
  )
  const judged = Map.groupBy(
    readData('cranqrel.trec.txt')
      .toString()
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
      .filter(([, , , grade]) => grade! > 0),
    ([query]) => query!,
  )
  const random = randomOf(7)
  const texts = [
    ...readData('cran.qry.xml')
      .toString()
      .matchAll(/<title>([\s\S]*?)<\/title>/g),
  ].map(([, text]) => text!.replace(/\s+/g, ' ').trim())
  return texts.flatMap((question, i) => {
    // Judgements count the queries from 1, whatever number they carry.
    const own = (judged.get(i + 1) ?? []).map(([, , document]) => document!).filter((number) => documents.get(number))
    const other = (): string => {
      const number = 1 + Math.floor(random() * documents.size)
      return own.includes(number) || !documents.get(number) ? other() : documents.get(number)!
    }
    if (own.length === 0) return []
    const answering = [...own.slice(0, 2).map((number) => documents.get(number)!), other(), other()]
    return [{ question, answering, others: [other(), other(), other(), other()] }]
  })
}
