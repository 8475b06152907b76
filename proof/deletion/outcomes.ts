// Outcomes of a document, which are deleted with it.

import type { Octavo } from '@octavo/sdk'

/** Appears in every deleted document and nowhere else. */
export const WORD = 'Quillfeather'

/** The word itself must not come from the question. */
export const QUERY = 'When does the lease begin, on which day of May?'
const LABELS = [{ name: 'leases' }, { name: 'recipes' }]
const WAIT = { wait_seconds: 50 }

export interface MadeOutcome {
  what: string
  path: string
  /** Whether the document can be seen in it; where not, the proof about it would show less. */
  has_word: boolean
}

/** Creates one outcome of every kind that uses this document. */
export async function makeOutcomes(client: Octavo, document_id: string): Promise<MadeOutcome[]> {
  const made: MadeOutcome[] = []
  const keep = (what: string, path: string, outcome: { id: string; status: string }): void => {
    if (outcome.status !== 'succeeded') throw new Error(`${what} of a document is ${outcome.status}`)
    made.push({ what, path: `${path}/${outcome.id}`, has_word: JSON.stringify(outcome).includes(WORD) })
  }
  const document_ids = [document_id]
  keep('summary', '/summaries', await client.summaries.create({ document_ids, style: 'extractive' }, WAIT))
  keep('classification', '/classifications', await client.classifications.create({ document_id, labels: LABELS }, WAIT))
  keep('embedding', '/embeddings', await client.embeddings.create({ document_id }, WAIT))
  keep('analysis', `/documents/${document_id}/analysis`, await client.analysis.create(document_id, {}, WAIT))
  keep('search', '/searches', await client.searches.create({ query: QUERY, document_ids }))
  keep('answer', '/answers', await client.answers.create({ question: QUERY, document_ids }, WAIT))
  return made
}

/** Those that hold words of a document; vectors and labels do not. */
export const TELLING: readonly string[] = ['summary', 'analysis', 'search']
