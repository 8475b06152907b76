export const ANSWER_VERSION = '1'

export const answerTask = (question: string, language: string | null): string =>
  `Answer the question from the numbered passages below, and from nothing else. At most six short sentences.
${language ? `Write in the language '${language}'.` : 'Write in the language of the question.'}
For each sentence give the numbers of the passages that it rests on, and one or two short quotes copied to the letter from them.
If the passages do not answer the question, set is_answered to false and give no sentences. Never guess.

Question: ${question}`

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
          required: ['text', 'passages', 'quotes'],
          properties: {
            text: { type: 'string', minLength: 1, maxLength: 1_000 },
            passages: { type: 'array', maxItems: 5, items: { type: 'integer', minimum: 1, maximum: 100 } },
            quotes: { type: 'array', maxItems: 3, items: { type: 'string', minLength: 1, maxLength: 400 } },
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
