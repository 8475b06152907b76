// What an installation with one thing wrong is.

import type { Env } from './examine.ts'

export interface Broken {
  env: Env
  before?: readonly string[]
}

export interface Made {
  /** Each is the same fault in another form; all must be named. */
  broken: readonly Broken[]
  /** Does what the remedy says. Gives what is to be examined then. */
  mend(): Promise<Broken>
  clear?(): Promise<unknown>
}

export interface Setup {
  name: string
  /** The check that must name it, and no other. */
  check: string
  status: 'failed' | 'warning'
  says: RegExp
  remedy: RegExp
  make(well: Env): Promise<Made>
}

/** Stands where a secret stands. Must not be in anything that the doctor says. */
export const SECRET = 'not-to-be-shown-4711'
