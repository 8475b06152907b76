// The operator's commands, as separate processes with the planted faults.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { World } from '../lib/world.ts'

const ADMIN = fileURLToPath(new URL('../../server/src/bin/admin.ts', import.meta.url))
const PLANT = new URL('../lib/plant.ts', import.meta.url).href

/** Returns the standard output; throws if the command fails. */
export async function runAdmin({ env }: World, ...words: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', PLANT, ADMIN, ...words], {
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout
}
