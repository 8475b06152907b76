export interface EvalPaper {
  id: string
  kind: 'invoice' | 'letter'
  language: 'en' | 'de'
  layout: string
  /** The text of each page. */
  pages: string[]
  /** JSON Schema of what is to be read out of it. */
  schema: object
  /** What stands in it; null: it does not say. */
  expected: Record<string, unknown>
}

/** The same seed makes the same papers and claims. */
export const SEED = 20_261_115
