// Creates a summary: from sentences of the text, or written by a generative model and verified against the text.

import { firstOf, itemAt, lastOf } from '@octavo/base/required.ts'
import type { Citation, CitedSentence, RequestOf, ResultOf } from '@octavo/contract'
import { SUMMARY_SENTENCES, summarise } from '../../ai/built-in/summary.ts'
import { mainFields } from '../../ai/built-in/summary-fields.ts'
import { askAbout } from '../../ai/prompt.ts'
import type { Needs } from '../../app.ts'
import type { CitationResolver, Source } from '../../outcomes/outcomes.citations.ts'
import { localEmbed } from '../../outcomes/outcomes.local-embedders.ts'
import { nothingToRead, type Part, partsOf, tokensPerPart } from '../../outcomes/outcomes.parts.ts'
import type { GeneratedResult, OutcomeWork } from '../../outcomes/outcomes.run.ts'
import {
  countOf,
  joinSchema,
  joinTask,
  type NotedSentences,
  notesTask,
  type QuotedSentences,
  summarySchema,
  summaryTask,
} from './summaries.prompt.ts'

type SummaryGenerateNeeds = Needs<'db' | 'models'>
type SummaryRequest = RequestOf<'summary'>
const OUTPUT_TOKENS = 2_000
const NOTES_OF_A_PART = 6

export async function makeSummary(
  work: OutcomeWork<'summary', SummaryGenerateNeeds>,
): Promise<GeneratedResult<'summary'>> {
  const asked = work.request
  if (work.model.kind === 'engine') {
    const sources = await Array.fromAsync(work.sources())
    return { result: await extract(work.app, sources, asked, work), method: 'extractive' }
  }
  const parts: Part[] = []
  for await (const part of partsOf(work.sources(), tokensPerPart(work.model, OUTPUT_TOKENS))) parts.push(part)
  if (parts.length === 0) throw nothingToRead()
  const sentences =
    parts.length === 1 ? await writeOf(work, firstOf(parts), asked) : await writeOfMany(work, parts, asked)
  return { result: shown(sentences, asked), method: 'generative' }
}

/** Also within a request, for a short text. */
export async function extract(
  app: Needs<'models'>,
  sources: readonly Source[],
  asked: SummaryRequest,
  { cite, run }: Pick<OutcomeWork, 'cite'> & { run: { signal: AbortSignal } },
): Promise<ResultOf<'summary'>> {
  if (sources.every(({ text }) => text.trim() === '')) throw nothingToRead()
  const language = sources.find((source) => source.language !== null)?.language ?? null
  const length = asked.style === 'headline' ? 'short' : asked.length
  const texts = sources.map(({ text }) => text)
  // Word vectors choose better sentences than embeddings (docs/quality.md); only a focus needs the meaning of words.
  const embed = asked.focus ? localEmbed(app, run.signal) : null
  const fields = asked.focus ? [] : fieldsOf(sources, cite)
  const chosen = await summarise(texts, { length, language, focus: asked.focus, embed })
  const sentences = chosen.map((sentence) => {
    const citation = cite.span(itemAt(sources, sentence.part), sentence)
    return { text: citation.quote.replace(/\s+/g, ' ').trim(), citations: [citation] }
  })
  const isRepeated = ({ text }: CitedSentence): boolean =>
    fields.some((field) => field.citations.some(({ quote }) => text.includes(quote)))
  const rest = sentences.filter((sentence) => !isRepeated(sentence))
  return shown([...fields, ...rest.slice(0, Math.max(0, SUMMARY_SENTENCES[length] - fields.length))], asked)
}

/** A form or a receipt begins with its main fields. */
function fieldsOf(sources: readonly Source[], cite: CitationResolver): CitedSentence[] {
  const first = sources.find(({ text }) => text.trim() !== '')
  if (!first) return []
  return mainFields(first).map(({ label, ...place }) => {
    const citation = cite.span(first, place)
    const value = citation.quote.replace(/\s+/g, ' ').trim()
    return { text: label === '' ? value : `${label}: ${value}`, citations: [citation] }
  })
}

