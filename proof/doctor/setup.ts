// What an installation with one thing wrong is.

import type { DoctorEnv } from './examine.ts'

export interface DoctorBrokenSetup {
  env: DoctorEnv
  before?: readonly string[]
}

export interface DoctorOutput {
  /** Each is the same fault in another form; all must be named. */
  broken: readonly DoctorBrokenSetup[]
  /** Does what the remedy says. Gives what is to be examined then. */
  repair(): Promise<DoctorBrokenSetup>
  clear?(): Promise<unknown>
}

export interface Setup {
  name: string
  /** The check that must name it, and no other. */
  check: string
  status: 'failed' | 'warning'
  says: RegExp
  remedy: RegExp
  make(well: DoctorEnv): Promise<DoctorOutput>
}

/** Stands where a secret stands. Must not be in anything that the doctor says. */
export const SECRET = 'not-to-be-shown-4711'
