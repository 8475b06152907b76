// One round of the sweeper, as an operator runs it.

import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { World } from '../lib/world.ts'

const ADMIN = fileURLToPath(new URL('../../server/src/bin/admin.ts', import.meta.url))
const PLANT = new URL('../lib/plant.ts', import.meta.url).href
const AFTER_SECONDS = 1
/** Longer than the threshold plus a whole second, because stores round timestamps to seconds. */
const YOUNG_MS = 2_500
const MOST_MS = 120_000

/** Returns the sweeper's output and whether it completed. */
export async function sweepNow({ env }: World): Promise<{ said: string; is_whole: boolean }> {
  await sleep(YOUNG_MS)
  const settings = { ...process.env, ...env, SWEEP_AFTER_SECONDS: String(AFTER_SECONDS) }
  for (let attempt = 1; ; attempt++) {
    const { said, is_whole } = await new Promise<{ said: string; is_whole: boolean }>((tell) => {
      execFile(
        process.execPath,
        ['--import', PLANT, ADMIN, 'sweep'],
        { env: settings, timeout: MOST_MS },
        (error, stdout, stderr) =>
          tell({ said: `${stdout}${stderr}`.trim().replaceAll('\n', '; '), is_whole: error === null }),
      )
    })
    // A worker may be sweeping.
    if (is_whole || attempt === 10 || !said.includes('Another process')) return { said, is_whole }
    await sleep(500)
  }
}
