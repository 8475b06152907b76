// An installation with one problem.

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
  /** The only check that must report the problem. */
  check: string
  status: 'failed' | 'warning'
  says: RegExp
  remedy: RegExp
  make(well: DoctorEnv): Promise<DoctorOutput>
}

/** Takes the place of every secret. Must not appear in the doctor's output. */
export const SECRET = 'not-to-be-shown-4711'
