// The doctor as an operator runs it: a separate process with only the installation's environment.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { DoctorReport } from '../../server/src/doctor/doctor.ts'
import type { Plant } from '../lib/proof.ts'

const PROGRAM = fileURLToPath(new URL('../../server/src/bin/doctor.ts', import.meta.url))
const PLANT = new URL('../lib/plant.ts', import.meta.url).href

export type DoctorEnv = Readonly<Record<string, string>>

export interface DoctorObservation extends DoctorReport {
  exit: number | null
  /** All that it said. */
  text: string
}

/** `before` is a program that starts it, such as one that gives it another view of the machine. */
export async function examine(
  env: DoctorEnv,
  plants: readonly Plant[],
  before: readonly string[] = [],
): Promise<DoctorObservation> {
  const [program = process.execPath, ...first] = before
  const args = [...first, ...(before.length > 0 ? [process.execPath] : []), '--import', PLANT, PROGRAM, '--json']
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(program, args, {
    env: { PATH, HOME, ...env, OCTAVO_PLANTS: JSON.stringify(plants) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const exit = child.exitCode
  try {
    return { ...(JSON.parse(out) as DoctorReport), exit, text: out + error }
  } catch (cause) {
    throw new Error(`the doctor gave no report, it ended with ${exit}: ${error.slice(0, 2_000)}`, { cause })
  }
}
