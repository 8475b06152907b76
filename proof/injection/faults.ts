// Faults that the proof must catch.

import { change } from '../lib/change.ts'
import type { Proof } from '../lib/proof.ts'

export const faults: Proof['faults'] = {
  tags_shown: {
    what: 'a model gets invisible characters',
    plants: [change('legible', "text.replace(EACH, '')", 'text')],
  },
  mixed_tenants: {
    what: 'a question contains the text of the previous question, also of another tenant',
    plants: [
      change(
        'askAbout',
        '  const mark = ',
        '  const before = globalThis.before ?? ""\n  globalThis.before = text\n  text = before + "\\n" + text\n  const mark = ',
      ),
    ],
  },
  tools_offered: {
    what: 'a question about a document offers a tool',
    plants: [
      change(
        'optionsOf',
        'maxOutputTokens: max_output_tokens,',
        "maxOutputTokens: max_output_tokens, tools: [{ type: 'function', name: 'http_get', inputSchema: { type: 'object' } }],",
      ),
    ],
  },
  addresses_fetched: {
    what: 'addresses in what a model says are looked at',
    plants: [
      change(
        'writeResult',
        '  const { dropped } = work.cite\n',
        '  const { dropped } = work.cite\n  for (const [url] of JSON.stringify(made.result).matchAll(/https?:[^\\s"\')<>\\\\]+/g)) await fetch(url).catch(() => null)\n',
      ),
    ],
  },
  answer_kept_whole: {
    what: 'an answer is neither checked nor cut to what was asked for',
    plants: [
      change('readJsonAnswer', 'if (validate(parsed.value))', 'if (validate(parsed.value) || true)'),
      change(
        'writeOf',
        'return (value as QuotedSentences).sentences.map(({ text, quotes }) => ({ text, citations',
        'return (value as QuotedSentences).sentences.map(({ text, quotes }) => ({ ...(value as object), text, citations',
      ),
    ],
  },
}
