// How a classification is made: by vectors, or by asking a generative model part by part.

import type { RequestOf, ResultOf } from '@octavo/contract'
import { askAbout } from '../../ai/prompt.ts'
import type { Needs } from '../../app.ts'
import { DEFAULT_CONTEXT, nothingToRead, type Part, partsOf, tokensPerPart } from '../../outcomes/outcomes.parts.ts'
import type { GeneratedResult, OutcomeWork } from '../../outcomes/outcomes.run.ts'
import { tokenCounter } from '../../text/tokens.ts'
import { embedInSteps, readEmbedder, stepOf } from '../embeddings/embeddings.batches.ts'
import { compareLabels } from './classifications.compare.ts'
import {
  type AskedLabel,
  classifySchema,
  classifyTask,
  labelsForTask,
  outputTokens,
  type SaidLabels,
} from './classifications.prompt.ts'
import { decide, joinParts, type PartScores, scoresOfPart } from './classifications.rules.ts'

type ClassificationGenerateNeeds = Needs<'db' | 'models'>
/** Share of the model's context that is reserved for labels and their examples. */
const LABELS_SHARE = 0.3

export async function makeClassification(
  work: OutcomeWork<'classification', ClassificationGenerateNeeds>,
): Promise<GeneratedResult<'classification'>> {
  const asked = work.request
  if (work.model.kind === 'generator') return { result: await askForLabels(work, asked), method: 'generative' }
  const embedder = readEmbedder(work.app, work.model)
  let done = 0
  const embed = {
    labels: embedInSteps(work, 'labels'),
    passages: embedInSteps(work, 'passages', () =>
      work.run.progress(
        { unit: 'pages', completed: (done = Math.max(done, work.pages)), failed: 0, total: null },
        'analysing',
      ),
    ),
  }
  return {
    result: await compareLabels(work.sources(), asked, { embed, embedder, cite: work.cite }),
    method: 'embedding',
  }
}

/** How many tokens labels may take of a question. */
export const roomForLabels = ({ context_tokens }: { context_tokens: number | null }): number =>
  Math.floor((context_tokens ?? DEFAULT_CONTEXT) * LABELS_SHARE)

export async function countLabels(labels: readonly AskedLabel[]): Promise<number> {
  return labelsForTask(labels, 0, await tokenCounter()).tokens
}

async function askForLabels(
  work: OutcomeWork<'classification', ClassificationGenerateNeeds>,
  { labels, multi_label, threshold }: RequestOf<'classification'>,
): Promise<ResultOf<'classification'>> {
  const { model, warnings } = work
  const names = labels.map(({ name }) => name)
  const shown = labelsForTask(labels, roomForLabels(model), await tokenCounter())
  if (shown.left_out > 0)
    warnings.push(`${shown.left_out} examples of labels were skipped because they do not fit into the model's context.`)
  const max_output_tokens = outputTokens(labels.length, multi_label)
  const left = { context_tokens: (model.context_tokens ?? DEFAULT_CONTEXT) - shown.tokens }
  const parts: Part[] = await Array.fromAsync(partsOf(work.sources(), tokensPerPart(left, max_output_tokens)))
  if (parts.length === 0) throw nothingToRead()
  const task = classifyTask(shown.text, { multi_label, is_part: parts.length > 1 })
  const schema = classifySchema(names, multi_label)
  const scored: PartScores[] = []
  for (const [i, part] of parts.entries()) {
    const { value } = await work.ask.generate(stepOf('labels', i + 1, [part.text]), model, {
      messages: askAbout(task, part.text),
      schema,
      max_output_tokens,
    })
    const said = (value as SaidLabels).results.map(({ label, score, quotes }) => ({
      label,
      score,
      citations: quotes.flatMap((quote) => work.cite.quote(quote, part.sources) ?? []),
    }))
    scored.push({ weight: part.text.length, scores: scoresOfPart(said, multi_label) })
    work.run.progress({ unit: 'chunks', completed: i + 1, failed: 0, total: parts.length }, 'analysing')
  }
  return decide(joinParts(names, scored, multi_label), threshold)
}
