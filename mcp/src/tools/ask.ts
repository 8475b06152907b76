import { z } from 'zod'
import { citedPages, citedText, pageLinks, readTitles } from '../citations.ts'
import { documentIds, id, language, model, projectId } from '../inputs.ts'
import { refuseFailed, waitOptions } from '../outcomes.ts'
import { pageUri } from '../pages.ts'
import type { Tool } from '../tool.ts'

const NEAREST_PASSAGES = 3

const input = z.object({
  question: z.string().min(1),
  document_ids: documentIds,
  project_id: projectId,
  previous_answer_id: id.optional().describe('The answer that this question follows'),
  model,
  language,
})

export const ask: Tool<typeof input> = {
  name: 'ask',
  title: 'Ask a question',
  description:
    'Answers a question from the documents. Each sentence has verified quotes with their pages. If is_answered is false, the documents do not contain the answer: say so, do not guess.',
  input,
  is_write: false,
  async run(call, question) {
    const { client, signal } = call
    const answer = await client.answers.createAndWait(question, waitOptions(call))
    refuseFailed(answer)
    const nearest = answer.is_answered ? [] : answer.passages.slice(0, NEAREST_PASSAGES)
    const pages = [...citedPages(answer.sentences), ...nearest]
    const titles = await readTitles(
      client,
      pages.map(({ document_id }) => document_id),
      signal,
    )
    const data = {
      answer_id: answer.id,
      is_answered: answer.is_answered,
      sentences: answer.sentences.map((sentence) => citedText(sentence, titles)),
      nearest_passages: nearest.map(({ document_id, page_number, text }) => ({
        document_id,
        title: titles.get(document_id) ?? null,
        page_number,
        text,
        resource: pageUri(document_id, page_number),
      })),
      warnings: answer.warnings,
    }
    return { data, more: pageLinks(pages, titles) }
  },
}
