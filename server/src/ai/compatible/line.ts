// The way of every call to a model of a server: a slot, the breaker, retries within their budget, one deadline.

import { setTimeout as sleep } from 'node:timers/promises'
import { traced } from '@octavo/base/trace.ts'
import { ModelOutputInvalid, ModelRefused, ModelTimeout, ModelUnavailable, modelSpan } from '../model.ts'
import { type Breaker, openBreaker } from './breaker.ts'
import { openRetryBudget, type RetryBudget } from './retry-budget.ts'
import { openSlots, type Slots } from './slots.ts'
import { findTrouble, NOTHING, Trouble } from './trouble.ts'

/** Shared by all models of one server. */
export interface ProviderHealth {
  breaker: Breaker
  budget: RetryBudget
}

export interface LineOptions {
  model: string
  health: ProviderHealth
  max_concurrency: number | null
  timeout_ms: number
  now?: () => number
  /** Waits, or throws the reason of the signal. */
  rest?: (ms: number, signal: AbortSignal) => Promise<void>
  random?: () => number
}

export interface Line {
  /** `attempt` throws `Trouble`; what comes out are the errors of ai/model.ts, or the reason of the caller's signal. */
  run<T>(signal: AbortSignal, attempt: (signal: AbortSignal) => Promise<T>, may_retry?: () => boolean): Promise<T>
}

const MAX_RETRIES = 2
const BACKOFF_MS = 400
/** A longer Retry-After is passed to the caller: a job can wait without holding a slot. */
const MAX_REST_MS = 5_000
const FAILURES: readonly string[] = ['down', 'timeout']

export const openHealth = (): ProviderHealth => ({ breaker: openBreaker(), budget: openRetryBudget() })

export function openLine(options: LineOptions): Line {
  const { now = () => performance.now() } = options
  const slots = openSlots(options.max_concurrency)
  const gate: RetryGate = { shut_until: 0, now }
  return {
    run: (signal, attempt, may_retry = () => true) =>
      traced(modelSpan(options.model), () => runAll(signal, attempt, may_retry)),
  }

  async function runAll<T>(
    signal: AbortSignal,
    attempt: (signal: AbortSignal) => Promise<T>,
    may_retry: () => boolean,
  ): Promise<T> {
    checkGate(options.model, gate)
    const release = await enterSlot(slots, signal)
    const deadline = openDeadline(signal, options.timeout_ms)
    options.health.budget.earn()
    try {
      return await tryAll({ ...options, gate, attempt, may_retry, signal: deadline.signal })
    } catch (error) {
      if (signal.aborted) throw signal.reason
      if (error instanceof ModelUnavailable) throw error
      throw modelError(options.model, error, deadline.signal.aborted)
    } finally {
      deadline.close()
      release()
    }
  }
}

async function enterSlot(slots: Slots, signal: AbortSignal): Promise<() => void> {
  const release = await slots.take(signal)
  if (!signal.aborted) return release
  release()
  throw signal.reason
}

interface RetryGate {
  /** Time until which the server asked for no further calls. */
  shut_until: number
  now: () => number
}

function checkGate(model: string, { shut_until, now }: RetryGate): void {
  const left = shut_until - now()
  if (left > MAX_REST_MS) throw new ModelUnavailable(model, 'throttled', { retry_after_ms: Math.ceil(left) })
}

interface RetryAttempt<T> extends LineOptions {
  gate: RetryGate
  attempt: (signal: AbortSignal) => Promise<T>
  may_retry: () => boolean
}

async function tryAll<T>(trying: RetryAttempt<T> & { signal: AbortSignal }): Promise<T> {
  const { signal, gate, health, model, may_retry, rest = restFor, random = Math.random } = trying
  for (let retries = 0; ; retries++) {
    const left = gate.shut_until - gate.now()
    if (left > 0) await rest(left, signal)
    try {
      return await tryOnce(trying, signal)
    } catch (error) {
      const trouble = findTrouble(error)
      if (!trouble || signal.aborted) throw error
      if (trouble.retry_after_ms !== null)
        gate.shut_until = Math.max(gate.shut_until, gate.now() + trouble.retry_after_ms)
      const is_passing = trouble.kind === 'down' || trouble.kind === 'throttled'
      if (!is_passing || retries >= MAX_RETRIES || (trouble.retry_after_ms ?? 0) > MAX_REST_MS || !may_retry())
        throw error
      if (!health.budget.spend()) {
        if (trouble.kind === 'throttled') throw error
        throw new ModelUnavailable(model, 'retry_budget', { retry_after_ms: trouble.retry_after_ms, cause: trouble })
      }
      if (trouble.retry_after_ms === null) await rest(BACKOFF_MS * 2 ** retries * (0.5 + random() / 2), signal)
    }
  }
}

async function tryOnce<T>({ health, model, attempt }: RetryAttempt<T>, signal: AbortSignal): Promise<T> {
  const pass = health.breaker.enter()
  if (typeof pass === 'number') throw new ModelUnavailable(model, 'circuit_open', { retry_after_ms: pass })
  try {
    const answer = await attempt(signal)
    pass.done('well')
    return answer
  } catch (error) {
    const trouble = findTrouble(signal.aborted ? signal.reason : error)
    const isFailure = trouble !== null && FAILURES.includes(trouble.kind)
    if (isFailure) pass.done('failed')
    else pass.done(trouble ? 'well' : 'ended')
    throw error
  }
}

async function restFor(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {
    throw signal.reason
  })
}

/** Aborts with the caller's reason, or with trouble of the kind `timeout`. */
function openDeadline(outer: AbortSignal, timeout_ms: number): { signal: AbortSignal; close(): void } {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new Trouble('timeout', 'it took too long')), timeout_ms)
  const abort = (): void => controller.abort(outer.reason)
  outer.addEventListener('abort', abort, { once: true })
  if (outer.aborted) abort()
  return {
    signal: controller.signal,
    close() {
      clearTimeout(timer)
      outer.removeEventListener('abort', abort)
    },
  }
}

/** Where the deadline ended it, what the attempt threw still knows what was spent. */
function modelError(model: string, thrown: unknown, is_late: boolean): unknown {
  const trouble = findTrouble(thrown)
  const spent = trouble?.spent ?? NOTHING
  if (is_late) return new ModelTimeout(model, trouble ?? undefined, spent)
  if (!trouble) return thrown
  const { kind, retry_after_ms, message } = trouble
  const cause = trouble
  if (kind === 'throttled') return new ModelUnavailable(model, 'throttled', { retry_after_ms, spent, cause })
  if (kind === 'down' || kind === 'closed') return new ModelUnavailable(model, 'down', { retry_after_ms, spent, cause })
  if (kind === 'timeout') return new ModelTimeout(model, cause, spent)
  if (kind === 'refused') return new ModelRefused(model, spent)
  return new ModelOutputInvalid(model, message, { spent, cause })
}
