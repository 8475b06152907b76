// The only way from an outcome to a model: the text may go there, the budget reaches, the answer is kept once and paid
// for once, and trouble becomes a state of the job.

import { messageOf, toError } from '@octavo/base/unknown.ts'
import type { JobErrorCode } from '@octavo/contract'
import {
  type Generation,
  type GenerationResult,
  type ModelCard,
  ModelOutputInvalid,
  ModelRefused,
  ModelTimeout,
  ModelUnavailable,
  type Tokens,
} from '../ai/model.ts'
import type { Needs } from '../app.ts'
import { JobFailure, Postponed, type Run } from '../jobs/types.ts'
import { operator } from '../lib/caller.ts'
import { newUuid, timeOfUuid, uuid } from '../lib/ids.ts'
import { listLocalOnly } from '../resources/projects/projects.service.ts'
import { tokenCounter } from '../text/tokens.ts'
import { costOf, recordUsage, release, reserve } from '../usage/usage.service.ts'

type ModelCallNeeds = Needs<'db' | 'models'>
/** The outcome, project and key that usage is recorded for. */
export interface Payer {
  object: string
  id: string
  project_id: string | null
  key_id: string | null
  /** The projects of all sources. */
  project_ids: readonly (string | null)[]
}

/** How long a provider may send a job away before it gives up. */
const MOST_THROTTLED_MS = 60 * 60_000
const DEFAULT_WAIT_MS = 10_000
const MAX_WAIT_MS = 5 * 60_000

export class ModelClient {
  /** Usage of this job so far, including earlier runs: finished steps are counted again, but not paid again. */
  readonly used = { input_tokens: 0, output_tokens: 0, cost_micros: 0 }
  private readonly app: ModelCallNeeds
  private readonly run: Run<object>
  private readonly paying: Payer

  constructor(app: ModelCallNeeds, run: Run<object>, paying: Payer) {
    this.app = app
    this.run = run
    this.paying = paying
  }

  /** A checkpoint: once answered, it is neither asked nor paid for again. */
  async generate(
    step: string,
    model: ModelCard,
    asked: Omit<Generation, 'signal' | 'idempotency_key'>,
  ): Promise<GenerationResult> {
    const generator = this.app.models.generator(model.id)
    if (!generator) throw gone(model)
    // An output that does not match its schema is requested once more.
    const times = asked.schema ? 2 : 1
    const estimate = {
      input_tokens: times * (await countTokens(asked)),
      output_tokens: times * asked.max_output_tokens,
    }
    const answer = await this.paid(
      step,
      { model, estimate, spentOf: (value: GenerationResult) => value.spent },
      (signal) => generator.generate({ ...asked, signal, idempotency_key: this.callOf(step) }),
    )
    this.count(model, answer.spent)
    return answer
  }

  /** Vectors of one batch, stored as Base64, so that they are not paid for again after a crash. */
  async embed(
    step: string,
    model: ModelCard,
    texts: readonly string[],
    as: 'query' | 'passage' | 'text',
  ): Promise<Float32Array[]> {
    const embedder = this.app.models.embedder(model.id)
    if (!embedder) throw gone(model)
    const ask = async (signal: AbortSignal) => {
      const { vectors, spent } = await embedder.embed(texts, { as, signal, idempotency_key: this.callOf(step) })
      return { vectors: vectors.map(toBase64), spent }
    }
    const estimate = {
      input_tokens: texts.reduce((sum, text) => sum + Math.ceil(text.length / 3), 0),
      output_tokens: 0,
    }
    const { vectors, spent } = await this.paid(
      step,
      { model, estimate, spentOf: (value: Awaited<ReturnType<typeof ask>>) => value.spent },
      ask,
    )
    this.count(model, spent)
    return vectors.map(fromBase64)
  }

  private callOf(step: string): string {
    return `${this.run.job.id}:${step}`
  }

  private count(model: ModelCard, spent: Tokens): void {
    this.used.input_tokens += spent.input_tokens
    this.used.output_tokens += spent.output_tokens
    this.used.cost_micros += costOf(model, spent)
  }

