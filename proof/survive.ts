// The stack of compose.yaml outlives what happens to a host: a killed container, a reboot, a restarted database, a full disk, a restore.

import { change } from './lib/change.ts'
import type { Proof, ProofOutcome, ProofRun } from './lib/proof.ts'
import { fillData, fillDatabase } from './survive/disk.ts'
import { restoreDump } from './survive/dump.ts'
import { killReader, reboot, restartDatabase } from './survive/parts.ts'
import { openScene, type SurvivePart } from './survive/scene.ts'

const SIZES = { short: 300, normal: 1_000, long: 3_000 } as const

export const proof: Proof = {
  promise: 'The stack of compose.yaml survives crashes, restarts and full disks.',
  goal: 'container killed with -9 in the middle of reading: the book is ready, no page missing or wrong; all down and up: 0 documents lost or changed; PostgreSQL restarted under requests: only 503 during the restart, the book ready; volume of the files and of the database full: a clear error, everything readable, and recovery without intervention when there is free space; a dump restored as docs/backup.md says, on the same host and on a new one: 0 documents lost or changed, no revoked key active',
  faults: {
    forgotten_volume: {
      what: 'files are kept outside the volume',
      plants: [change('compose.yaml', '      BASE_URL: ', '      OCTAVO_DATA_DIR: /tmp/data\n      BASE_URL: ')],
    },
    no_restart: {
      what: 'nobody starts a killed container again',
      plants: [change('compose.yaml', 'restart: unless-stopped', "restart: 'no'")],
    },
    not_looked_after: {
      what: 'the page about backups forgets what makes a restored database safe',
      plants: [change('docs/backup.md', '`docker compose run --rm octavo admin after-restore`', 'Nothing')],
    },
  },
  run: prove,
}

async function prove(run: ProofRun): Promise<ProofOutcome> {
  const pages = SIZES[run.fault === null ? run.length : 'short']
  const scene = await openScene(run)
  const parts: SurvivePart[] = []
  const add = async (begin: () => Promise<SurvivePart>): Promise<void> => {
    // A fault is caught by its first finding.
    if (run.fault !== null && parts.some(({ findings }) => findings.length > 0)) return
    const part = await begin().catch(
      (error: unknown): SurvivePart => ({ figure: String(error), findings: [String(error)] }),
    )
    parts.push(part)
    run.say(part.figure)
    for (const finding of part.findings.slice(0, 5)) run.say(`FAILED ${finding}`)
  }
  try {
    await add(() => killReader(scene, pages))
    await add(() => reboot(scene))
    await add(() => restartDatabase(scene, pages))
    await add(() => fillData(scene))
    await add(() => fillDatabase(scene))
    // Last: it leaves volumes of another kind behind.
    await add(() => restoreDump(scene))
  } finally {
    scene.machine.close()
  }
  const found = parts.flatMap(({ findings }) => findings)
  return {
    figure: run.fault === null ? parts.map(({ figure }) => figure).join('; ') : (found[0] ?? 'nothing was found'),
    is_met: found.length === 0,
  }
}