function shown(sentences: CitedSentence[], { style }: SummaryRequest): ResultOf<'summary'> {
  const lines = sentences.map(({ text }) => text)
  return { text: style === 'bullets' ? lines.map((line) => `- ${line}`).join('\n') : lines.join(' '), sentences }
}

async function writeOf(
  work: OutcomeWork<'summary', SummaryGenerateNeeds>,
  part: Part,
  asked: SummaryRequest,
): Promise<CitedSentence[]> {
  const { value } = await work.ask.generate('summary', work.model, {
    messages: askAbout(summaryTask(asked), part.text),
    schema: summarySchema(countOf(asked)),
    max_output_tokens: OUTPUT_TOKENS,
  })
  return (value as QuotedSentences).sentences.map(({ text, quotes }) => ({
    text,
    citations: citationsOf(work, quotes, part),
  }))
}

const citationsOf = (
  work: OutcomeWork<'summary', SummaryGenerateNeeds>,
  quotes: readonly string[],
  part: Part,
): Citation[] => quotes.flatMap((quote) => work.cite.quote(quote, part.sources) ?? [])

interface SummaryNote {
  text: string
  citations: Citation[]
}

/** Each part is a separate step; then the notes are joined, in as many rounds as needed. */
async function writeOfMany(
  work: OutcomeWork<'summary', SummaryGenerateNeeds>,
  parts: readonly Part[],
  asked: SummaryRequest,
): Promise<CitedSentence[]> {
  const notes: SummaryNote[] = []
  for (const [i, part] of parts.entries()) {
    const { value } = await work.ask.generate(`notes ${i + 1}`, work.model, {
      messages: askAbout(notesTask(asked, NOTES_OF_A_PART), part.text),
      schema: summarySchema(NOTES_OF_A_PART),
      max_output_tokens: OUTPUT_TOKENS,
    })
    for (const { text, quotes } of (value as QuotedSentences).sentences)
      notes.push({ text, citations: citationsOf(work, quotes, part) })
    work.run.progress({ unit: 'chunks', completed: i + 1, failed: 0, total: parts.length }, 'analysing')
  }
  return join(work, notes, { asked, round: 1 })
}

async function join(
  work: OutcomeWork<'summary', SummaryGenerateNeeds>,
  notes: readonly SummaryNote[],
  { asked, round }: { asked: SummaryRequest; round: number },
): Promise<CitedSentence[]> {
  const groups = groupsOf(notes, tokensPerPart(work.model, OUTPUT_TOKENS))
  const isLast = groups.length === 1
  const count = isLast ? countOf(asked) : NOTES_OF_A_PART
  const joined: SummaryNote[] = []
  for (const [i, group] of groups.entries()) {
    const { value } = await work.ask.generate(`join ${round}.${i + 1}`, work.model, {
      messages: askAbout(
        isLast ? joinTask(asked) : joinTask({ ...asked, style: 'abstract', length: 'medium' }),
        group.map(({ text }, n) => `${n + 1}. ${text}`).join('\n'),
      ),
      schema: joinSchema(count),
      max_output_tokens: OUTPUT_TOKENS,
    })
    for (const sentence of (value as NotedSentences).sentences)
      joined.push({
        text: sentence.text,
        citations: sentence.notes.flatMap((n) => group[n - 1]?.citations ?? []).slice(0, 10),
      })
  }
  return isLast ? joined : join(work, joined, { asked, round: round + 1 })
}

/** By characters: a note is short, and a token has about four. */
function groupsOf(notes: readonly SummaryNote[], tokens: number): SummaryNote[][] {
  const groups: SummaryNote[][] = [[]]
  let size = 0
  for (const note of notes) {
    const own = note.text.length / 3 + 4
    // A group of one would never become fewer.
    if (size + own > tokens && lastOf(groups).length > 1) {
      groups.push([])
      size = 0
    }
    lastOf(groups).push(note)
    size += own
  }
  return groups
}
