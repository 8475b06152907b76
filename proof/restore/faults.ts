// Faults that the proof must catch, and the finding that must report each.

import type { Plant } from '../lib/proof.ts'
import type { RestoreKind } from './findings.ts'

interface RestoreFault {
  what: string
  plants: readonly Plant[]
  /** Anything else that goes wrong is no catch. */
  shows_as: readonly RestoreKind[]
}

export const faults: Readonly<Record<string, RestoreFault>> = {
  revocation_not_noted: {
    what: 'a revoked key is not noted outside the database',
    shows_as: ['revived'],
    plants: [
      {
        file: 'server/src/resources/api-keys/api-keys.service.ts',
        find: 'await recordRevocation(app, tx, id, null)',
        replace: '',
      },
    ],
  },
  rotation_not_noted: {
    what: 'a replaced secret is not noted outside the database',
    shows_as: ['revived'],
    plants: [
      {
        file: 'server/src/resources/api-keys/api-keys.service.ts',
        find: 'await recordRevocation(app, tx, id, overlap_seconds)',
        replace: '',
      },
    ],
  },
  noted_later: {
    what: 'a revocation is noted a minute after its answer',
    shows_as: ['revived'],
    plants: [
      {
        file: 'server/src/resources/api-keys/api-keys.revocations.ts',
        find: 'await putTombstone(app.files, tombstone)',
        replace: 'setTimeout(() => void putTombstone(app.files, tombstone).catch(() => {}), 60_000)',
      },
      {
        file: 'server/src/resources/api-keys/api-keys.revocations.ts',
        find: 'await putTombstone(app.files, toTombstone(end))',
        replace: '',
      },
    ],
  },
  no_guard: {
    what: 'processes start on a restored database that nobody has looked after',
    shows_as: ['not_guarded'],
    plants: [
      { file: 'server/src/bin/start.ts', find: 'await refuseRestored(app)', replace: 'await Promise.resolve()' },
    ],
  },
  positions_again: {
    what: 'positions of events are given out a second time',
    shows_as: ['missed_events'],
    plants: [
      { file: 'server/src/bin/after-restore.ts', find: 'const LEAP = 1_000_000_000', replace: 'const LEAP = 0' },
    ],
  },
  young_not_missed: {
    what: 'only old files are looked for after a restore',
    shows_as: ['unmarked'],
    plants: [{ file: 'server/src/bin/after-restore.ts', find: 'is_quiet: true', replace: 'is_quiet: false' }],
  },
  tenant_released: {
    what: 'a tenant that was suspended is not suspended again',
    shows_as: ['revived'],
    plants: [
      { file: 'server/src/bin/after-restore.ts', find: 'await suspendAgain(app, say)', replace: '' },
      { file: 'server/src/bin/start.ts', find: 'keys + secrets + tenants === 0', replace: 'keys + secrets === 0' },
    ],
  },
}