  private paid<T>(
    step: string,
    { model, estimate, spentOf }: { model: ModelCard; estimate: Tokens; spentOf: (value: T) => Tokens },
    ask: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const call = this.callOf(step)
    let began_ms = 0
    return this.run.step(
      step,
      async (signal) => {
        await this.check(model, call, estimate)
        began_ms = performance.now()
        try {
          return await ask(signal)
        } catch (error) {
          signal.throwIfAborted()
          await this.settleFailure(step, model, { error, compute_ms: performance.now() - began_ms })
          throw this.failureOf(model, error)
        }
      },
      (tx, value) => this.pay(tx, model, { call, spent: spentOf(value), compute_ms: performance.now() - began_ms }),
    )
  }

  private pay(
    tx: Parameters<typeof recordUsage>[0],
    model: ModelCard,
    { call, spent, compute_ms }: { call: string; spent: Tokens; compute_ms: number },
  ): void {
    const { object, id, project_id, key_id } = this.paying
    const used = { ...spent, pages: 0, compute_ms: Math.round(compute_ms) }
    recordUsage(tx, model, { project_id, key_id, job_id: this.run.job.id, subject: { object, id } }, used)
    release(tx, call)
  }

  /** At the last moment: a project may have become private since the job was asked for. */
  private async check(model: ModelCard, call: string, estimate: Tokens): Promise<void> {
    if (model.locality === 'remote' && (await listLocalOnly(this.run.db, this.paying.project_ids)).length > 0)
      throw new JobFailure(
        'remote_not_allowed',
        `The model '${model.id}' is remote, and this project's text may not leave the installation.`,
      )
    const isCovered = await reserve(this.app, operator(this.run.tenant, []), call, costOf(model, estimate))
    if (!isCovered)
      throw new JobFailure(
        'budget_exceeded',
        "The tenant's daily budget is too low for this call. Run the job again tomorrow, or ask the operator to raise the budget.",
      )
  }

  /** Refused and invalid outputs cost tokens too. */
  private async settleFailure(
    step: string,
    model: ModelCard,
    { error, compute_ms }: { error: unknown; compute_ms: number },
  ): Promise<void> {
    const { spent } = error as { spent?: Tokens }
    const call = this.callOf(step)
    // A unique step name: a postponed run may fail in the same way again, and is paid for again.
    await this.run.write(`${step} failed ${newUuid()}`, async (tx) => {
      if (spent && spent.input_tokens + spent.output_tokens > 0) this.pay(tx, model, { call, spent, compute_ms })
      else release(tx, call)
      return null
    })
  }

  private failureOf(model: ModelCard, error: unknown): Error {
    const fail = (code: JobErrorCode, is_final: boolean): JobFailure =>
      new JobFailure(code, messageOf(error).slice(0, 1000), { is_final, cause: error })
    if (error instanceof ModelTimeout) return fail('model_timeout', false)
    if (error instanceof ModelRefused) return fail('content_refused', true)
    if (error instanceof ModelOutputInvalid) return fail('model_output_invalid', true)
    if (!(error instanceof ModelUnavailable)) return toError(error)
    const age_ms = Date.now() - timeOfUuid(uuid(this.run.job.id)).getTime()
    const isTooOld = age_ms > MOST_THROTTLED_MS
    if (error.why === 'down' || isTooOld || model.locality === 'local') return fail('model_unavailable', isTooOld)
    return new Postponed('provider_throttled', Math.min(error.retry_after_ms ?? DEFAULT_WAIT_MS, MAX_WAIT_MS), error)
  }
}

const gone = (model: ModelCard): JobFailure =>
  new JobFailure(
    'model_unavailable',
    `The model '${model.id}' is no longer available. Send the request again with a model from GET /models.`,
  )

async function countTokens({ messages }: Pick<Generation, 'messages'>): Promise<number> {
  const count = await tokenCounter()
  return messages.reduce((sum, { text }) => sum + count(text) + 8, 0)
}

export const toBase64 = (vector: Float32Array): string =>
  Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')
export function fromBase64(text: string): Float32Array {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'))
  return new Float32Array(bytes.buffer)
}
