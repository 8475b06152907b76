// Slows down guessing at the OAuth endpoints. As for API keys, only failing requests are limited by address, because
// offices share one.

import { isOneOf } from '@octavo/base/unknown.ts'
import { admit } from '../lib/gcra.ts'

const RATE = { quota: 20, window_ms: 60_000 }
const MAX_ADDRESSES = 100_000

/** A code or a secret that could have been guessed. */
const GUESSES = ['invalid_client', 'invalid_grant']

export class Failures {
  private readonly arrivals = new Map<string, number>()

  /** Counts a failed request. How long the address has to wait; 0: it may try again. */
  add(address: string, error: unknown): number {
    if (!isOneOf(GUESSES, error)) return 0
    if (this.arrivals.size > MAX_ADDRESSES) this.arrivals.clear()
    const { is_admitted, arrival_ms, wait_ms } = admit(this.arrivals.get(address), performance.now(), RATE, 1)
    this.arrivals.set(address, arrival_ms)
    return is_admitted ? 0 : wait_ms
  }
}
