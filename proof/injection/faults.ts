// Faults that the proof must catch.

import type { Proof } from '../lib/proof.ts'

export const faults: Proof['faults'] = {
  tags_shown: {
    what: 'a model is shown characters that nobody sees',
    plants: [{ file: 'server/src/text/legible.ts', find: "text.replace(EACH, '')", replace: 'text' }],
  },
  mixed_tenants: {
    what: 'a question holds the text of the question before, whoever asked it',
    plants: [
      {
        file: 'server/src/ai/prompt.ts',
        find: '  const mark = ',
        replace:
          '  const before = globalThis.before ?? ""\n  globalThis.before = text\n  text = before + "\\n" + text\n  const mark = ',
      },
    ],
  },
  tools_offered: {
    what: 'a question about a document offers a tool',
    plants: [
      {
        file: 'server/src/ai/compatible/chat.ts',
        find: 'maxOutputTokens: max_output_tokens,',
        replace:
          "maxOutputTokens: max_output_tokens, tools: [{ type: 'function', name: 'http_get', inputSchema: { type: 'object' } }],",
      },
    ],
  },
  addresses_fetched: {
    what: 'addresses in what a model says are looked at',
    plants: [
      {
        file: 'server/src/outcomes/outcomes.run.ts',
        find: '  const { dropped } = work.cite\n',
        replace:
          '  const { dropped } = work.cite\n  for (const [url] of JSON.stringify(made.result).matchAll(/https?:[^\\s"\')<>\\\\]+/g)) await fetch(url).catch(() => null)\n',
      },
    ],
  },
  answer_kept_whole: {
    what: 'an answer is neither checked nor cut to what was asked for',
    plants: [
      {
        file: 'server/src/ai/compatible/json-answer.ts',
        find: 'if (validate(parsed.value))',
        replace: 'if (validate(parsed.value) || true)',
      },
      {
        file: 'server/src/resources/summaries/summaries.generate.ts',
        find: 'return (value as QuotedSentences).sentences.map(({ text, quotes }) => ({ text, citations',
        replace:
          'return (value as QuotedSentences).sentences.map(({ text, quotes }) => ({ ...(value as object), text, citations',
      },
    ],
  },
}
