// Both messages are for whoever named the address: they repeat the name that was given and never an address behind it.

interface More {
  /** What was answered, if anything was. */
  status?: number
  cause?: unknown
}

abstract class EgressError extends Error {
  readonly status: number | null
  constructor(message: string, { status, cause }: More = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.status = status ?? null
  }
}

/** It is not allowed, and asking again changes nothing. */
export class EgressRefused extends EgressError {}

/** It went wrong this time: no answer, a broken one, or one that says to come back. */
export class EgressFailed extends EgressError {}
