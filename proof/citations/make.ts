// Every kind of outcome that cites, of every document, by every model.

import { createHash } from 'node:crypto'
import { eachOf } from '../lib/call.ts'
import { AT_ONCE, type CitationsScene, type MadeDocument, SMALL } from './scene.ts'
import { type CitationsWriter, EXTRACTION, sentencesOf, truthful, writers } from './writers.ts'

const WAIT = { wait_seconds: 50 }
const LABELS = [
  { name: 'trade', description: 'Goods, money, payment, invoices.' },
  { name: 'home', description: 'Houses, leases, families.' },
  { name: 'story', description: 'What happened to somebody.' },
]
const FEATURES = ['language', 'statistics', 'key_phrases', 'entities', 'pii', 'sentiment', 'topics'] as const

interface CitationsEndState {
  status: string
  warnings: readonly string[]
  error: { code: string; message: string } | null
}
/** The model and the final state of an outcome. */
export interface CitationsOutput extends CitationsEndState {
  what: string
  writer: CitationsWriter | null
}

export async function makeOutcomes(scene: CitationsScene): Promise<CitationsOutput[]> {
  const made: CitationsOutput[] = []
  const tasks = scene.documents.flatMap((document) => [
    ...builtIn(scene, document),
    ...writers.flatMap((writer) => some(scene, written(scene, document, writer))),
  ])
  tasks.push(...overMany(scene))
  await eachOf(scene.random.shuffle(tasks), AT_ONCE, async ({ what, writer, make }) => {
    const { status, warnings, error } = await make()
    made.push({ what, writer, status, warnings, error })
  })
  return made
}

/** One kind of each, where there is no time for all. */
const some = ({ run, random }: CitationsScene, tasks: CitationsTask[]): CitationsTask[] =>
  run.length === 'short' ? [random.one(tasks)] : tasks

interface CitationsTask {
  what: string
  writer: CitationsWriter | null
  make: () => Promise<CitationsEndState>
}

function builtIn({ client, random }: CitationsScene, { id, title, pages }: MadeDocument): CitationsTask[] {
  const question = pickWords(random.one(pages).text, random.whole(0, 3))
  const task = (kind: string, make: CitationsTask['make']): CitationsTask => ({
    what: `${kind} of ${title}`,
    writer: null,
    make,
  })
  return [
    task('summary', () => client.summaries.create({ document_ids: [id], style: 'extractive', length: 'long' }, WAIT)),
    task('analysis', () => client.analysis.create(id, { features: [...FEATURES] }, WAIT)),
    task('classification', () =>
      client.classifications.create({ document_id: id, labels: LABELS, multi_label: true }, WAIT),
    ),
    task('answer', () => client.answers.create({ question, document_ids: [id], model: 'built_in_text' }, WAIT)),
    task('search', () => client.searches.create({ query: question, mode: 'keyword', limit: 20 })),
    task('search', () => client.searches.create({ query: question, mode: 'hybrid', limit: 20 })),
  ]
}

function written(
  { client }: CitationsScene,
  { id, title, pages }: MadeDocument,
  writer: CitationsWriter,
): CitationsTask[] {
  const asked = { model: writer, cache: 'bypass' } as const
  const task = (kind: string, make: CitationsTask['make']): CitationsTask => ({
    what: `${kind} of ${title} by ${writer}`,
    writer,
    make,
  })
  const question = pickWords(pages[0]!.text, 0)
  return [
    task('summary', () => client.summaries.create({ document_ids: [id], style: 'abstract', ...asked }, WAIT)),
    task('classification', () => client.classifications.create({ document_id: id, labels: LABELS, ...asked }, WAIT)),
    task('extraction', () =>
      client.analysis.create(id, { features: ['extraction'], schema: EXTRACTION, ...asked }, WAIT),
    ),
    task('answer', () => client.answers.create({ question, document_ids: [id], ...asked }, WAIT)),
  ]
}

/** Outcomes over several documents, over texts sent with the request, and over a long document in parts. */
function overMany({ client, documents, texts }: CitationsScene): CitationsTask[] {
  const some = documents.slice(0, 6).map(({ id }) => id)
  const long = documents.toSorted((a, b) => b.pages.length - a.pages.length)[0]!
  const inline = documents.find(({ title }) => title === 'Emoji')!.pages[0]!.text
  texts.set(createHash('sha256').update(inline).digest('hex'), inline)
  return [
    ...truthful.map((writer) => ({
      what: `summary of many by ${writer}`,
      writer,
      make: () => client.summaries.create({ document_ids: some, style: 'bullets', model: writer }, WAIT),
    })),
    {
      what: 'summary of many',
      writer: null,
      make: () => client.summaries.create({ document_ids: some, style: 'extractive' }, WAIT),
    },
    {
      what: 'summary of a text',
      writer: null,
      make: () => client.summaries.create({ text: inline, style: 'extractive' }, WAIT),
    },
    {
      what: 'summary of a text',
      writer: 'honest',
      make: () => client.summaries.create({ text: inline, model: 'honest' }, WAIT),
    },
    {
      what: 'summary in parts',
      writer: 'honest',
      make: () => client.summaries.create({ document_ids: [long.id], style: 'abstract', model: SMALL }, WAIT),
    },
  ]
}

/** The middle of a sentence of the page: something that can be looked for. */
function pickWords(text: string, nth: number): string {
  const sentence = sentencesOf(text)[nth] ?? text
  return [...sentence].slice(0, 80).join('').trim() || 'harbour'
}
