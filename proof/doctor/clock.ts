// Another time for one process: libfaketime answers it in place of the kernel. Its timers run as ever.

import { globSync } from 'node:fs'
import type { DoctorEnv } from './examine.ts'

function findLibrary(): string {
  const [found] = process.env.OCTAVO_FAKETIME
    ? [process.env.OCTAVO_FAKETIME]
    : globSync('/usr/lib/*/faketime/libfaketime.so.1')
  if (found === undefined)
    throw new Error(
      'this proof sets the clock of a process: install faketime, or name libfaketime.so.1 in OCTAVO_FAKETIME',
    )
  return found
}

/** `seconds` with its sign, such as `+3600`. */
export const fakeTime = (seconds: string): DoctorEnv => ({
  LD_PRELOAD: findLibrary(),
  FAKETIME: seconds,
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
})
