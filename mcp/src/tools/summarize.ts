import { z } from 'zod'
import { citedPages, citedText, pageLinks, readTitles } from '../citations.ts'
import { documentId, language, model } from '../inputs.ts'
import { refuseFailed, waitOptions } from '../outcomes.ts'
import type { Tool } from '../tool.ts'

const input = z.object({
  document_ids: z.array(documentId).min(1).max(250),
  style: z
    .enum(['extractive', 'abstract', 'bullets', 'headline'])
    .optional()
    .describe('All except extractive need a generative model on the server'),
  length: z.enum(['short', 'medium', 'long']).optional(),
  focus: z.string().optional().describe('The question or topic that the summary concentrates on'),
  model,
  language,
})

export const summarize: Tool<typeof input> = {
  name: 'summarize',
  title: 'Summarize documents',
  description: 'Summarizes one or more documents. Each sentence has the quotes and pages that support it.',
  input,
  is_write: false,
  async run(call, request) {
    const { client, signal } = call
    const summary = await client.summaries.createAndWait(request, waitOptions(call))
    refuseFailed(summary)
    const pages = citedPages(summary.sentences)
    const titles = await readTitles(client, summary.document_ids, signal)
    const sentences = summary.sentences.map((sentence) => citedText(sentence, titles))
    return { data: { summary_id: summary.id, sentences, warnings: summary.warnings }, more: pageLinks(pages, titles) }
  },
}
