export const ANSWER_VERSION = '2'

/** Short steps, and quotes before the text that they support: written for small local models. */
export const answerTask = (question: string, language: string | null): string =>
  `Question: ${question}

Below are numbered passages, each with the title of its document. Answer the question only from them.
1. Find the passages that contain the answer. If there are none, set is_answered to false and sentences to [].
2. For each sentence of your answer give first the numbers of its passages, then one or two quotes: 3 to 25 words, copied exactly from these passages.
3. Then write the sentence. Every name, number and date in it must be in its quotes.
At most four short sentences. ${language ? `Write in the language '${language}'.` : 'Write in the language of the question.'} Do not guess.

Example: {"is_answered": true, "sentences": [{"passages": [2], "quotes": ["payable within 30 days"], "text": "The bill must be paid within 30 days."}]}`

export const ANSWER_SCHEMA = {
  name: 'answer',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['is_answered', 'sentences'],
    properties: {
      is_answered: { type: 'boolean' },
      sentences: {
        type: 'array',
        maxItems: 8,
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['passages', 'quotes', 'text'],
          properties: {
            passages: { type: 'array', maxItems: 5, items: { type: 'integer', minimum: 1, maximum: 100 } },
            quotes: { type: 'array', maxItems: 3, items: { type: 'string', minLength: 1, maxLength: 400 } },
            text: { type: 'string', minLength: 1, maxLength: 1_000 },
          },
        },
      },
    },
  },
}
export interface GeneratedAnswer {
  is_answered: boolean
  sentences: { text: string; passages: number[]; quotes: string[] }[]
}

/** The sentences in JSON that is still coming. */
export function draftOf(partial: string): string {
  const texts = [...partial.matchAll(/"text"\s*:\s*"((?:[^"\\]|\\.)*)/g)].map(([, text]) => unescaped(text!))
  return texts.join(' ')
}

function unescaped(text: string): string {
  // An escape that is cut in the middle is left for the next look.
  const whole = text.replace(/\\(u[0-9a-fA-F]{0,3})?$/, '')
  try {
    return JSON.parse(`"${whole}"`) as string
  } catch {
    return ''
  }
}
