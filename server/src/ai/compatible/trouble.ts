// Errors of a model server, before the retry logic handles them.

import type { Tokens } from '../model.ts'

export type TroubleKind =
  /** It said to come back later. */
  | 'throttled'
  /** No connection, a broken connection, or a server error. */
  | 'down'
  /** Nothing in time. */
  | 'timeout'
  /** It has no place for us: a wrong key, address or name of the model. Only the operator can put it right. */
  | 'closed'
  /** It does not want this request. */
  | 'rejected'
  /** It will not say this. */
  | 'refused'
  /** The answer is unusable. */
  | 'unusable'

export const NOTHING: Tokens = { input_tokens: 0, output_tokens: 0 }

/** The message goes into errors that are logged: never a key, an address, or what was asked. */
export class Trouble extends Error {
  readonly kind: TroubleKind
  readonly status: number | null
  readonly retry_after_ms: number | null
  /** Tokens that the answer had cost when it failed. */
  spent: Tokens = NOTHING

  constructor(
    kind: TroubleKind,
    message: string,
    more: { status?: number | null; retry_after_ms?: number | null } = {},
  ) {
    super(message)
    this.kind = kind
    this.status = more.status ?? null
    this.retry_after_ms = more.retry_after_ms ?? null
  }
}

const MAX_CAUSES = 10

/** Libraries put errors into errors. */
export function findTrouble(error: unknown): Trouble | null {
  let one = error
  for (let depth = 0; depth < MAX_CAUSES && one instanceof Error; depth++) {
    if (one instanceof Trouble) return one
    one = one.cause
  }
  return null
}

/** With an estimate in it, the sum is one. */
export function addTokens(a: Tokens, b: Tokens): Tokens {
  const sum = { input_tokens: a.input_tokens + b.input_tokens, output_tokens: a.output_tokens + b.output_tokens }
  return a.is_estimate || b.is_estimate ? { ...sum, is_estimate: true } : sum
}

/** An error that says what was spent says what was spent before it too. */
export function withSpent(error: unknown, before: Tokens): unknown {
  return error instanceof Error && 'spent' in error
    ? Object.assign(error, { spent: addTokens(before, error.spent as Tokens) })
    : error
}
