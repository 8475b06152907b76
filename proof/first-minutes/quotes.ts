// Checks that each quote appears on the cited page.

import type { Octavo, Summary } from '@octavo/sdk'

export async function readPages(client: Octavo, document_id: string): Promise<Map<number, string>> {
  const texts = new Map<number, string>()
  for await (const page of client.pages.list(document_id)) texts.set(page.number, page.text)
  return texts
}

export const findMisquotes = (texts: ReadonlyMap<number, string>, sentences: Summary['sentences']): string[] =>
  sentences
    .flatMap(({ citations }) => citations)
    .filter(({ page_number, quote }) => !texts.get(page_number ?? 0)?.includes(quote))
    .map(({ page_number, quote }) => `page ${page_number} does not say: ${quote}`)
