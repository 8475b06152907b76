// The cost of reading pages: reserved from the daily budget before a reader sees a page, recorded with the pages.

import { recordOf } from '@octavo/base/unknown.ts'
import { type ModelCard, ModelOutputInvalid, ModelRefused, type Tokens } from '../../ai/model.ts'
import type { Needs } from '../../app.ts'
import type { Tx } from '../../db/database.ts'
import { JobFailure, type Run } from '../../jobs/types.ts'
import { operator } from '../../lib/caller.ts'
import type { PageReader } from '../../readers/reader.ts'
import { costOf, recordUsage, release, reserve } from '../../usage/usage.service.ts'
import { listLocalOnly } from '../projects/projects.service.ts'

/** Cost of one page. */
export interface Cost {
  spent: Tokens
  compute_ms: number
}
interface PaidPage {
  number: number
  status: string
  cost: Cost
}
interface Of {
  id: string
  project_id: string | null
}
type PricedModel = Pick<ModelCard, 'id' | 'provider' | 'locality' | 'price'>

export const NOTHING: Tokens = { input_tokens: 0, output_tokens: 0 }
/** A page image and a long transcript; the real number is known only after the call. */
const ESTIMATE: Tokens = { input_tokens: 4_000, output_tokens: 8_192 }

export class ReadingCosts {
  private readonly app: Needs<'db'>
  private readonly run: Run<object>
  private readonly document: Of
  private readonly reader: PricedModel

  constructor(
    app: Needs<'db' | 'models'>,
    run: Run<object>,
    { document, reader }: { document: Of; reader: PageReader },
  ) {
    const { id, locality } = reader
    this.app = app
    this.run = run
    this.document = document
    this.reader = app.models.find(id) ?? { id, provider: id, locality, price: { input: 0, output: 0 } }
  }

  private callOf(page: number): string {
    return `${this.run.job.id}:page ${page}`
  }

  /** Before every page: a project may have become private since the document was made. */
  async admit(page: number): Promise<void> {
    const { id, locality } = this.reader
    if (locality === 'remote' && (await listLocalOnly(this.run.db, [this.document.project_id])).length > 0)
      throw new JobFailure(
        'remote_not_allowed',
        `The reader '${id}' is remote, and this project's text may not leave the installation. Create the document again with another reader.`,
      )
    if (await reserve(this.app, operator(this.run.tenant, []), this.callOf(page), costOf(this.reader, ESTIMATE))) return
    throw new JobFailure(
      'budget_exceeded',
      "The tenant's daily budget is too low for this reader. Run the job again tomorrow, or ask the operator to raise the budget.",
    )
  }

  /** In the transaction of the pages. */
  record(tx: Tx, pages: readonly PaidPage[]): void {
    const sum = (of: (cost: Cost) => number): number => pages.reduce((total, { cost }) => total + of(cost), 0)
    const used = {
      pages: pages.filter(({ status }) => status === 'succeeded').length,
      input_tokens: sum(({ spent }) => spent.input_tokens),
      output_tokens: sum(({ spent }) => spent.output_tokens),
      compute_ms: Math.round(sum(({ compute_ms }) => compute_ms)),
    }
    const { id, project_id } = this.document
    const subject = { object: 'document', id }
    recordUsage(tx, this.reader, { project_id, key_id: null, job_id: this.run.job.id, subject }, used)
    if (costOf(this.reader, ESTIMATE) > 0) for (const { number } of pages) release(tx, this.callOf(number))
  }
}

/** Refused and invalid outputs cost tokens too. */
export function spentOn(error: unknown): Tokens {
  const { cause } = recordOf(error)
  return cause instanceof ModelRefused || cause instanceof ModelOutputInvalid ? cause.spent : NOTHING
}
