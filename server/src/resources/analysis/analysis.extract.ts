// Values by a schema of the caller's, read by a generative model, part by part, and looked up on the pages.

import { setImmediate as breathe } from 'node:timers/promises'
import type { ExtractionAnalysis } from '@octavo/contract'
import type { ModelCard } from '../../ai/model.ts'
import { askAbout } from '../../ai/prompt.ts'
import type { Needs } from '../../app.ts'
import { JobFailure } from '../../jobs/types.ts'
import { CitationResolver } from '../../outcomes/outcomes.citations.ts'
import { type Part, partsOf, tokensPerPart } from '../../outcomes/outcomes.parts.ts'
import type { OutcomeWork } from '../../outcomes/outcomes.run.ts'
import { supportOf } from './analysis.evidence.ts'
import { dataOf, fieldsOf, mergeTrees, type Node, treeOf } from './analysis.fields.rules.ts'
import { type ExtractedFields, extractionTask } from './analysis.prompt.ts'
import { answerSchema, compileSchema, type Schema, tokensOfSchema } from './analysis.shaping.rules.ts'

type AnalysisExtractNeeds = Needs<'db' | 'models'>
interface ExtractionRequest {
  schema: Schema
  instructions: string | null
}

const MAX_OUTPUT_TOKENS = 4_000
const DEFAULT_CONTEXT = 8_192
const MAX_NAMED = 20
const MISFORMED = 0.3

export async function extract(work: OutcomeWork<'analysis', AnalysisExtractNeeds>): Promise<ExtractionAnalysis> {
  const { schema, instructions = null } = work.parameters as Partial<ExtractionRequest> &
    Pick<ExtractionRequest, 'schema'>
  const output_tokens = outputOf(work.model)
  const parts = partsOf(work.sources(), tokensPerPart(work.model, output_tokens + tokensOfSchema(schema)))
  const contradicted = new Set<string>()
  let whole: Node | null = null
  let answer: ReturnType<typeof answerSchema> | null = null
  let next = await parts.next()
  for (let number = 1; !next.done; number++) {
    const part = next.value
    next = await parts.next()
    const is_part = number > 1 || !next.done
    answer ??= answerSchema(schema, is_part)
    const tree = await readPart(work, part, {
      number,
      answer,
      output_tokens,
      task: extractionTask({ instructions, is_part }),
    })
    whole = whole ? mergeTrees(whole, tree, (path) => contradicted.add(path)) : tree
    work.run.progress({ unit: 'chunks', completed: number, failed: 0, total: next.done ? number : null }, 'analysing')
    await breathe()
  }
  if (!whole) throw new JobFailure('document_empty', 'The document has no text. Check the status of its pages.')
  for (const path of [...contradicted].slice(0, MAX_NAMED))
    work.warnings.push(`Parts of the document contradict each other in '${path}'.`)
  return checked(work, schema, whole)
}

const outputOf = ({ context_tokens }: ModelCard): number =>
  Math.min(MAX_OUTPUT_TOKENS, Math.max(500, Math.floor((context_tokens ?? DEFAULT_CONTEXT) / 4)))

async function readPart(
  work: OutcomeWork<'analysis', AnalysisExtractNeeds>,
  part: Part,
  {
    number,
    answer,
    output_tokens,
    task,
  }: { number: number; answer: ReturnType<typeof answerSchema>; output_tokens: number; task: string },
): Promise<Node> {
  const { value } = await work.ask.generate(`extract ${number}`, work.model, {
    messages: askAbout(task, part.text),
    schema: answer,
    max_output_tokens: output_tokens,
  })
  const extracted = value as ExtractedFields
  // One for each part: a citer remembers every page that it has looked into.
  const cite = new CitationResolver()
  const tree = treeOf(extracted.data, await supportOf(part, extracted, cite))
  work.cite.dropped += cite.dropped
  return tree
}

/** Each part may lack what the schema requires; the whole may not. */
function checked(work: OutcomeWork<'analysis', AnalysisExtractNeeds>, schema: Schema, whole: Node): ExtractionAnalysis {
  const data = dataOf(whole)
  const validator = compileSchema(schema)
  const problem = validator.problemOf(data)
  if (problem)
    throw new JobFailure(
      'model_output_invalid',
      `The extracted values do not conform to the schema: ${problem}. Make values that may be missing optional.`,
    )
  const { fields, is_cut } = fieldsOf(whole)
  if (is_cut)
    work.warnings.push(`Only the first ${fields.length} values are listed in \`fields\`; \`data\` has all of them.`)
  const misformed = validator.misformed(data)
  for (const path of [...misformed].slice(0, MAX_NAMED))
    work.warnings.push(`'${path}' does not have the format that the schema requires.`)
  return {
    data,
    fields: fields.map((field) =>
      misformed.has(field.path) ? { ...field, confidence: Math.min(field.confidence, MISFORMED) } : field,
    ),
  }
}
