// Answers of the built-in engine over HTTP, with retrieval: real documents, XQuAD articles that training has not seen, and
// Cranfield, each with questions that the documents do not answer.

import { openAsBlob, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Octavo } from '@octavo/sdk'
import { startApi } from '../../../server/src/testing/api.ts'
import { eachOf } from '../../lib/call.ts'
import { readCranfield } from '../cranfield.ts'
import { readData } from '../data.ts'
import { wilson } from '../measures.ts'
import { holds, type Pool, ranked } from '../questions/pool.ts'
import { XQUAD_LANGUAGES, xquadPools } from '../questions/xquad.ts'
import type { EvalRow, RowContext, RowFigure } from '../row.ts'

const MODEL = 'rules and all-minilm-l6-v2'
const AT_ONCE = 4
const CRANFIELD_QUESTIONS = 60
const NEAREST = 10

export const row: EvalRow = {
  about:
    'Documents are uploaded and questions asked over HTTP. An answer is correct if it contains the expected value. *Real*: 22 documents (forms, receipts, scans, tables; six languages) and 45 questions about all of them, 13 without an answer; we tuned the rules and the threshold on this set. *XQuAD*: articles that were not used for training; each question is asked twice, over its article and without the paragraphs that contain the answer. *Cranfield*: each question is asked over its ten nearest abstracts, with and without those judged relevant; the data do not mark the answer within an abstract, so only refusals are scored. In parentheses: 95% Wilson interval.',
  weak: 'The engine quotes; it does not combine, count or calculate. Chinese and Korean names are not recognized as names, so a question about one person may get an answer about another. Paraphrases that share no word with the document are refused.',
  measure,
}

interface Asked {
  question: string
  is_answerable: boolean
  answers: readonly string[]
  must?: readonly string[]
  scope: { project_id?: string; document_ids?: string[] }
}
interface Verdict extends Asked {
  is_answered: boolean
  is_right: boolean
  text: string
}

async function measure({ say }: RowContext): Promise<RowFigure[]> {
  const ends: (() => Promise<void>)[] = []
  try {
    const env = { OCTAVO_MODELS_DIR: process.env.OCTAVO_MODELS_DIR ?? '', RATE_LIMITS: 'off' }
    const { owner } = await startApi({ after: (end: () => Promise<void>) => void ends.push(end) }, env)
    const real = await ask(owner, await uploadReal(owner))
    for (const one of real) say(`answers: ${verdictOf(one)} ${one.question} → ${one.text.slice(0, 120)}`)
    const figures = figuresOf('real documents', real)
    for (const language of XQUAD_LANGUAGES)
      figures.push(...figuresOf(`XQuAD ${language}`, await ask(owner, await uploadXquad(owner, language))))
    const cranfield = await ask(owner, await uploadCranfield(owner))
    const [open, answerable] = [
      cranfield.filter((one) => !one.is_answerable),
      cranfield.filter((one) => one.is_answerable),
    ]
    return [
      ...figures,
      shareOf('Cranfield: near abstracts that do not answer, refused', open, (one) => !one.is_answered),
      shareOf('Cranfield: with relevant abstracts, answered', answerable, (one) => one.is_answered),
    ]
  } finally {
    for (const end of ends.toReversed()) await end()
  }
}

const verdictOf = ({ is_answerable, is_answered, is_right }: Verdict): string =>
  !is_answered ? (is_answerable ? 'refused' : 'refused rightly') : is_right ? 'right' : 'wrong'

const isRight = ({ answers, must = [] }: Asked, text: string): boolean =>
  answers.some((answer) => holds(text, answer)) && must.every((part) => holds(text, part))

async function ask(client: Octavo, asked: readonly Asked[]): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  await eachOf(asked, AT_ONCE, async (one) => {
    const answer = await client.answers.create({ question: one.question, model: 'built_in_text', ...one.scope })
    const text = answer.text ?? ''
    const is_right = answer.is_answered && one.is_answerable && isRight(one, text)
    verdicts.push({ ...one, is_answered: answer.is_answered, is_right, text })
  })
  return verdicts
}

