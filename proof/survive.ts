// The stack of compose.yaml outlives what happens to a host: a killed container, a reboot, a restarted database, a full disk, a restore.

import { change } from './lib/change.ts'
import { type Part, type Proof, type ProofOutcome, type ProofRun, proveParts } from './lib/proof.ts'
import { owned } from './lib/scope.ts'
import { fillData, fillDatabase } from './survive/disk.ts'
import { restoreDump } from './survive/dump.ts'
import { killReader, reboot, restartDatabase } from './survive/parts.ts'
import { openScene } from './survive/scene.ts'

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
      what: 'a killed container is not started again',
      plants: [change('compose.yaml', 'restart: unless-stopped', "restart: 'no'")],
    },
    not_looked_after: {
      what: 'the page about backups forgets what makes a restored database safe',
      plants: [change('docs/backup.md', '`docker compose run --rm octavo admin after-restore`', 'Nothing')],
    },
  },
  run: prove,
}

const failed = (error: unknown): Part => ({ figure: String(error), findings: [String(error)] })

async function prove(run: ProofRun): Promise<ProofOutcome> {
  const pages = SIZES[run.fault === null ? run.length : 'short']
  const scene = await openScene(run)
  await using _machine = owned(scene.machine)
  const parts = [
    () => killReader(scene, pages),
    () => reboot(scene),
    () => restartDatabase(scene, pages),
    () => fillData(scene),
    () => fillDatabase(scene),
    // Last: it leaves volumes of another kind behind.
    () => restoreDump(scene),
  ]
  return await proveParts(
    run,
    parts.map((part) => () => part().catch(failed)),
  )
}
