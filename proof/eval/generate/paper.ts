export interface EvalPaper {
  id: string
  kind: 'invoice' | 'letter'
  language: 'en' | 'de'
  layout: string
  /** The text of each page. */
  pages: string[]
  /** JSON Schema of what is to be read out of it. */
  schema: object
  /** Expected values; null if the paper does not contain the value. */
  expected: Record<string, unknown>
}

/** The same seed makes the same papers. */
export const SEED = 20_261_115
