// Invoices and letters whose fields are known, because they were written from them.

import { newRandom } from '../../lib/random.ts'
import { makeInvoice } from './invoices.ts'
import { makeLetter } from './letters.ts'
import { type EvalPaper, SEED } from './paper.ts'

const INVOICES = 84
const LETTERS = 56

/** Alternating, so that either half has as many of each kind. */
export function makePapers(seed = SEED): EvalPaper[] {
  const random = newRandom(seed)
  const invoices = Array.from({ length: INVOICES }, (_, at) => makeInvoice(random.fork(`invoice ${at}`), at))
  const letters = Array.from({ length: LETTERS }, (_, at) => makeLetter(random.fork(`letter ${at}`), at))
  return [...invoices, ...letters]
}