function figuresOf(set: string, verdicts: readonly Verdict[]): RowFigure[] {
  return [
    shareOf(
      `${set}: answers that are right`,
      verdicts.filter(({ is_answered }) => is_answered),
      ({ is_right }) => is_right,
    ),
    shareOf(
      `${set}: answerable questions answered right`,
      verdicts.filter(({ is_answerable }) => is_answerable),
      ({ is_right }) => is_right,
    ),
    shareOf(
      `${set}: questions without an answer refused`,
      verdicts.filter(({ is_answerable }) => !is_answerable),
      ({ is_answered }) => !is_answered,
    ),
  ]
}

function shareOf(what: string, items: readonly Verdict[], isCounted: (one: Verdict) => boolean): RowFigure {
  const count = items.filter(isCounted).length
  return {
    what,
    model: MODEL,
    value: count / Math.max(1, items.length),
    standard_error: null,
    interval: wilson(count, items.length),
    items: items.length,
    goal: null,
    baseline: 'none',
  }
}

async function uploadReal(client: Octavo): Promise<Asked[]> {
  const folder = join(process.env.OCTAVO_EVAL_DIR ?? '', 'real', 'files')
  const { id: project_id } = await client.projects.create({ name: 'Real documents' })
  for (const name of readdirSync(folder).toSorted()) {
    const file = new File([await openAsBlob(join(folder, name))], name)
    await client.documents.createAndWait(file, { document: { project_id } })
  }
  const questions = JSON.parse(readData('real/questions.json').toString()) as {
    q: string
    answers: string[]
    must?: string[]
    kind: string
  }[]
  return questions.map(({ q, answers, must = [], kind }) => ({
    question: q,
    is_answerable: !kind.startsWith('unanswerable'),
    answers,
    must,
    scope: { project_id },
  }))
}

/** Every third article is not trained on (tools/train-answers.ts). */
const isHeldOut = ({ group }: Pool): boolean => Number(group.split('-').at(-1)) % 3 === 2

async function uploadXquad(client: Octavo, language: string): Promise<Asked[]> {
  const pools = xquadPools(language, (question) => question % 3 === 0).filter(isHeldOut)
  const texts = [...new Set(pools.flatMap(({ passages }) => passages.map(({ text }) => text)))]
  const ids = new Map<string, string>()
  await eachOf(texts, AT_ONCE, async (text) => {
    const document = await client.documents.createAndWait({ title: 'Article', source: { type: 'text', text } })
    ids.set(text, document.id)
  })
  return pools.map(({ question, is_answerable, answers, passages }) => ({
    question,
    is_answerable,
    answers,
    scope: { document_ids: passages.map(({ text }) => ids.get(text)!) },
  }))
}

async function uploadCranfield(client: Octavo): Promise<Asked[]> {
  const { documents, questions, relevant } = readCranfield()
  const passages = documents
    .filter(({ text }) => text !== '')
    .map(({ number, title, text }) => ({
      text,
      start: 0,
      title,
      headings: [],
      document: String(number),
      page: { text, language: 'en', blocks: null },
    }))
  const ids = new Map<string, string>()
  const asked: Omit<Asked, 'scope'>[] = []
  const scopes: string[][] = []
  // The even ones may have been looked at while thresholds were chosen.
  for (const { number, text: question } of questions.filter((_, i) => i % 2 === 1).slice(0, CRANFIELD_QUESTIONS)) {
    const judged = relevant.get(number) ?? new Set()
    const isRelevant = ({ document }: { document: string }): boolean => judged.has(Number(document))
    const near = ranked(
      question,
      'en',
      passages.filter((one) => !isRelevant(one)),
    )
    const answering = passages.filter(isRelevant).slice(0, NEAREST / 2)
    for (const [is_answerable, scope] of [
      [true, [...answering, ...near].slice(0, NEAREST)],
      [false, near],
    ] as const) {
      asked.push({ question, is_answerable, answers: [] })
      scopes.push(scope.map(({ document }) => document))
    }
  }
  const byNumber = new Map(passages.map((one) => [one.document, one]))
  await eachOf([...new Set(scopes.flat())], AT_ONCE, async (number) => {
    const { title, text } = byNumber.get(number)!
    const { id } = await client.documents.createAndWait({ title: title || number, source: { type: 'text', text } })
    ids.set(number, id)
  })
  return asked.map((one, i) => ({ ...one, scope: { document_ids: scopes[i]!.map((number) => ids.get(number)!) } }))
}
