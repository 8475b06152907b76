// Slows down guessing at the OAuth endpoints: failures are counted by address, successes never.

import { admit } from '../lib/gcra.ts'

const RATE = { quota: 20, window_ms: 60_000 }
const MAX_ADDRESSES = 100_000

export class Failures {
  private readonly arrivals = new Map<string, number>()

  /** How long the address has to wait; 0: it may try. */
  waitMs(address: string): number {
    const { is_admitted, wait_ms } = admit(this.arrivals.get(address), performance.now(), RATE, 1)
    return is_admitted ? 0 : wait_ms
  }

  add(address: string): void {
    if (this.arrivals.size > MAX_ADDRESSES) this.arrivals.clear()
    this.arrivals.set(address, admit(this.arrivals.get(address), performance.now(), RATE, 1).arrival_ms)
  }
}
