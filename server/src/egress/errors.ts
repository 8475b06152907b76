// Both messages are for the caller that named the address: they repeat the name that was given and never an address behind it.

interface More {
  /** The response status, if there was a response. */
  status?: number
  /** When to come back, as the answer said it. */
  retry_after?: string | undefined
  cause?: unknown
}

abstract class EgressError extends Error {
  readonly status: number | null
  readonly retry_after: string | null
  constructor(message: string, { status, retry_after, cause }: More = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.status = status ?? null
    this.retry_after = retry_after ?? null
  }
}

/** It is not allowed, and asking again changes nothing. */
export class EgressRefused extends EgressError {}

/** It went wrong this time: no answer, a broken one, or one that says to come back. */
export class EgressFailed extends EgressError {}
